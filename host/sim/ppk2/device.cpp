#include "sim/ppk2/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/log.hpp"

namespace rigd::sim::ppk2 {

namespace {

constexpr std::size_t kMostOutput = 1 << 20;  // then sampling waits for the reader; it is late, never short
constexpr auto kLateness = std::chrono::milliseconds(400);
constexpr unsigned kMaxCode = (1 << 14) - 1;

enum Opcode : std::uint8_t {
  kStart = 0x06,
  kStop = 0x07,
  kPower = 0x0C,
  kVoltage = 0x0D,
  kMode = 0x11,
  kMetadata = 0x19,
  kReset = 0x20,
  kUserGain = 0x25,
};

std::size_t arguments_of(std::uint8_t opcode) {
  switch (opcode) {
    case kPower:
      return 1;
    case kVoltage:
      return 2;
    case kMode:
      return 1;
    case kUserGain:
      return 5;
    default:
      return 0;
  }
}

unsigned byte_at(std::span<const std::byte> bytes, std::size_t i) {
  return std::to_integer<unsigned>(bytes[i]);
}

}  // namespace

// A device whose clock is off takes more or fewer samples in a second of the board's time, too.
Device::Device(const Settings& settings, const Faults& faults)
    : settings_(settings),
      faults_(faults),
      timeline_(kSampleRateHz * (1 + faults.rate_ppm * 1e-6) / settings.clock_hz, settings.seed),
      random_(settings.seed ^ 0x9E3779B97F4A7C15U) {}

void Device::connect() {
  gone_ = false;
  power_off_at_.reset();
  pending_command_.clear();
  output_.clear();
  sent_ = 0;
  constexpr std::string_view trap = "END";  // in the middle of the rubbish
  for (std::size_t i = 0; i < faults_.stale_prefix; ++i) {
    const std::size_t in_trap = i - faults_.stale_prefix / 2;
    send(in_trap < trap.size() ? static_cast<std::byte>(trap[in_trap])
                               : static_cast<std::byte>(random_() & 0xFF));
  }
}

void Device::hang_up(Time now) {
  sampling_ = false;
  timeline_.stop();
  late_metadata_at_.reset();
  output_.clear();
  sent_ = 0;
  power_off_at_ = now + std::chrono::microseconds(std::llround(settings_.power_off_ms * 1000));
}

void Device::command(std::span<const std::byte> bytes, Time now) {
  pending_command_.insert(pending_command_.end(), bytes.begin(), bytes.end());
  std::span<const std::byte> rest(pending_command_);
  while (!rest.empty() && !gone_) {
    const auto opcode = std::to_integer<std::uint8_t>(rest[0]);
    const std::size_t arguments = arguments_of(opcode);
    if (rest.size() < 1 + arguments) break;
    execute(opcode, rest.subspan(1, arguments), now);
    rest = rest.subspan(1 + arguments);
  }
  pending_command_.assign(rest.begin(), rest.end());
}

void Device::execute(std::uint8_t opcode, std::span<const std::byte> arguments, Time now) {
  switch (opcode) {
    case kStart:
      return start(now);
    case kStop:
      sampling_ = false;
      timeline_.stop();
      return;
    case kPower:
      powered_ = byte_at(arguments, 0) != 0;
      return;
    case kVoltage:
      settings_.state.vdd_mv = std::clamp(byte_at(arguments, 0) << 8 | byte_at(arguments, 1), 800U, 5000U);
      return;
    case kMode:
      if (const unsigned mode = byte_at(arguments, 0); mode == 1 || mode == 2)
        settings_.state.mode = mode;
      else
        log::warning("ppk2: mode {} does not exist", mode);
      return;
    case kMetadata:
      return answer_metadata(now);
    case kReset:
      powered_ = sampling_ = false;
      timeline_.stop();
      gone_ = true;
      return;
    case kUserGain:
      return set_user_gain(arguments);
    default:
      log::warning("ppk2: opcode 0x{:02x} is unknown and ignored", opcode);
  }
}

void Device::start(Time now) {
  sampling_ = true;
  started_ = now;
  next_ = 0;
  range_ = 0;
  first_counter_ = static_cast<unsigned>(random_() & 63);
  timeline_.start();
  std::erase_if(faults_.incidents, [](const Incident& incident) { return incident.placed; });
}

void Device::answer_metadata(Time now) {
  const bool implausible = faults_.metadata == MetadataFault::implausible;
  std::string text = metadata_text(implausible ? kUnitB : settings_.unit, settings_.state, settings_.format);
  const std::size_t half = text.size() / 2;
  switch (faults_.metadata) {
    case MetadataFault::none:
    case MetadataFault::implausible:
      break;
    case MetadataFault::truncated:
      text.resize(half);
      break;
    case MetadataFault::nan: {
      const auto first = text.find("R1: ") + 4;
      text.replace(first, text.find('\n', first) - first, "nan");
      break;
    }
    case MetadataFault::late:
      late_metadata_ = text.substr(half);
      late_metadata_at_ = now + kLateness;
      text.resize(half);
      break;
  }
  send(text);
}

void Device::set_user_gain(std::span<const std::byte> arguments) {
  const unsigned range = byte_at(arguments, 0);
  float gain;
  std::memcpy(&gain, arguments.data() + 1, sizeof gain);
  if (range < kRanges)
    settings_.unit.ug[range] = gain;
  else
    log::warning("ppk2: user gain of range {}, which does not exist", range);
}

std::optional<Truth> Device::edge(const Edge& edge) {
  const auto window = timeline_.edge(edge, next_);
  if (!window) return std::nullopt;
  place_incidents(*window);
  const double duration_s =
      static_cast<double>(window->last_cycles - window->first_cycles) / settings_.clock_hz;
  return Truth{.window = window->number,
               .first_cycles = window->first_cycles,
               .last_cycles = window->last_cycles,
               .duration_s = duration_s,
               .charge_c = load_a(true) * duration_s};
}

// What was to happen in the middle of this window now has a sample index. None of its samples was taken yet.
void Device::place_incidents(const Window& window) {
  for (Incident& incident : faults_.incidents) {
    if (!incident.in_window || incident.at != window.number) continue;
    incident.in_window = false;
    incident.placed = true;
    incident.at = std::max<std::uint64_t>(next_, std::llround((window.rise + window.fall) / 2));
  }
}

void Device::advance(Time now) {
  if (late_metadata_at_ && now >= *late_metadata_at_) {
    late_metadata_at_.reset();
    send(late_metadata_);
  }
  if (power_off_at_ && now >= *power_off_at_) {
    power_off_at_.reset();
    powered_ = false;
  }
  if (!sampling_) return;
  const double elapsed_s = std::chrono::duration<double>(now - started_).count();
  const double due = elapsed_s * kSampleRateHz * (1 + faults_.rate_ppm * 1e-6);
  const double limit = std::min(due, timeline_.known_until());
  while (static_cast<double>(next_) < limit && output_.size() - sent_ < kMostOutput && !gone_)
    take_sample();
}

void Device::take_sample() {
  const std::uint64_t index = next_++;
  Sample sample = measure(timeline_.levels_at(static_cast<double>(index)));
  sample.counter = faults_.counter_stuck >= 0 ? static_cast<unsigned>(faults_.counter_stuck)
                                              : first_counter_ + static_cast<unsigned>(index);
  if (incident_at(Incident::Kind::range_invalid, index) != nullptr) sample.range = 5 + index % 3;
  if (incident_at(Incident::Kind::drop_samples, index) != nullptr) return;

  const Incident* cut = incident_at(Incident::Kind::drop_bytes, index);
  const bool last = incident_at(Incident::Kind::disconnect, index) != nullptr;
  const std::uint32_t word = word_of(sample);
  const unsigned bytes = last ? 2 : 4;
  for (unsigned i = 0; i < bytes; ++i) {
    if (cut != nullptr && i == 3 && cut->at == index) to_swallow_ += cut->amount;
    send(static_cast<std::byte>(word >> (8 * i) & 0xFF));
  }
  if (!last) return;
  gone_ = unplugged_ = true;
  sampling_ = false;
}

// The instrument's view of the load at this instant; the logic inputs are sampled in the same word.
Sample Device::measure(std::uint8_t levels) {
  const double current_a =
      load_a((levels & Timeline::kMarkerBit) != 0) + settings_.noise_ua * 1e-6 * noise_(random_);
  range_ = choose_range(range_, current_a);
  const double exact = exact_code(settings_.unit, range_, current_a, settings_.state.vdd_mv / 1000.0);
  const double dithered = exact + (settings_.dither ? dither_(random_) : 0);
  const double code = std::clamp(std::round(dithered), 0.0, static_cast<double>(kMaxCode));
  return {.code = static_cast<unsigned>(code), .range = range_, .counter = 0, .logic = levels};
}

double Device::load_a(bool marker) const {
  if (!powered_) return 0;
  return (marker ? settings_.run_ua : settings_.sleep_ua) * 1e-6;
}

const Incident* Device::incident_at(Incident::Kind kind, std::uint64_t index) const {
  for (const Incident& incident : faults_.incidents) {
    const bool lasting = kind == Incident::Kind::drop_samples || kind == Incident::Kind::range_invalid;
    const std::uint64_t last = incident.at + (lasting ? incident.amount : 1);
    if (incident.kind == kind && !incident.in_window && index >= incident.at && index < last)
      return &incident;
  }
  return nullptr;
}

void Device::send(std::string_view text) {
  for (const char character : text)
    output_.push_back(static_cast<std::byte>(character));
}

void Device::send(std::byte byte) {
  if (to_swallow_ > 0)
    --to_swallow_;
  else
    output_.push_back(byte);
}

std::span<const std::byte> Device::output() const {
  const auto waiting = std::span(output_).subspan(sent_);
  if (faults_.chunks.empty()) return waiting;
  return waiting.first(std::min(waiting.size(), faults_.chunks[write_ % faults_.chunks.size()]));
}

void Device::written(std::size_t bytes) {
  sent_ += bytes;
  ++write_;
  if (sent_ < output_.size() && sent_ < kMostOutput) return;
  output_.erase(output_.begin(), output_.begin() + static_cast<std::ptrdiff_t>(sent_));
  sent_ = 0;
}

}  // namespace rigd::sim::ppk2
