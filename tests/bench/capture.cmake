rigd_bench(capture SOURCES capture_bench.cpp LINK rigd_capture)
