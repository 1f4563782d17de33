// A block of straight-line code as QEMU translates and runs it, and what it costs.
//
// QEMU tells the plugin when a block starts, not when each of its instructions runs. A block is therefore
// charged whole at its start; what happens inside it (a store, an interruption) is placed by how much of the
// block is still to come. What depends on where the block is entered from or left to is charged by the
// Counter.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/board/plugin/decode.hpp"
#include "sim/board/plugin/timing.hpp"

namespace rigd::sim::board {

// What an instruction leaves to the one after it.
struct Aftermath {
  std::uint64_t next = 0;   // address of the instruction behind it
  std::uint8_t refill = 0;  // cycles added when another one runs
  bool leads = false;       // a load or store at `next` may overlap with it ...
  std::uint16_t loads = 0;  // ... unless its address needs one of these registers
};

// How an instruction can profit from the one before it.
struct Overlap {
  std::uint8_t cycles = 0;
  std::uint16_t address_parts = 0;

  unsigned behind(const Aftermath& previous) const {
    return previous.leads && (previous.loads & address_parts) == 0 ? cycles : 0u;
  }
};

// One instruction of a block.
struct Step {
  std::uint64_t address = 0;
  std::uint32_t instructions_after = 0;  // of the block
  std::uint32_t cycles_after = 0;
  // A load or store in an IT block costs one cycle when its condition fails; the others are charged when it
  // accesses memory, this many an access.
  std::uint8_t cycles_an_access = 0;
  bool reads = false;
  bool writes = false;
  Aftermath aftermath{};
};

struct Block {
  std::uint64_t address = 0;
  std::uint32_t instructions = 0;
  std::uint32_t cycles = 0;
  Overlap entry{};        // of the first instruction
  Aftermath aftermath{};  // of the last
  std::vector<Step> steps;

  const Step* step_at(std::uint64_t at) const;
};

struct Placed {
  std::uint64_t address = 0;
  Instruction instruction;
};

// Other instructions in an IT block are charged whether their condition holds or not, branches apart. A block
// that starts inside an IT block (QEMU cuts at page borders) is taken as if it did not.
Block make_block(const CoreModel& model, std::span<const Placed> code);

}  // namespace rigd::sim::board
