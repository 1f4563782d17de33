// Can what one case brought be trusted? Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "capture/windows.hpp"
#include "run/reduce.hpp"
#include "store/rows.hpp"

namespace rigd::run {

// Windows a run must show: warm-ups and repetitions.
std::size_t wanted_windows(const CaseFacts& facts);

// The gravest thing wrong, if any; `windows` include the warm-ups, `cut` is how many the recording's ends cut
// off. In this order: output that changed (wrong_digest), samples lost near a window (samples_lost), windows,
// counts or answers that are missing (windows_missing) or too many samples (out_of_range), and last, with all
// of that in order, clocks that differ (clocks_disagree).
std::optional<Error> judge(const CaseFacts& facts, const CaseRecord& record,
                           const std::vector<capture::WindowCharge>& windows, std::size_t cut,
                           const std::vector<store::Repetition>& repetitions);

std::string gap_text(const capture::Gap& gap);

}  // namespace rigd::run
