rigd_bench(link SOURCES link/codec_bench.cpp link/round_trip_bench.cpp LINK rigd_link rigd_link_wire)
