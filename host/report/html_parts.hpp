// Pieces of the HTML report: the table of a slot and the article of a case.
#pragma once

#include <string>

#include "report/model.hpp"

namespace rigd::report {

std::string results_table(const SlotReport& slot);
std::string case_article(const CaseRow& row);

}  // namespace rigd::report
