// Columns of text side by side, in as many blocks as the width asks for.
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
  std::vector<Cell> cells = {};
};

// All columns have as many cells. What does not fit beside the first column goes into a block below, again
// beside the first column; blocks are parted by an empty line.
std::string side_by_side(const std::vector<Column>& columns, std::size_t width, bool colour);

// `text` in a colour of its own; as it is for Paint::none or without colour.
std::string painted(std::string text, Paint paint, bool colour);

}  // namespace rigd::report
