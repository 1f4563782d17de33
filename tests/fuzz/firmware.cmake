if(RIGD_FIRMWARE_HOST)
  rigd_fuzz(firmware SOURCES firmware/requests.cpp LINK rigd_stub_board rigd_firmware_host rigd_link)
endif()
