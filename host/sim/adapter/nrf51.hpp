// The nRF51822 of the micro:bit. Its flash and flash controller (NVMC) are QEMU's own: OpenOCD's loader runs
// on QEMU's CPU. Only factory information that QEMU leaves blank is answered here. Source: nRF51 Series
// Reference Manual v3.0, chapters 5 (memory), 7 (FICR), 8 (UICR).
#pragma once

#include "sim/adapter/chip.hpp"
#include "sim/adapter/faults.hpp"
#include "sim/adapter/simulator.hpp"

namespace rigd::sim::adapter {

class Nrf51 final : public Chip {
 public:
  Nrf51(Simulator& simulator, const Faults& faults) : simulator_(simulator), faults_(faults) {}

  const CoreFacts& core() const override;
  void power_on() override;
  void before_run() override;
  void reset() override {}
  std::optional<std::uint32_t> read(std::uint32_t address, unsigned bytes) override;
  bool write(std::uint32_t address, unsigned bytes, std::uint32_t value) override;

 private:
  std::optional<std::uint32_t> factory_word(std::uint32_t address) const;

  Simulator& simulator_;
  const Faults& faults_;
  std::uint32_t spoilt_value_ = 0xFF;  // what the stuck bit has made of its byte
};

}  // namespace rigd::sim::adapter
