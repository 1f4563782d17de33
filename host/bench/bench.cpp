#include "bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench/toml.hpp"

namespace rigd::bench {

namespace {

constexpr std::size_t kMostSlots = 256;
constexpr std::size_t kMostNameLength = 40;

PortSetup read_port(TomlTable& table) {
  PortSetup port;
  port.socket = table.text_or("socket", "");
  port.usb_serial = table.text_or("usb_serial", "");
  port.usb_interface = static_cast<int>(table.integer_or("usb_interface", 0, 255, -1));
  port.baud = static_cast<unsigned>(table.integer_or("baud", 300, 12'000'000, 115200));
  if (table.present() && port.socket.empty() == port.usb_serial.empty())
    table.reject("socket", "give either 'socket' or 'usb_serial', one of the two");
  return port;
}

ProbeSetup read_probe(TomlTable table) {
  ProbeSetup probe;
  table.choice("driver", {"ppk2"});
  probe.driver = "ppk2";
  probe.port = read_port(table);
  probe.mode = table.choice("mode", {"source", "ampere"}) == 0 ? ProbeMode::source : ProbeMode::ampere;
  probe.voltage_mv = static_cast<unsigned>(table.integer("voltage_mv", 800, 5000));
  probe.marker_input = static_cast<unsigned>(table.integer("marker_input", 0, 7));
  return probe;
}

AdapterSetup read_adapter(TomlTable table) {
  AdapterSetup adapter;
  adapter.serial = table.text("serial");
  adapter.interface = table.text("interface");
  adapter.env = table.text_map_or_empty("env");
  adapter.usb_root = table.text_or("usb_root", adapter.usb_root);
  return adapter;
}

bool is_name(std::string_view text) {
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= kMostNameLength && std::ranges::all_of(text, allowed);
}

std::filesystem::path board_path(const std::filesystem::path& bench, const std::string& name) {
  if (name.find('/') != std::string::npos) return bench.parent_path() / name;
  return bench.parent_path() / ".." / "boards" / (name + ".toml");
}

// Reads everything of a slot but its board's facts, which are in another file; returns the board's name.
std::string read_slot(TomlTable& table, SlotSetup& slot) {
  slot.name = table.text("name");
  if (!slot.name.empty() && !is_name(slot.name))
    table.reject("name", "use letters, digits, '-' and '_', at most 40");
  const std::string board = table.text("board");
  slot.image = table.text_or("image", "");
  if (TomlTable simulator = table.table_or_absent("simulator"); simulator.present())
    slot.simulator = SimulatorSetup{simulator.text("program"), simulator.texts_or_empty("args"),
                                    simulator.flag_or("preloaded", false)};
  slot.adapter = read_adapter(table.table("adapter"));
  TomlTable link = table.table("link");
  slot.link = read_port(link);
  slot.probe = read_probe(table.table("probe"));
  if (TomlTable counter = table.table_or_absent("counter"); counter.present())
    slot.counter = CounterSetup{counter.text("socket")};
  return board;
}

// A simulator on a physical board, or a counter without one, would put modelled numbers under a measured
// name.
void check_kind(TomlTable& table, const SlotSetup& slot) {
  const bool physical = slot.board.kind == BoardKind::physical;
  if (physical && slot.simulator) table.reject("simulator", "board '" + slot.board.name + "' is physical");
  if (physical && slot.counter) table.reject("counter", "board '" + slot.board.name + "' is physical");
}

void read_slots(TomlTable& root, const std::filesystem::path& path, Bench& bench,
                std::optional<Error>& board_error) {
  std::set<std::string> names;
  for (TomlTable& table : root.tables("slot")) {
    SlotSetup slot;
    const std::string board = read_slot(table, slot);
    if (!names.insert(slot.name).second) table.reject("name", "another slot has this name");
    if (board.empty()) continue;
    const std::filesystem::path facts_path = board_path(path, board);
    std::error_code problem;  // a name too long for the system is no board file either
    if (!std::filesystem::exists(facts_path, problem)) {
      table.reject("board", "no board file " + facts_path.lexically_normal().string());
      continue;
    }
    Result<BoardType> facts = load_board(facts_path);
    if (!facts) {
      if (!board_error) board_error = facts.error();
      continue;
    }
    slot.board = std::move(*facts);
    check_kind(table, slot);
    bench.slots.push_back(std::move(slot));
  }
  if (bench.slots.size() > kMostSlots) root.reject("slot", "more than 256 slots");
}

Result<Bench> read_bench(TomlFile file, const std::filesystem::path& path) {
  Bench bench;
  bench.path = path;
  bench.text = file.text();
  std::optional<Error> board_error;
  {
    TomlTable root = file.root();
    bench.name = root.table("bench").text("name");
    read_slots(root, path, bench, board_error);
  }
  RIGD_CHECK(file.verdict());
  if (board_error) return std::unexpected(std::move(*board_error));
  return bench;
}

// Replaces every {name}; names the first one it does not know.
Result<void> fill(std::string& value, const std::map<std::string, std::string>& known) {
  std::string filled;
  std::size_t at = 0;
  while (at < value.size()) {
    const std::size_t open = value.find('{', at);
    const std::size_t close = open == std::string::npos ? open : value.find('}', open);
    if (close == std::string::npos) break;
    const std::string name = value.substr(open + 1, close - open - 1);
    const auto entry = known.find(name);
    if (entry == known.end())
      return fail(ErrorCode::bad_bench, fmt::format("unknown placeholder {{{}}} in '{}'", name, value));
    filled += value.substr(at, open - at) + entry->second;
    at = close + 1;
  }
  value = filled + value.substr(at);
  return {};
}

}  // namespace

const SlotSetup* Bench::find(std::string_view slot) const {
  const auto entry = std::ranges::find(slots, slot, &SlotSetup::name);
  return entry == slots.end() ? nullptr : &*entry;
}

Result<Bench> load_bench(const std::filesystem::path& path) {
  RIGD_TRY(TomlFile file, TomlFile::load(path, ErrorCode::bad_bench));
  return read_bench(std::move(file), path);
}

Result<Bench> parse_bench(std::string_view text, const std::filesystem::path& path) {
  RIGD_TRY(TomlFile file, TomlFile::parse(text, path.string(), ErrorCode::bad_bench));
  return read_bench(std::move(file), path);
}

Result<SlotSetup> expand(SlotSetup setup, const Places& places) {
  const std::map<std::string, std::string> known = {{"run", places.run.string()},
                                                    {"slot", places.slot.string()},
                                                    {"usb", places.usb.string()},
                                                    {"bin", places.bin.string()}};
  std::vector<std::string*> values = {&setup.image, &setup.link.socket, &setup.probe.port.socket,
                                      &setup.adapter.usb_root};
  if (setup.counter) values.push_back(&setup.counter->socket);
  if (setup.simulator) {
    values.push_back(&setup.simulator->program);
    for (std::string& argument : setup.simulator->args)
      values.push_back(&argument);
  }
  for (auto& [name, value] : setup.adapter.env)
    values.push_back(&value);
  for (std::string* value : values) {
    if (Result<void> filled = fill(*value, known); !filled) return fail(filled, "slot " + setup.name);
  }
  return setup;
}

}  // namespace rigd::bench
