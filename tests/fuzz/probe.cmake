# What a probe or a simulated board may send.
rigd_fuzz(ppk2_stream SOURCES ppk2_stream.cpp LINK rigd_probe)
rigd_fuzz(ppk2_metadata SOURCES ppk2_metadata.cpp LINK rigd_probe)
rigd_fuzz(edge_stream SOURCES edge_stream.cpp LINK rigd_probe)
