// librigd-qemu-edges.so: the logic analyser inside QEMU. Turns stores to the marker port into edges with
// exact instruction counts and modelled cycles, and sends them to a Unix socket.
//
// Loaded by QEMU, which is GPL-2.0: this object is a separate, optional part of rigd and shares no code with
// the rest of it but the stream's format. rigd itself never loads it.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/board/plugin/arguments.hpp"
#include "sim/board/plugin/block.hpp"
#include "sim/board/plugin/counter.hpp"
#include "sim/board/plugin/edge_port.hpp"
#include "sim/board/plugin/qemu_plugin_api.h"

namespace rigd::sim::board {
namespace {

class Analyser {
 public:
  explicit Analyser(const PluginArguments& arguments)
      : model_(arguments.model), port_(arguments.port, arguments.pins, arguments.hold) {}

  bool connect(const std::string& path) { return port_.connect(path); }
  void instrument(qemu_plugin_tb* tb);
  void forget_blocks();

 private:
  Placed place(qemu_plugin_insn* insn) const;
  bool may_write_port(const Step& step) const { return model_.core == Core::none || step.writes; }
  void instrument_access(qemu_plugin_insn* insn, const Block& block, const Step& step);

  CoreModel model_;
  EdgePort port_;
  Counter counter_;
  std::deque<Block> blocks_;  // QEMU keeps pointers into it

  static void on_block(unsigned, void* data);
  static void on_access_alone(unsigned, qemu_plugin_meminfo_t, uint64_t, void* data);
  static void on_conditional_access(unsigned, qemu_plugin_meminfo_t, uint64_t, void* data);
  static void on_store(unsigned, qemu_plugin_meminfo_t, uint64_t address, void* data);
};

// The API hands one pointer to a callback; a board has one CPU and QEMU one plugin of ours.
std::unique_ptr<Analyser> analyser;

void Analyser::on_block(unsigned, void* data) {
  analyser->counter_.enter(*static_cast<const Block*>(data));
}

void Analyser::on_access_alone(unsigned, qemu_plugin_meminfo_t, uint64_t, void* data) {
  analyser->counter_.access_alone(*static_cast<const Block*>(data));
}

void Analyser::on_conditional_access(unsigned, qemu_plugin_meminfo_t, uint64_t, void* data) {
  analyser->counter_.add_cycles(static_cast<const Step*>(data)->cycles_an_access);
}

void Analyser::on_store(unsigned, qemu_plugin_meminfo_t, uint64_t address, void* data) {
  if (!analyser->port_.contains(address)) return;
  analyser->port_.store(address, analyser->counter_.at(*static_cast<const Step*>(data)));
}

Placed Analyser::place(qemu_plugin_insn* insn) const {
  const std::size_t size = qemu_plugin_insn_size(insn);
  Placed placed{.address = qemu_plugin_insn_vaddr(insn), .instruction = {}};
  if (model_.core == Core::none) {
    placed.instruction.size = static_cast<std::uint8_t>(size);
    return placed;
  }
  std::uint8_t bytes[4] = {};
  std::memcpy(bytes, qemu_plugin_insn_data(insn), size < sizeof(bytes) ? size : sizeof(bytes));
  const auto half = [&](unsigned at) { return static_cast<std::uint16_t>(bytes[at] | bytes[at + 1] << 8); };
  placed.instruction = decode(half(0), half(2));
  placed.instruction.size = static_cast<std::uint8_t>(size);
  return placed;
}

void Analyser::instrument_access(qemu_plugin_insn* insn, const Block& block, const Step& step) {
  // QEMU hands data back as void*, and only ever to the callbacks above, which read it.
  const auto pass = [](const auto& object) { return const_cast<void*>(static_cast<const void*>(&object)); };
  if (block.steps.size() == 1)
    qemu_plugin_register_vcpu_mem_cb(insn, on_access_alone, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                     pass(block));
  if (step.cycles_an_access > 0)
    qemu_plugin_register_vcpu_mem_cb(insn, on_conditional_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                     pass(step));
  if (may_write_port(step))
    qemu_plugin_register_vcpu_mem_cb(insn, on_store, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_W, pass(step));
}

void Analyser::instrument(qemu_plugin_tb* tb) {
  const std::size_t count = qemu_plugin_tb_n_insns(tb);
  std::vector<Placed> code;
  code.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    code.push_back(place(qemu_plugin_tb_get_insn(tb, i)));
  Block& block = blocks_.emplace_back(make_block(model_, code));
  qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, &block);
  for (std::size_t i = 0; i < block.steps.size(); ++i)
    instrument_access(qemu_plugin_tb_get_insn(tb, i), block, block.steps[i]);
}

void Analyser::forget_blocks() {
  counter_.forget_blocks();
  blocks_.clear();
}

bool speaks_our_version(const qemu_info_t* info) {
  if (info->version.min <= RIGD_QEMU_PLUGIN_VERSION && info->version.cur == RIGD_QEMU_PLUGIN_VERSION)
    return true;
  std::fprintf(
      stderr,
      "librigd-qemu-edges: this QEMU speaks plugin API %d (oldest accepted %d), the plugin was written for "
      "API %d; use QEMU 7.2\n",
      info->version.cur, info->version.min, RIGD_QEMU_PLUGIN_VERSION);
  return false;
}

int install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv) {
  if (!speaks_our_version(info)) return -1;
  const std::vector<std::string_view> texts(argv, argv + argc);
  const auto arguments = parse_arguments(texts);
  if (!arguments) {
    std::fprintf(stderr, "librigd-qemu-edges: %s\n", arguments.error().c_str());
    return -1;
  }
  analyser = std::make_unique<Analyser>(*arguments);
  if (!analyser->connect(arguments->out)) {
    std::fprintf(stderr, "librigd-qemu-edges: %s: %s\n", arguments->out.c_str(), std::strerror(errno));
    return -1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(
      id, [](qemu_plugin_id_t, qemu_plugin_tb* tb) { analyser->instrument(tb); });
  qemu_plugin_register_flush_cb(id, [](qemu_plugin_id_t) { analyser->forget_blocks(); });
  return 0;
}

}  // namespace
}  // namespace rigd::sim::board

extern "C" {
[[gnu::visibility("default")]] extern const int qemu_plugin_version;
const int qemu_plugin_version = RIGD_QEMU_PLUGIN_VERSION;

[[gnu::visibility("default")]] int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc,
                                                       char** argv) {
  return rigd::sim::board::install(id, info, argc, argv);
}
}
