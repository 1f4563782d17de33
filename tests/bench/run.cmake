rigd_bench(run SOURCES run/first_result.cpp LINK rigd_run)
add_dependencies(bench_run rigd-sim-board rigd-sim-ppk2 rigd-qemu-edges firmware)
target_compile_definitions(bench_run PRIVATE
  RIGD_BIN="${CMAKE_BINARY_DIR}/bin" RIGD_IMAGES="${CMAKE_BINARY_DIR}/images" RIGD_RIGS="${CMAKE_SOURCE_DIR}/rigs")
