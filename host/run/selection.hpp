// What a run will do, checked against bench and images before anything is started or created.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "flash/image.hpp"
#include "link/messages.hpp"
#include "run/plan.hpp"

namespace rigd::run {

struct SlotJob {
  bench::SlotSetup setup;
  flash::Image image;
  std::vector<PlannedCase> cases;  // in the order of execution
};

// The cases an image holds, from its `.rigd_cases` section (layout: firmware/core/case.h). Errors: bad_image.
Result<std::vector<link::CaseInfo>> cases_of(const flash::Image& image);

// `slots`: those named on the command line; empty: those of the plan, or all of the bench.
// Errors, each naming file and place: unknown_slot, unknown_case, case_does_not_fit, bad_image,
// nothing_selected.
Result<std::vector<SlotJob>> select(const Plan& plan, const bench::Bench& bench,
                                    std::vector<std::string> slots, const std::filesystem::path& images);

}  // namespace rigd::run
