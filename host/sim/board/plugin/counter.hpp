// Totals of instructions and modelled cycles while blocks run.
#pragma once

#include <cstdint>

#include "sim/board/plugin/block.hpp"

namespace rigd::sim::board {

struct Totals {
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;
};

class Counter {
 public:
  // `block` starts to run. Called for every block: kept inline.
  void enter(const Block& block) {
    totals_.instructions += block.instructions;
    totals_.cycles += block.cycles;
    if (block.address != left_.next)
      totals_.cycles += left_.refill;
    else
      totals_.cycles -= block.entry.behind(left_);
    left_ = block.aftermath;
    current_ = &block;
  }

  // An instruction's condition held: see Step::cycles_an_access.
  void add_cycles(unsigned cycles) { totals_.cycles += cycles; }

  // `block` consists of one instruction that accesses memory, and the access has just been made. With
  // -icount, QEMU stops a block at an access to a device, runs that one instruction again in a block of its
  // own without telling that it starts, and goes on with a new block behind it. The rest of the stopped block
  // has then been charged twice over, and is taken back here.
  void access_alone(const Block& block);

  // Totals including the instruction at `step`, which belongs to the running block.
  Totals at(const Step& step) const {
    return {totals_.instructions - step.instructions_after, totals_.cycles - step.cycles_after};
  }

  // All blocks known so far are about to be destroyed.
  void forget_blocks() { current_ = nullptr; }

 private:
  Totals totals_;
  Aftermath left_;
  const Block* current_ = nullptr;
};

}  // namespace rigd::sim::board
