rigd_fuzz(frames SOURCES link/frames.cpp LINK rigd_link)
rigd_fuzz(messages SOURCES link/messages.cpp LINK rigd_link)
