#include "report/columns.hpp"

#include <algorithm>
#include <string_view>

#include "report/text.hpp"

namespace rigd::report {

namespace {

constexpr std::size_t kSpace = 2;  // between two columns

std::size_t width_of(const Column& column) {
  std::size_t width = std::max(columns_of(column.title), columns_of(column.note));
  for (const Cell& cell : column.cells)
    width = std::max(width, columns_of(cell.text));
  return width;
}

std::size_t width_of(const std::vector<Column>& columns) {
  std::size_t width = 0;
  for (const Column& column : columns)
    width += width_of(column) + kSpace;
  return width;
}

// Takes out columns until the rest fits; returns their titles.
std::string drop_to_fit(std::vector<Column>& columns, std::size_t width) {
  std::string dropped;
  while (width_of(columns) > width + kSpace) {
    const auto least = std::ranges::max_element(columns, {}, &Column::rank);
    if (least->rank == 0) break;
    dropped += (dropped.empty() ? "" : ", ") + least->title;
    columns.erase(least);
  }
  return dropped;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, columns_of(text)), ' ');
  return right ? space + text : text + space;
}

template <class TextOf>
void add_line(std::string& out, const std::vector<Column>& columns, bool colour, TextOf text_of) {
  std::string line;
  for (const Column& column : columns) {
    const Cell cell = text_of(column);
    line += painted(padded(cell.text, width_of(column), column.right), cell.paint, colour);
    line.append(kSpace, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

}  // namespace

std::string side_by_side(std::vector<Column> columns, std::size_t width, bool colour) {
  const std::string dropped = drop_to_fit(columns, width);
  std::string out;
  add_line(out, columns, colour, [](const Column& column) { return Cell{column.title}; });
  add_line(out, columns, colour, [](const Column& column) { return Cell{column.note}; });
  const std::size_t rows = columns.empty() ? 0 : columns.front().cells.size();
  for (std::size_t row = 0; row < rows; ++row)
    add_line(out, columns, colour, [row](const Column& column) { return column.cells[row]; });
  if (!dropped.empty()) out += "(too narrow for: " + dropped + ")\n";
  return out;
}

std::string painted(std::string text, Paint paint, bool colour) {
  if (!colour || paint == Paint::none) return text;
  const std::string_view code = paint == Paint::good ? "32" : paint == Paint::warning ? "33" : "31;1";
  return "\x1b[" + std::string(code) + "m" + text + "\x1b[0m";
}

}  // namespace rigd::report
