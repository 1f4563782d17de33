// Debug registers and run control on a scripted CPU.
#include "sim/adapter/cortex_m.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "sim/adapter/debug_registers.hpp"

namespace rigd::sim::adapter {
namespace {

constexpr std::uint32_t kRam = 0x20000000;
constexpr std::uint32_t kCode = 0x100;  // where the vector table leads
constexpr std::uint32_t kThumb = 1u << 24;

class FakeCpu final : public Simulator {
 public:
  bool alive() const override { return true; }
  std::uint32_t read(std::uint32_t address, unsigned bytes) override {
    return part_of_word(memory[address & ~3u], address, bytes);
  }
  void write(std::uint32_t address, unsigned, std::uint32_t value) override { memory[address & ~3u] = value; }
  void flush() override {}
  std::vector<std::uint8_t> read_block(std::uint32_t address, std::uint32_t size) override {
    std::vector<std::uint8_t> data(size);
    for (std::uint32_t i = 0; i < size; ++i)
      data[i] = static_cast<std::uint8_t>(read(address + i, 1));
    return data;
  }
  void write_rom(std::uint32_t, std::span<const std::uint8_t>) override {}
  std::uint32_t read_register(unsigned number) override { return registers[number]; }
  void write_register(unsigned number, std::uint32_t value) override { registers[number] = value; }
  void set_breakpoint(std::uint32_t address) override { breakpoints.push_back(address); }
  void clear_breakpoint(std::uint32_t address) override { std::erase(breakpoints, address); }
  void step() override {
    EXPECT_FALSE(running);
    registers[kProgramCounter] += 2;
  }
  void resume() override {
    EXPECT_FALSE(running);
    running = true;
    ++resumes;
  }
  void halt() override { running = false; }
  bool stopped() override { return std::exchange(hits_breakpoint, false) && std::exchange(running, false); }
  void reset() override {
    EXPECT_FALSE(running);
    registers = {};
    registers[kStackPointer] = memory[0];
    registers[kProgramCounter] = memory[4] & ~1u;
    registers[kXpsr] = (memory[4] & 1) != 0 ? kThumb : 0;
    ++resets;
  }

  std::map<std::uint32_t, std::uint32_t> memory;
  std::array<std::uint32_t, 17> registers{};
  std::vector<std::uint32_t> breakpoints;
  bool running = false;
  bool hits_breakpoint = false;
  int resumes = 0;
  int resets = 0;
};

class PlainChip final : public Chip {
 public:
  explicit PlainChip(FakeCpu& cpu) : cpu_(cpu) {}
  const CoreFacts& core() const override {
    static constexpr CoreFacts facts{
        .dap = {}, .cpuid = 0x410CC200, .breakpoints = 4, .flash = {0, 0x10000}, .ram = {kRam, 0x4000}};
    return facts;
  }
  void power_on() override {}
  void before_run() override {}
  void reset() override {}
  std::optional<std::uint32_t> read(std::uint32_t address, unsigned bytes) override {
    return cpu_.read(address, bytes);
  }
  bool write(std::uint32_t address, unsigned bytes, std::uint32_t value) override {
    cpu_.write(address, bytes, value);
    return true;
  }

 private:
  FakeCpu& cpu_;
};

class CortexMTest : public testing::Test {
 protected:
  CortexMTest() {
    cpu.memory = {{0, kRam + 0x4000}, {4, kCode | 1}, {kCode, 0xBF00BF00}};  // NOP, NOP
  }
  void erase_flash() { cpu.memory = {{0, 0xFFFFFFFF}, {4, 0xFFFFFFFF}, {0xFFFFFFFC, 0xFFFFFFFF}}; }
  std::uint32_t status() { return *core.read(kDhcsr, 4); }
  void control(std::uint32_t bits) { core.write(kDhcsr, 4, 0xA05F0000 | bits); }
  void system_reset() { core.write(kAircr, 4, 0x05FA0004); }
  std::uint32_t core_register(unsigned selector) {
    core.write(kDcrsr, 4, selector);
    return *core.read(kDcrdr, 4);
  }
  void set_core_register(unsigned selector, std::uint32_t value) {
    core.write(kDcrdr, 4, value);
    core.write(kDcrsr, 4, selector | kSelectorWrite);
  }

