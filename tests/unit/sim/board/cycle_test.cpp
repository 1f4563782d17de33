// Known instruction sequences on the real QEMU: exact instruction counts, and cycles as the cores' manuals
// sum up.
//
// The windows are those of m0_sequences.S and m4_sequences.S, in order. A window ends with the store that
// closes it: one instruction more, 2 cycles on the Cortex-M0 and M0+, 1 on the M4.
#include <gtest/gtest.h>
#include <unistd.h>

#include "qemu_run.hpp"

namespace rigd::sim::board {
namespace {

const std::vector<Window> kCortexM0{
    {1, 2},    // store
    {15, 16},  // 14 x 1, store
    {5, 6},    // 4 x MULS 1, store
    {15, 27},  // 11 loads and stores x 2, 3 x 1, store
    {8, 26},   // STM4 5, SUBS 1, LDM3 4, PUSH4 5, PUSH1 2, POP1 2, POP4 5, store
    {22, 41},  // MOVS 1, 10 x SUBS 1, 9 x BNE 3, BNE 1, store
    {12,
     36},     // B 3; BL 4, BX 3; BLX 3, BX 3; BL 4, PUSH2 3, POP with PC 4 + 2; MOV 1, MOV PC 3; NOP 1; store
    {8, 24},  // MRS, MSR, DMB, DSB, ISB 5 x 4, CPSID 1, SEV 1, store
    {10, 13},            // 7 x 1, LDR 2, STR 2, store
    {100'001, 180'000},  // 20 000 x (LDR 2, ADDS 1, STR 2, SUBS 1, BNE 3) less 2 for the last BNE, store
};

const std::vector<Window> kCortexM0Plus{
    {1, 2},
    {15, 16},
    {5, 6},
    {15, 27},
    {8, 26},   // as the M0
    {22, 32},  // MOVS 1, 10 x SUBS 1, 9 x BNE 2, BNE 1, store
    {12,
     28},     // B 2; BL 3, BX 2; BLX 2, BX 2; BL 3, PUSH2 3, POP with PC 3 + 2; MOV 1, MOV PC 2; NOP 1; store
    {8, 19},  // 5 x 3, CPSID 1, SEV 1, store
    {10, 13},            // as the M0
    {100'001, 160'001},  // 20 000 x (LDR 2, ADDS 1, STR 2, SUBS 1, BNE 2) less 1, store
};

const std::vector<Window> kCortexM4{
    {1, 1},    // store
    {15, 15},  // 14 x 1, store
    {4, 5},    // LDR 2, LDR 1, LDR 1, store
    {6, 10},   // LDR 2, LDR 2, ADDS 1, LDR 2, LDR 2, store
    {8, 11},   // STR 1, NOP 1, STR 2, LDR 2, STR 1, LDR 2, STR 1, store
    {10, 45},  // LDRD 3, LDR 2, STRD 3, PUSH8 9, POP8 9, PUSH2 3, POP2 3, STM5 6, LDM5 6, store
    {26, 56},  // MOVS 1, 10 x SUBS 1, 9 x BNE 4, BNE 1, CBZ 4, CBNZ 1, NOP 1, NOP 1, store
    {19, 68},  // B 4; BL 4, BX 4; BLX 4, BX 4; BL 4, PUSH2 3, POP2 3 + 3; BL 4, PUSH3 4, POP3 4 + 3;
               // LDR 2, MOV PC 4; MOVS 1, TBB 5, NOP 1; LDR PC 5, NOP 1; store
    {17, 24},  // CMP 1, IT 0, ADD 1, LDR not done 1, LDR 2, STM4 5, CMP 1, IT 0, BNE 1, BL 4;
               // CMP 1, IT 0, POP not done 1, CMP 1, IT 0, BX 4; store
    {3, 15},   // UDIV 7, SDIV 7, store
    {17, 66},  // VMOV 1, VADD 1, VMUL 1, VMLA 3, VFMA 3, VDIV 14, VSQRT 14, VMOV pair 2, VSTR 2, VLDR 2,
               // VLDR double 3, VPUSH4 5, VPOP4 5, VSTM of 3 doubles 7, VCMP 1, VMRS 1, store
    {9, 15},   // MRS 2, MSR 2, DMB 1, DSB 1, ISB 4, CPSID 2, NOP 1, NOP 1, store
    {10, 11},  // MOVS 1, ADDS 1, LDR 2, LDR 1, ADDS 1, ADDS 1, STR 1, ADDS 1, ADDS 1, store
    {4, 5},    // LDR 2, LDR 1, NOP 1, store
    {120'001,
     199'998},  // 20 000 x (LDR 2, LDR 1, ADDS 1, STR 1, SUBS 1, BNE 4) less 3 for the last BNE, store
};

const QemuRun kM0{.machine = "microbit", .image = "m0_sequences.elf", .core = "cortex-m0", .more = ""};
const QemuRun kM4{.machine = "netduinoplus2", .image = "m4_sequences.elf", .core = "cortex-m4", .more = ""};

TEST(Cycles, CortexM0) {
  EXPECT_EQ(run_windows(kM0), kCortexM0);
}

TEST(Cycles, CortexM0Plus) {
  QemuRun run = kM0;
  run.core = "cortex-m0plus";
  EXPECT_EQ(run_windows(run), kCortexM0Plus);
}

TEST(Cycles, CortexM4) {
  EXPECT_EQ(run_windows(kM4), kCortexM4);
}

TEST(Cycles, SlowMultiplierOfTheCortexM0) {
  QemuRun run = kM0;
  run.more = ",mul=32";
  std::vector<Window> expected = kCortexM0;
  expected[2] = {5, 130};  // 4 x MULS 32, store
  EXPECT_EQ(run_windows(run), expected);
}

TEST(Cycles, WithoutACoreModelCyclesAreInstructions) {
  QemuRun run = kM4;
  run.core = "none";
  std::vector<Window> expected = kCortexM4;
  for (Window& window : expected)
    window.cycles = window.instructions;
  EXPECT_EQ(run_windows(run), expected);
}

TEST(Cycles, AreTheSameWithAndWithoutVirtualTime) {
  for (QemuRun run : {kM0, kM4}) {
    run.icount = true;
    const std::vector<Window> with = run_windows(run);
    run.icount = false;
    EXPECT_EQ(run_windows(run), with) << run.machine;
  }
}

TEST(Cycles, EveryRecordCountsOnFromTheOneBefore) {
  const std::vector<EdgeRecord> edges = run_edges(kM0);
  ASSERT_EQ(edges.size(), 2 * kCortexM0.size() + 1);
  for (std::size_t i = 1; i < edges.size(); ++i) {
    EXPECT_EQ(edges[i].sequence, i);
    EXPECT_GT(edges[i].instructions, edges[i - 1].instructions);
    EXPECT_GT(edges[i].cycles, edges[i - 1].cycles);
  }
}

// Keeps both of the machine's cores busy while it lives.
class BusyProcesses {
 public:
  BusyProcesses() {
    for (pid_t& pid : pids_) {
      pid = ::fork();
      if (pid == 0)
        for (volatile unsigned spin = 0;;)
          spin = spin + 1;
    }
  }
  ~BusyProcesses() {
    for (const pid_t pid : pids_)
      end(pid);
  }
  BusyProcesses(const BusyProcesses&) = delete;

 private:
  static void end(pid_t pid) {
    if (pid > 0) kill_and_reap(pid);
  }
  pid_t pids_[2];
};

TEST(Cycles, FiveRunsAreIdenticalToTheEdgeEvenOnABusyMachine) {
  for (const QemuRun& run : {kM0, kM4}) {
    const std::vector<EdgeRecord> first = run_edges(run);
    ASSERT_FALSE(first.empty());
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(run_edges(run), first) << run.machine;
    const BusyProcesses busy;
    EXPECT_EQ(run_edges(run), first) << run.machine << " beside busy processes";
  }
}

}  // namespace
}  // namespace rigd::sim::board
