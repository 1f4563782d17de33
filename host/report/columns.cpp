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

// The first column and as many of the following, from `next` on, as fit: at least one.
std::vector<Column> next_block(const std::vector<Column>& columns, std::size_t& next, std::size_t width) {
  std::vector<Column> block = {columns.front()};
  std::size_t taken = width_of(columns.front());
  while (next < columns.size() && (block.size() == 1 || taken + kSpace + width_of(columns[next]) <= width)) {
    taken += kSpace + width_of(columns[next]);
    block.push_back(columns[next++]);
  }
  return block;
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

std::string side_by_side(const std::vector<Column>& columns, std::size_t width, bool colour) {
  std::string out;
  for (std::size_t next = 1; next < columns.size();) {
    const std::vector<Column> block = next_block(columns, next, width);
    if (!out.empty()) out += '\n';
    add_line(out, block, colour, [](const Column& column) { return Cell{column.title}; });
    add_line(out, block, colour, [](const Column& column) { return Cell{column.note}; });
    for (std::size_t row = 0; row < columns.front().cells.size(); ++row)
      add_line(out, block, colour, [row](const Column& column) { return column.cells[row]; });
  }
  return out;
}

std::string painted(std::string text, Paint paint, bool colour) {
  if (!colour || paint == Paint::none) return text;
  const std::string_view code = paint == Paint::good ? "32" : paint == Paint::warning ? "33" : "31;1";
  return "\x1b[" + std::string(code) + "m" + text + "\x1b[0m";
}

}  // namespace rigd::report
