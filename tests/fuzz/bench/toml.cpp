// Any text as a bench, board or plan file: one error or a value, never a crash.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bench/bench.hpp"
#include "bench/board.hpp"
#include "run/plan.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rigd;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)bench::parse_bench(text, "bench.toml");
  (void)bench::parse_board(text, "board.toml");
  (void)run::parse_plan(text, "plan.toml");
  return 0;
}
