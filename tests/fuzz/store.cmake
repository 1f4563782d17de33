find_package(ZLIB REQUIRED)
rigd_fuzz(chunk SOURCES store/chunk.cpp LINK rigd_store ZLIB::ZLIB)
