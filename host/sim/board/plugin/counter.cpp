#include "sim/board/plugin/counter.hpp"

namespace rigd::sim::board {

void Counter::access_alone(const Block& block) {
  if (current_ == &block || current_ == nullptr) return;
  const Step* stopped_at = current_->step_at(block.address);
  current_ = &block;
  if (stopped_at == nullptr) return;
  totals_.instructions -= stopped_at->instructions_after;
  totals_.cycles -= stopped_at->cycles_after;
  left_ = stopped_at->aftermath;
}

}  // namespace rigd::sim::board
