// Columns of text side by side, as many as fit.
#pragma once

#include <string>
#include <vector>

namespace rigd::report {

enum class Paint { none, good, warning, bad };

struct Cell {
  std::string text;
  Paint paint = Paint::none;
};

struct Column {
  std::string title;
  std::string note;  // second line of the head: the unit, or where the numbers come from
  bool right = true;
  int rank = 0;  // where the width does not suffice the highest ranks go first; rank 0 always stays
  std::vector<Cell> cells = {};
};

// All columns have as many cells. Names what was left out, if anything.
std::string side_by_side(std::vector<Column> columns, std::size_t width, bool colour);

// `text` in a colour of its own; as it is for Paint::none or without colour.
std::string painted(std::string text, Paint paint, bool colour);

}  // namespace rigd::report
