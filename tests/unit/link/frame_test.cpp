#include "link/frame.hpp"

#include <gtest/gtest.h>

#include <random>

#include "bytes.hpp"

namespace rigd::link {
namespace {

using test::Bytes;
using test::bytes;
using test::counting;
using test::operator+;

// "123456789" and its CRC-32 0xCBF43926, the check value of the CRC catalogue, written out by hand.
const Bytes kCheckFrame =
    bytes({0x0E, '1', '2', '3', '4', '5', '6', '7', '8', '9', 0x26, 0x39, 0xF4, 0xCB, 0x00});

Bytes frame_of(const Bytes& payload) {
  FrameBuffer buffer;
  return bytes(encode_frame(payload, buffer));
}

// All payloads in a stream handed over in pieces of `chunk` bytes.
std::vector<Bytes> decode(FrameDecoder& decoder, const Bytes& stream, std::size_t chunk) {
  std::vector<Bytes> payloads;
  for (std::size_t at = 0; at < stream.size(); at += chunk) {
    std::span<const std::byte> input = std::span(stream).subspan(at, std::min(chunk, stream.size() - at));
    while (auto payload = decoder.next(input))
      payloads.push_back(bytes(*payload));
    EXPECT_TRUE(input.empty());
  }
  return payloads;
}

std::vector<Bytes> decode(const Bytes& stream) {
  FrameDecoder decoder;
  return decode(decoder, stream, stream.size());
}

TEST(Frame, CrcGivesTheCheckValue) {
  EXPECT_EQ(crc32(bytes("123456789")), 0xCBF43926u);
}

TEST(Frame, EncodesTheCheckFrame) {
  EXPECT_EQ(frame_of(bytes("123456789")), kCheckFrame);
}

TEST(Frame, DecodesTheCheckFrame) {
  EXPECT_EQ(decode(kCheckFrame), std::vector<Bytes>{bytes("123456789")});
}

TEST(Frame, LongestPayloadFits) {
  Bytes longest(kMaxPayload, std::byte{0xAA});
  const Bytes frame = frame_of(longest);
  EXPECT_LE(frame.size(), kMaxFrame);
  EXPECT_EQ(decode(frame), std::vector<Bytes>{longest});
}

TEST(Frame, DropsEmptyFramesSilently) {
  FrameDecoder decoder;
  EXPECT_EQ(decode(decoder, bytes({0, 0}) + kCheckFrame + bytes({0, 0, 0}), 100).size(), 1u);
  EXPECT_EQ(decoder.good(), 1u);
  EXPECT_EQ(decoder.bad(), 0u);
}

TEST(Frame, ABadFrameCostsOnlyItself) {
  for (std::size_t i = 0; i + 1 < kCheckFrame.size(); ++i) {
    Bytes broken = kCheckFrame;
    broken[i] ^= std::byte{0x40};
    FrameDecoder decoder;
    EXPECT_EQ(decode(decoder, kCheckFrame + broken + kCheckFrame, 7).size(), 2u) << "byte " << i;
    EXPECT_EQ(decoder.good(), 2u);
    EXPECT_EQ(decoder.bad(), 1u);
  }
}

TEST(Frame, ALostByteCostsOneFrame) {
  for (std::size_t i = 0; i + 1 < kCheckFrame.size(); ++i) {
    Bytes shorter = kCheckFrame;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
    FrameDecoder decoder;
    EXPECT_EQ(decode(decoder, shorter + kCheckFrame, 100).size(), 1u) << "byte " << i;
    EXPECT_EQ(decoder.bad(), 1u);
  }
}

TEST(Frame, AnEndlessFrameIsOneBadFrame) {
  const Bytes noise(100'000, std::byte{0x55});
  for (const std::size_t chunk : {1u, 17u, 4096u, 1'000'000u}) {
    FrameDecoder decoder;
    EXPECT_EQ(decode(decoder, noise + bytes({0}) + kCheckFrame, chunk).size(), 1u);
    EXPECT_EQ(decoder.bad(), 1u);
  }
}

TEST(Frame, APayloadOverTheLimitIsBad) {
  // 257 bytes, valid otherwise.
  const Bytes payload(kMaxPayload + 1, std::byte{1});
  const std::uint32_t crc = crc32(payload);
  Bytes body = payload;
  for (int shift = 0; shift < 32; shift += 8)
    body.push_back(static_cast<std::byte>(crc >> shift));
  Bytes frame(cobs_size_limit(body.size()));
  frame.resize(cobs_encode(body, frame));
  FrameDecoder decoder;
  EXPECT_TRUE(decode(decoder, frame + bytes({0}), 1000).empty());
  EXPECT_EQ(decoder.bad(), 1u);
}

TEST(Frame, ResetForgetsHalfAFrame) {
  FrameDecoder decoder;
  decode(decoder, bytes({0x20, 1, 2}), 100);
  decoder.reset();
  EXPECT_EQ(decode(decoder, kCheckFrame, 100).size(), 1u);
  EXPECT_EQ(decoder.bad(), 0u);
}

TEST(Frame, AnyPayloadSurvivesAnyChunking) {
  std::mt19937 random(1);
  std::vector<Bytes> payloads;
  Bytes stream;
  for (std::size_t size = 0; size <= kMaxPayload; ++size) {
    Bytes payload(size);
    // Many zeros: the encoding's own special case.
    for (std::byte& b : payload)
      b = static_cast<std::byte>(random() % 4 == 0 ? 0 : random());
    stream = stream + frame_of(payload);
    payloads.push_back(payload);
  }
  for (const std::size_t chunk : {1u, 2u, 3u, 64u, 263u, 4096u, 1'000'000u}) {
    FrameDecoder decoder;
    EXPECT_EQ(decode(decoder, stream, chunk), payloads) << "chunks of " << chunk;
  }
}

}  // namespace
}  // namespace rigd::link
