// A plain list (cases, findings of the doctor) as an aligned table or as JSON.
#pragma once

#include <string>
#include <vector>

namespace rigd::report {

struct Listing {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // each as long as `columns`
};

std::string as_table(const Listing& listing);
std::string as_json(const Listing& listing);  // an array of objects, columns as keys

}  // namespace rigd::report
