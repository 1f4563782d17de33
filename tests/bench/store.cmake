rigd_bench(store SOURCES store_bench.cpp LINK rigd_store)
