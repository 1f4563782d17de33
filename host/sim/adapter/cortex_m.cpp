#include "sim/adapter/cortex_m.hpp"

#include <algorithm>
#include <utility>

#include "sim/adapter/debug_registers.hpp"

namespace rigd::sim::adapter {

std::optional<std::uint32_t> CortexM::read(std::uint32_t address, unsigned bytes) {
  if (const auto word = read_debug(address & ~3u)) return part_of_word(*word, address, bytes);
  settle();  // a debugger that watches memory waits for what the program does to it
  return chip_.read(address, bytes);
}

bool CortexM::write(std::uint32_t address, unsigned bytes, std::uint32_t value) {
  if (bytes == 4 && write_debug(address, value)) return true;
  return chip_.write(address, bytes, value);
}

std::optional<std::uint32_t> CortexM::read_debug(std::uint32_t word_address) {
  if (!kPrivateBus.contains(word_address)) return std::nullopt;
  if (kBreakpointUnit.contains(word_address)) {
    const std::uint32_t offset = word_address - kBreakpointUnit.first;
    if (offset == 0) return chip_.core().breakpoints << 4 | (breakpoints_enabled_ ? 1u : 0u);
    const std::uint32_t index = (offset - kFirstComparator) / 4;
    return offset >= kFirstComparator && index < chip_.core().breakpoints ? comparators_[index] : 0;
  }
  if (kWatchpointUnit.contains(word_address)) return 0;
  if (kRomTable.contains(word_address)) return rom_table_word(word_address - kRomTable.first);
  switch (word_address) {
    case kCpuid:
      return chip_.core().cpuid;
    case kAircr:
      return kAircrReadKey;
    case kDfsr:
      return fault_status_;
    case kDhcsr:
      return halting_status();
    case kDcrdr:
      return register_data_;
    case kDemcr:
      return exception_catch_;
    case kMvfr0:
    case kMvfr1:
      return 0;  // no floating-point registers to be seen
    default:
      return std::nullopt;
  }
}

bool CortexM::write_debug(std::uint32_t word_address, std::uint32_t value) {
  if (!kPrivateBus.contains(word_address)) return false;
  if (kBreakpointUnit.contains(word_address)) {
    write_breakpoint_unit(word_address - kBreakpointUnit.first, value);
    return true;
  }
  if (kWatchpointUnit.contains(word_address) || kRomTable.contains(word_address)) return true;
  switch (word_address) {
    case kAircr:
      write_reset_control(value);
      return true;
    case kDfsr:
      fault_status_ &= ~value;
      return true;
    case kDhcsr:
      write_halting_control(value);
      return true;
    case kDcrsr:
      select_register(value);
      return true;
    case kDcrdr:
      register_data_ = value;
      return true;
    case kDemcr:
      exception_catch_ = value;
      return true;
    default:
      return false;
  }
}

std::uint32_t CortexM::halting_status() {
  settle();
  std::uint32_t status = control_ | kRegisterReady;
  if (state_ == State::halted) status |= kHalted;
  if (state_ == State::locked_up && !faults_.nohalt)
    status |= kLockedUp;  // a debugger would end a lockup first
  if (state_ == State::running) status |= kRetired;
  if (reset_pending_notice_) status |= kWasReset;
  reset_pending_notice_ = false;
  return status;
}

void CortexM::write_halting_control(std::uint32_t value) {
  if (value >> 16 != kHaltingKey) return;
  control_ = value & kControlBits;
  if ((control_ & kDebugEnable) == 0) control_ = 0;
  if (in_reset_) return;
  if ((control_ & kHalt) != 0) {
    halt();
  } else if (state_ == State::halted && (control_ & kStep) != 0) {
    step();
  } else if (state_ == State::halted) {
    run_pending_ = true;
  }
}

void CortexM::write_reset_control(std::uint32_t value) {
  if (value >> 16 == kAircrKey && (value & (kSystemReset | kLocalReset)) != 0) reset();
}

void CortexM::reset_pin(bool high) {
  in_reset_ = !high;
  if (high) reset();
}

void CortexM::power_on() {
  chip_.power_on();
  reset();
}

void CortexM::reset() {
  run_pending_ = false;
  if (state_ == State::running) simulator_.halt();
  remove_breakpoints();
  chip_.before_run();  // the core fetches its vectors as it leaves reset
  chip_.reset();
  simulator_.reset();
  process_stack_ = 0;
  special_registers_ = 0;
  lockup_address_ = false;
  reset_pending_notice_ = true;
  control_ &= ~kHalt;
  state_ = State::halted;
  const bool caught = (control_ & kDebugEnable) != 0 && (exception_catch_ & kCatchCoreReset) != 0;
  if (caught && !faults_.nohalt) {
    enter_debug(kReasonVectorCatch);
  } else {
    start();
  }
}

void CortexM::enter_debug(std::uint32_t reason) {
  state_ = State::halted;
  fault_status_ |= reason;
  control_ |= kHalt;
}

void CortexM::settle() {
  if (run_pending_) {
    run_pending_ = false;
    start();
  }
  if (state_ == State::running && simulator_.stopped()) {
    remove_breakpoints();
    enter_debug(kReasonBreakpoint);
  }
}

void CortexM::halt() {
  if (faults_.nohalt) return;
  if (std::exchange(run_pending_, false) || state_ == State::halted) return;
  if (state_ == State::running) {
    simulator_.halt();
    remove_breakpoints();
  }
  enter_debug(kReasonHalted);
}

void CortexM::step() {
  chip_.before_run();
  if (!can_execute()) {
    state_ = State::locked_up;
    lockup_address_ = true;
    return;
  }
  simulator_.step();
  enter_debug(kReasonHalted);
}

void CortexM::start() {
  chip_.before_run();
  if (!can_execute()) {
    state_ = State::locked_up;
    lockup_address_ = true;
    return;
  }
  plant_breakpoints(simulator_.read_register(kProgramCounter) & ~1u);
  simulator_.resume();
  state_ = State::running;
}

// False for what locks a core up at once and would end QEMU: no stack, or no instruction where it is to
// begin. Erased flash has neither.
bool CortexM::can_execute() {
  if (lockup_address_) return false;
  const CoreFacts& core = chip_.core();
  const std::uint32_t counter = simulator_.read_register(kProgramCounter) & ~1u;
  if (core.flash.contains(counter, 2)) {  // a loader in RAM may do without a stack
    const std::uint32_t stack = simulator_.read_register(kStackPointer);
    if (stack == core.ram.first || !core.ram.contains(stack - 1)) return false;
  } else if (!core.ram.contains(counter, 2)) {
    return false;
  }
  constexpr std::uint32_t thumb_state = 1u << 24;
  if ((simulator_.read_register(kXpsr) & thumb_state) == 0) return false;
  const auto instruction = chip_.read(counter, 2);
  return instruction && *instruction != 0xFFFF;
}

// The comparators the debugger has set, and every BKPT instruction of a flash loader: QEMU does not stop at
// those.
void CortexM::plant_breakpoints(std::uint32_t program_counter) {
  if (breakpoints_enabled_) {
    for (const std::uint32_t comparator : comparators_) {
      if (const auto address = breakpoint_address(comparator)) planted_.push_back(*address);
    }
  }
  const AddressRange& ram = chip_.core().ram;
  if (ram.contains(program_counter)) {
    constexpr std::uint32_t longest_loader = 1024;
    const std::uint32_t size = std::min(longest_loader, ram.first + ram.size - program_counter) & ~1u;
    const std::vector<std::uint8_t> code = simulator_.read_block(program_counter, size);
    for (std::uint32_t i = 0; i < size; i += 2) {
      constexpr std::uint8_t bkpt = 0xBE;  // the upper byte of the instruction
      if (code[i + 1] == bkpt) planted_.push_back(program_counter + i);
    }
  }
  for (const std::uint32_t address : planted_)
    simulator_.set_breakpoint(address);
}

void CortexM::remove_breakpoints() {
  for (const std::uint32_t address : planted_)
    simulator_.clear_breakpoint(address);
  planted_.clear();
}

void CortexM::write_breakpoint_unit(std::uint32_t offset, std::uint32_t value) {
  if (offset == 0) {
    constexpr std::uint32_t key = 2;  // a write without it is ignored
    if ((value & key) != 0) breakpoints_enabled_ = (value & 1) != 0;
    return;
  }
  const std::uint32_t index = (offset - kFirstComparator) / 4;
  if (offset >= kFirstComparator && index < chip_.core().breakpoints) comparators_[index] = value;
}

void CortexM::select_register(std::uint32_t value) {
  if (state_ != State::halted || run_pending_) return;
  const unsigned selector = value & kSelectorMask;
  if ((value & kSelectorWrite) != 0) {
    write_core_register(selector, register_data_);
  } else {
    register_data_ = read_core_register(selector);
  }
}

std::uint32_t CortexM::read_core_register(unsigned selector) {
  if (selector == kProgramCounter && lockup_address_) return kLockupAddress;
  if (selector <= kXpsr) return simulator_.read_register(selector);
  switch (selector) {
    case kSelectMsp:
      return simulator_.read_register(kStackPointer);
    case kSelectPsp:
      return process_stack_;
    case kSelectSpecial:
      return special_registers_;
    default:
      return 0;
  }
}

void CortexM::write_core_register(unsigned selector, std::uint32_t value) {
  if (selector == kProgramCounter) {
    lockup_address_ = false;
    value &= ~1u;
  }
  if (selector <= kXpsr) return simulator_.write_register(selector, value);
  switch (selector) {
    case kSelectMsp:
      simulator_.write_register(kStackPointer, value & ~3u);
      break;
    case kSelectPsp:
      process_stack_ = value & ~3u;
      break;
    case kSelectSpecial:
      special_registers_ = value;
      break;
    default:
      break;
  }
}

}  // namespace rigd::sim::adapter