  FakeCpu cpu;
  PlainChip chip{cpu};
  Faults faults;
  CortexM core{chip, cpu, faults};
};

TEST_F(CortexMTest, GoodImageRunsFromPowerOn) {
  core.power_on();
  EXPECT_TRUE(cpu.running);
  EXPECT_EQ(status() & (kHalted | kLockedUp), 0u);
  EXPECT_EQ(*core.read(kCpuid, 4), 0x410CC200u);
}

TEST_F(CortexMTest, ErasedFlashLocksUpWithoutRunningTheSimulator) {
  erase_flash();
  core.power_on();
  EXPECT_EQ(cpu.resumes, 0);
  EXPECT_EQ(status() & kLockedUp, kLockedUp);
  control(kDebugEnable | kHalt);
  EXPECT_EQ(status() & (kLockedUp | kHalted), kHalted);
  EXPECT_EQ(core_register(kProgramCounter), 0xFFFFFFFEu);
  control(kDebugEnable);
  EXPECT_EQ(status() & kLockedUp, kLockedUp) << "let go, it locks up again";
  EXPECT_EQ(cpu.resumes, 0);
}

TEST_F(CortexMTest, ImageWithoutStackLocksUp) {
  cpu.memory[0] = 0;
  core.power_on();
  EXPECT_EQ(cpu.resumes, 0);
  EXPECT_EQ(status() & kLockedUp, kLockedUp);
}

TEST_F(CortexMTest, ImageThatBeginsInArmStateLocksUp) {
  cpu.memory[4] = kCode;  // bit 0 clear
  core.power_on();
  EXPECT_EQ(cpu.resumes, 0);
  EXPECT_EQ(status() & kLockedUp, kLockedUp);
}

TEST_F(CortexMTest, HaltAndResume) {
  core.power_on();
  control(kDebugEnable | kHalt);
  EXPECT_FALSE(cpu.running);
  EXPECT_EQ(status() & kHalted, kHalted);
  EXPECT_EQ(*core.read(kDfsr, 4), kReasonHalted);
  core.write(kDfsr, 4, kReasonHalted);
  EXPECT_EQ(*core.read(kDfsr, 4), 0u);
  control(kDebugEnable);
  EXPECT_EQ(status() & kHalted, 0u);
  EXPECT_TRUE(cpu.running);
}

TEST_F(CortexMTest, HaltingControlNeedsItsKey) {
  core.power_on();
  core.write(kDhcsr, 4, kDebugEnable | kHalt);
  EXPECT_TRUE(cpu.running);
}

TEST_F(CortexMTest, RunRequestIsCarriedOutLate) {
  core.power_on();
  control(kDebugEnable | kHalt);
  control(kDebugEnable);
  EXPECT_FALSE(cpu.running);
  EXPECT_TRUE(core.run_pending());
  core.settle();
  EXPECT_TRUE(cpu.running);
}

// A flash loader is watched through memory alone.
TEST_F(CortexMTest, LookAtMemoryCarriesOutARunRequest) {
  core.power_on();
  control(kDebugEnable | kHalt);
  control(kDebugEnable);
  core.read(kRam, 4);
  EXPECT_TRUE(cpu.running);
}

TEST_F(CortexMTest, ResetSwallowsARunRequest) {
  core.power_on();
  control(kDebugEnable | kHalt);
  erase_flash();
  control(kDebugEnable);
  core.write(kDemcr, 4, kCatchCoreReset);
  system_reset();
  EXPECT_EQ(cpu.resumes, 1) << "only the one of power-on";
}

TEST_F(CortexMTest, VectorCatchStopsAtTheResetVector) {
  core.power_on();
  control(kDebugEnable);
  core.write(kDemcr, 4, kCatchCoreReset);
  system_reset();
  const std::uint32_t seen = status();
  EXPECT_EQ(seen & (kHalted | kWasReset), kHalted | kWasReset);
  EXPECT_EQ(status() & kWasReset, 0u) << "reading clears it";
  EXPECT_EQ(*core.read(kDfsr, 4), kReasonVectorCatch);
  EXPECT_EQ(core_register(kProgramCounter), kCode);
  EXPECT_EQ(core_register(kSelectMsp), kRam + 0x4000);
}

TEST_F(CortexMTest, ResetWithoutCatchRuns) {
  core.power_on();
  control(kDebugEnable | kHalt);
  system_reset();
  EXPECT_TRUE(cpu.running);
  EXPECT_EQ(status() & (kHalted | kWasReset), kWasReset);
}

TEST_F(CortexMTest, ResetNeedsItsKey) {
  core.power_on();
  core.write(kAircr, 4, 4);
  EXPECT_EQ(cpu.resets, 1);
}

TEST_F(CortexMTest, ResetPinResetsOnRelease) {
  core.power_on();
  core.reset_pin(false);
  core.reset_pin(true);
  EXPECT_EQ(cpu.resets, 2);
  EXPECT_TRUE(cpu.running);
}

TEST_F(CortexMTest, RegistersAreReadAndWrittenWhileHalted) {
  core.power_on();
  control(kDebugEnable | kHalt);
  set_core_register(3, 0x1234);
  set_core_register(kProgramCounter, kCode + 3);
  EXPECT_EQ(core_register(3), 0x1234u);
  EXPECT_EQ(core_register(kProgramCounter), kCode + 2) << "bit 0 is not kept";
  set_core_register(kSelectSpecial, 1);
  EXPECT_EQ(core_register(kSelectSpecial), 1u);
  EXPECT_EQ(core_register(kSelectPsp), 0u);
}

TEST_F(CortexMTest, StepMovesOneInstruction) {
  core.power_on();
  control(kDebugEnable | kHalt);
  control(kDebugEnable | kStep);
  EXPECT_EQ(status() & kHalted, kHalted);
  EXPECT_EQ(core_register(kProgramCounter), kCode + 2);
}

TEST_F(CortexMTest, BreakpointUnitKeepsItsEnableBitAndPlantsComparators) {
  core.power_on();
  control(kDebugEnable | kHalt);
  core.write(kBreakpointUnit.first, 4, 3);
  EXPECT_EQ(*core.read(kBreakpointUnit.first, 4), 0x41u);
  core.write(kBreakpointUnit.first + 8, 4, 0x80000000 | kCode | 1);  // upper halfword
  control(kDebugEnable);
  core.settle();
  EXPECT_THAT(cpu.breakpoints, testing::ElementsAre(kCode + 2));
  cpu.hits_breakpoint = true;
  EXPECT_EQ(status() & kHalted, kHalted);
  EXPECT_EQ(*core.read(kDfsr, 4) & kReasonBreakpoint, kReasonBreakpoint);
  EXPECT_TRUE(cpu.breakpoints.empty());
}

TEST_F(CortexMTest, LoaderInRamNeedsNoStackAndStopsAtItsBkpt) {
  erase_flash();
  core.power_on();
  control(kDebugEnable | kHalt);
  cpu.memory[kRam] = 0xBE00BF00;  // NOP, BKPT 0
  set_core_register(kProgramCounter, kRam);
  set_core_register(kXpsr, kThumb);
  control(kDebugEnable);
  core.settle();
  EXPECT_TRUE(cpu.running);
  EXPECT_THAT(cpu.breakpoints, testing::ElementsAre(kRam + 2));
}

TEST_F(CortexMTest, CoreThatWillNotHalt) {
  faults.nohalt = true;
  core.power_on();
  control(kDebugEnable | kHalt);
  EXPECT_TRUE(cpu.running);
  EXPECT_EQ(status() & kHalted, 0u);
}

}  // namespace
}  // namespace rigd::sim::adapter
