// Texts compared with files of tests/data/report. Where one differs, what came out is kept beside the test's
// other temporary files; look at it and, if it is right, copy it over.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace rigd::report::testing {

inline std::string file_text(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

inline void expect_golden(const std::string& name, const std::string& text) {
  const std::string expected = file_text(std::filesystem::path(RIGD_TEST_DATA) / "report" / name);
  if (text == expected) return;
  const auto place = std::filesystem::path(::testing::TempDir()) / "rigd-report";
  std::filesystem::create_directories(place);
  std::ofstream(place / name, std::ios::binary) << text;
  const auto at = std::ranges::mismatch(text, expected).in1 - text.begin();
  ADD_FAILURE() << name << " differs from byte " << at << " on: ..."
                << text.substr(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at - 60)), 120)
                << "...\nwhat came out: " << place / name;
}

}  // namespace rigd::report::testing
