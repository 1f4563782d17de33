#include "base/sha256.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace rigd {
namespace {

// FIPS 180-4, one-block example "abc".
TEST(Sha256, PublishedExample) {
  constexpr std::string_view text = "abc";
  EXPECT_EQ(sha256_hex(std::as_bytes(std::span(text))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace rigd
