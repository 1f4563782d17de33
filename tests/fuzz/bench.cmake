rigd_fuzz(toml SOURCES bench/toml.cpp LINK rigd_bench rigd_run)
