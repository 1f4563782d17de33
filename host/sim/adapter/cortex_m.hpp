// The debug registers of a Cortex-M core and its run control.
// Sources: ARMv6-M Architecture Reference Manual (DDI 0419) part C, ARMv7-M ARM (DDI 0403) part C1.
//
// Limits, all of them of QEMU's gdbstub: the process stack pointer and PRIMASK/CONTROL keep what the debugger
// wrote but do not reach the CPU, there are no floating-point registers, and no watchpoints (DWT reads as
// absent).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/adapter/chip.hpp"
#include "sim/adapter/dap.hpp"
#include "sim/adapter/faults.hpp"
#include "sim/adapter/simulator.hpp"

namespace rigd::sim::adapter {

class CortexM final : public DebugTarget {
 public:
  CortexM(Chip& chip, Simulator& simulator, const Faults& faults)
      : chip_(chip), simulator_(simulator), faults_(faults) {}

  // Leaves reset without a debugger.
  void power_on();
  // A run request is carried out late: a debugger lets the core run just before it resets the chip, when
  // flash is half changed. A real core locks up for those microseconds, but a lockup ends QEMU. So the core
  // starts with the next look at its state or at memory, or here, when the debugger has been quiet for a
  // while or has gone.
  void settle();
  bool run_pending() const { return run_pending_; }

  bool powered() const override { return simulator_.alive(); }
  void reset_pin(bool high) override;
  std::optional<std::uint32_t> read(std::uint32_t address, unsigned bytes) override;
  bool write(std::uint32_t address, unsigned bytes, std::uint32_t value) override;

 private:
  enum class State { halted, running, locked_up };

  void reset();
  void write_halting_control(std::uint32_t value);
  void write_reset_control(std::uint32_t value);
  void write_breakpoint_unit(std::uint32_t offset, std::uint32_t value);
  void select_register(std::uint32_t value);
  std::uint32_t halting_status();
  std::optional<std::uint32_t> read_debug(std::uint32_t word_address);
  bool write_debug(std::uint32_t word_address, std::uint32_t value);
  std::uint32_t read_core_register(unsigned selector);
  void write_core_register(unsigned selector, std::uint32_t value);

  void halt();
  void step();
  void start();
  bool can_execute();
  void plant_breakpoints(std::uint32_t program_counter);
  void remove_breakpoints();
  void enter_debug(std::uint32_t reason);

  Chip& chip_;
  Simulator& simulator_;
  const Faults& faults_;

  State state_ = State::halted;
  bool run_pending_ = false;
  bool reset_pending_notice_ = true;   // S_RESET_ST
  bool lockup_address_ = false;        // the program counter reads as the lockup address
  bool in_reset_ = false;              // by the pin
  std::uint32_t control_ = 0;          // DHCSR, control bits
  std::uint32_t exception_catch_ = 0;  // DEMCR
  std::uint32_t fault_status_ = 0;     // DFSR
  std::uint32_t register_data_ = 0;    // DCRDR
  std::uint32_t process_stack_ = 0;
  std::uint32_t special_registers_ = 0;  // CONTROL, FAULTMASK, BASEPRI, PRIMASK
  bool breakpoints_enabled_ = false;
  std::array<std::uint32_t, 8> comparators_{};
  std::vector<std::uint32_t> planted_;
};

}  // namespace rigd::sim::adapter
