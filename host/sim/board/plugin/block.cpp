#include "sim/board/plugin/block.hpp"

#include <algorithm>

namespace rigd::sim::board {

namespace {

unsigned accesses(const Instruction& instruction) {
  switch (instruction.kind) {
    case Kind::load:
    case Kind::store:
    case Kind::load_exclusive:
    case Kind::store_exclusive:
    case Kind::float_load:  // QEMU moves a double register in one access
    case Kind::float_store:
      return 1;
    case Kind::load_pair:
    case Kind::store_pair:
    case Kind::load_multiple:
    case Kind::store_multiple:
      return instruction.words;
    default:
      return 0;
  }
}

struct Charge {
  Timing timing;
  unsigned cycles_an_access = 0;
};

Charge charge(const CoreModel& model, const Instruction& instruction, bool conditional) {
  const Timing timing = time_of(model, instruction);
  const unsigned count = accesses(instruction);
  if (!conditional || count == 0 || timing.cycles <= 1) return {timing, 0};
  return {.timing = {.cycles = 1, .refill = timing.refill}, .cycles_an_access = (timing.cycles - 1u) / count};
}

Aftermath aftermath_of(const Placed& placed, const Timing& timing) {
  return {.next = placed.address + placed.instruction.size,
          .refill = timing.refill,
          .leads = timing.leads,
          .loads = placed.instruction.loads};
}

void set_distances(Block& block, const std::vector<std::uint32_t>& cycles_before) {
  for (std::size_t i = 0; i < block.steps.size(); ++i) {
    block.steps[i].instructions_after = static_cast<std::uint32_t>(block.steps.size() - 1 - i);
    block.steps[i].cycles_after = block.cycles - cycles_before[i + 1];
  }
}

}  // namespace

const Step* Block::step_at(std::uint64_t at) const {
  const auto found = std::ranges::lower_bound(steps, at, {}, &Step::address);
  return found != steps.end() && found->address == at ? &*found : nullptr;
}

Block make_block(const CoreModel& model, std::span<const Placed> code) {
  Block block;
  block.address = code.empty() ? 0 : code.front().address;
  block.instructions = static_cast<std::uint32_t>(code.size());
  std::vector<std::uint32_t> cycles_before{0};
  unsigned conditional_left = 0;
  for (const Placed& placed : code) {
    const Instruction& instruction = placed.instruction;
    const auto [timing, cycles_an_access] = charge(model, instruction, conditional_left > 0);
    const Overlap overlap{.cycles = timing.overlap, .address_parts = instruction.address_parts};
    if (block.steps.empty()) block.entry = overlap;
    block.cycles += timing.cycles - (block.steps.empty() ? 0u : overlap.behind(block.aftermath));
    block.aftermath = aftermath_of(placed, timing);
    block.steps.push_back({.address = placed.address,
                           .cycles_an_access = static_cast<std::uint8_t>(cycles_an_access),
                           .reads = is_load(instruction.kind),
                           .writes = is_store(instruction.kind) && !instruction.stack_relative,
                           .aftermath = block.aftermath});
    cycles_before.push_back(block.cycles);
    conditional_left = instruction.kind == Kind::if_then
                           ? instruction.covers
                           : conditional_left - (conditional_left > 0 ? 1u : 0u);
  }
  set_distances(block, cycles_before);
  return block;
}

}  // namespace rigd::sim::board
