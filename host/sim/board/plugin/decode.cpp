#include "sim/board/plugin/decode.hpp"

namespace rigd::sim::board {

Instruction decode(std::uint16_t first, std::uint16_t second) {
  return is_wide(first) ? decode_wide(first, second) : decode_narrow(first);
}

bool is_load(Kind kind) {
  switch (kind) {
    case Kind::load:
    case Kind::load_pair:
    case Kind::load_exclusive:
    case Kind::load_multiple:
    case Kind::table_branch:
    case Kind::float_load:
    case Kind::float_load_multiple:
      return true;
    default:
      return false;
  }
}

bool is_store(Kind kind) {
  switch (kind) {
    case Kind::store:
    case Kind::store_pair:
    case Kind::store_exclusive:
    case Kind::store_multiple:
    case Kind::float_store:
    case Kind::float_store_multiple:
      return true;
    default:
      return false;
  }
}

}  // namespace rigd::sim::board
