#include "bench/board.hpp"

#include "bench/toml.hpp"

namespace rigd::bench {

namespace {

constexpr double kMostClockHz = 10e9;

void read_flash(TomlTable flash, BoardType& board) {
  board.openocd_target = flash.text("target");
  board.openocd_before = flash.texts_or_empty("before");
}

void read_synthetic(TomlTable& root, BoardType& board) {
  for (auto& [name, constant] : root.table_map_or_empty("synthetic")) {
    const double value = constant.number("value", -1e12, 1e12);
    board.synthetic[name] = {value, constant.text("source")};
  }
  if (board.kind == BoardKind::physical && !board.synthetic.empty())
    root.reject("synthetic", "a physical board has no simulated current");
}

Result<BoardType> read_board(TomlFile file) {
  BoardType board;
  {
    TomlTable root = file.root();
    TomlTable facts = root.table("board");
    board.name = facts.text("name");
    board.title = facts.text("title");
    board.kind =
        facts.choice("kind", {"physical", "simulated"}) == 0 ? BoardKind::physical : BoardKind::simulated;
    board.core = facts.text("core");
    board.clock_hz = facts.number("clock_hz", 1, kMostClockHz);
    board.timer_counts = facts.choice("timer_counts", {"time", "instructions"}) == 0
                             ? TimerCounts::time
                             : TimerCounts::instructions;
    board.flash_bytes = static_cast<std::uint32_t>(facts.integer("flash_bytes", 1, UINT32_MAX));
    board.ram_bytes = static_cast<std::uint32_t>(facts.integer("ram_bytes", 1, UINT32_MAX));
    board.image = facts.text("image");
    read_flash(root.table("openocd"), board);
    read_synthetic(root, board);
  }
  RIGD_CHECK(file.verdict());
  return board;
}

}  // namespace

Result<BoardType> load_board(const std::filesystem::path& path) {
  RIGD_TRY(TomlFile file, TomlFile::load(path, ErrorCode::bad_board_file));
  return read_board(std::move(file));
}

Result<BoardType> parse_board(std::string_view text, std::string name) {
  RIGD_TRY(TomlFile file, TomlFile::parse(text, std::move(name), ErrorCode::bad_board_file));
  return read_board(std::move(file));
}

}  // namespace rigd::bench
