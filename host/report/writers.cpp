#include "report/writers.hpp"

namespace rigd::report {

std::optional<Kind> kind_of_ending(std::string_view ending) {
  if (ending == ".csv") return Kind::csv;
  if (ending == ".json") return Kind::json;
  if (ending == ".xml") return Kind::junit;
  if (ending == ".html") return Kind::html;
  return std::nullopt;
}

std::string write(Kind kind, const RunReport& report) {
  switch (kind) {
    case Kind::csv:
      return csv(report);
    case Kind::json:
      return json(report);
    case Kind::junit:
      return junit(report);
    case Kind::html:
      return html(report);
  }
  return {};
}

}  // namespace rigd::report
