# PPK2 words to amperes.
rigd_bench(ppk2 SOURCES ppk2_bench.cpp LINK rigd_probe)
