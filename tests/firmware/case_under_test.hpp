// One case of the firmware's table, run by hand.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "firmware.hpp"
#include "stub_board.hpp"

namespace rigd::test {

class CaseUnderTest {
 public:
  explicit CaseUnderTest(std::string_view id) : index_(index_of(id)), ops_(*rigd_case_ops_of(index_)) {}
  ~CaseUnderTest() {
    if (ops_.finish != nullptr) ops_.finish();
  }
  CaseUnderTest(const CaseUnderTest&) = delete;
  CaseUnderTest& operator=(const CaseUnderTest&) = delete;

  std::uint32_t index() const { return index_; }
  const rigd_case_ops& ops() const { return ops_; }

  // Prepares for this input; returns what the operation will read.
  Octets prepare(const Octets& pattern) {
    std::ranges::copy(pattern, input_.begin());
    output_.fill(0);
    job_.size = static_cast<std::uint32_t>(pattern.size());
    output_size_ = ops_.prepare(&job_);
    if (output_size_ == 0) throw std::runtime_error("the case cannot be prepared");
    return {input_.begin(), input_.end()};
  }
  int run() { return ops_.run(&job_); }
  Octets output() const { return {output_.begin(), output_.begin() + output_size_}; }
  std::uint8_t& input_byte(std::size_t at) { return input_.at(at); }

  static std::uint32_t index_of(std::string_view id) {
    for (std::uint32_t i = 0; i < rigd_case_count(); ++i)
      if (id == rigd_case_record_of(i)->id) return i;
    throw std::runtime_error("the firmware has no such case");
  }

 private:
  std::uint32_t index_;
  const rigd_case_ops& ops_;
  alignas(8) std::array<std::uint8_t, RIGD_MOST_INPUT + RIGD_MOST_EXTRA> input_{};
  alignas(8) std::array<std::uint8_t, RIGD_MOST_INPUT + RIGD_MOST_EXTRA> output_{};
  rigd_job job_{input_.data(), output_.data(), 0};
  std::uint32_t output_size_ = 0;
};

}  // namespace rigd::test
