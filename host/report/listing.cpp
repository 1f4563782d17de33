#include "report/listing.hpp"

#include <algorithm>
#include <boost/json.hpp>

namespace rigd::report {

namespace {

void add_line(std::string& text, const std::vector<std::string>& cells,
              const std::vector<std::size_t>& widths) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += cells[i];
    if (i + 1 < cells.size()) text.append(widths[i] - cells[i].size() + 2, ' ');
  }
  text += '\n';
}

}  // namespace

std::string as_table(const Listing& listing) {
  std::vector<std::size_t> widths;
  for (const std::string& column : listing.columns)
    widths.push_back(column.size());
  for (const std::vector<std::string>& row : listing.rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  add_line(text, listing.columns, widths);
  for (const std::vector<std::string>& row : listing.rows)
    add_line(text, row, widths);
  return text;
}

std::string as_json(const Listing& listing) {
  boost::json::array rows;
  for (const std::vector<std::string>& row : listing.rows) {
    boost::json::object object;
    for (std::size_t i = 0; i < row.size(); ++i)
      object[listing.columns[i]] = row[i];
    rows.push_back(std::move(object));
  }
  return boost::json::serialize(rows) + '\n';
}

}  // namespace rigd::report
