// The STM32F405 of the Netduino Plus 2. QEMU models its flash as memory that nobody can write and has no
// flash controller, so both live here; the simulator gets the contents before its CPU runs. A flash loader in
// RAM would run on QEMU's CPU and change nothing: program without one (OpenOCD: `set WORKAREASIZE 0`).
// Sources: ST RM0090 sections 2.3 (memory map), 38.6 (DBGMCU), 39 (device signature).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/adapter/chip.hpp"
#include "sim/adapter/faults.hpp"
#include "sim/adapter/simulator.hpp"
#include "sim/adapter/stm32f4_flash.hpp"

namespace rigd::sim::adapter {

class Stm32f405 final : public Chip {
 public:
  Stm32f405(Simulator& simulator, const Faults& faults)
      : simulator_(simulator), faults_(faults), in_simulator_(Stm32f4Flash::kSize, 0) {}

  const CoreFacts& core() const override;
  void power_on() override {}  // its flash is erased from the beginning
  void before_run() override;
  void reset() override;
  std::optional<std::uint32_t> read(std::uint32_t address, unsigned bytes) override;
  bool write(std::uint32_t address, unsigned bytes, std::uint32_t value) override;

 private:
  std::optional<std::uint32_t> own_word(std::uint32_t address) const;
  void apply_faults();

  Simulator& simulator_;
  const Faults& faults_;
  Stm32f4Flash flash_;
  std::vector<std::uint8_t> in_simulator_;         // what QEMU's flash holds: zeros at first
  std::array<std::uint32_t, 3> debug_controls_{};  // DBGMCU_CR, APB1_FZ, APB2_FZ: kept, without effect
};

}  // namespace rigd::sim::adapter
