#include "io/capped_text.hpp"

#include <gtest/gtest.h>

namespace rigd::io {
namespace {

TEST(CappedText, KeepsShortTextWhole) {
  CappedText text(4, 4);
  text.append("abc");
  text.append("defgh");
  EXPECT_EQ(text.str(), "abcdefgh");
}

TEST(CappedText, KeepsFirstAndLastPartAndSaysHowMuchIsMissing) {
  CappedText text(4, 4);
  text.append("first");
  for (int i = 0; i < 1000; ++i)
    text.append("middle");
  text.append("-end");
  EXPECT_EQ(text.str(), "firs\n[... 6001 bytes left out ...]\n-end");
  EXPECT_EQ(text.total(), 6009u);
}

TEST(CappedText, DoesNotDependOnHowTheTextIsCut) {
  std::string whole;
  for (int i = 0; i < 500; ++i)
    whole += std::to_string(i);
  CappedText at_once(10, 10);
  at_once.append(whole);
  CappedText by_bytes(10, 10);
  for (const char c : whole)
    by_bytes.append({&c, 1});
  EXPECT_EQ(at_once.str(), by_bytes.str());
}

}  // namespace
}  // namespace rigd::io
