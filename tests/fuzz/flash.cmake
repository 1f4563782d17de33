rigd_fuzz(elf SOURCES flash/elf.cpp LINK rigd_flash)
