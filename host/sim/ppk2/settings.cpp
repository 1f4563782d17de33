#include "sim/ppk2/settings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

namespace rigd::sim::ppk2 {

namespace {

constexpr std::uint64_t kBlockSamples = 512;  // what firmware 1.2 drops at a time

std::unexpected<Error> refuse(std::string_view key, std::string_view value) {
  return fail(ErrorCode::bad_argument, fmt::format("'{}' is no value for {}", value, key));
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<double> at_least(std::string_view key, std::string_view text, double least) {
  const auto value = number<double>(text);
  if (!value || !(*value >= least && *value <= 1e12)) return refuse(key, text);
  return *value;
}

std::pair<std::string_view, std::string_view> split(std::string_view text, char separator) {
  const auto at = text.find(separator);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

struct IncidentName {
  std::string_view key;
  Incident::Kind kind;
  bool in_window;
  std::uint64_t fixed_amount;  // 0: given as AMOUNT@POSITION
};
constexpr IncidentName kIncidents[] = {
    {"drop_samples", Incident::Kind::drop_samples, false, 0},
    {"drop_block", Incident::Kind::drop_samples, false, kBlockSamples},
    {"drop_bytes", Incident::Kind::drop_bytes, false, 0},
    {"disconnect_at", Incident::Kind::disconnect, false, 1},
    {"range_invalid", Incident::Kind::range_invalid, false, 0},
    {"drop_in_window", Incident::Kind::drop_samples, true, 0},
    {"drop_block_in_window", Incident::Kind::drop_samples, true, kBlockSamples},
    {"drop_bytes_in_window", Incident::Kind::drop_bytes, true, 0},
    {"disconnect_in_window", Incident::Kind::disconnect, true, 1},
};

Result<Incident> incident(const IncidentName& name, std::string_view value) {
  Incident made;
  made.kind = name.kind;
  made.amount = name.fixed_amount;
  made.in_window = name.in_window;
  std::string_view position = value;
  if (name.fixed_amount == 0) {
    const auto [amount, at] = split(value, '@');
    const auto count = number<std::uint64_t>(amount);
    if (!count || *count == 0) return refuse(name.key, value);
    made.amount = *count;
    position = at;
  }
  const auto at = number<std::uint64_t>(position);
  if (!at) return refuse(name.key, value);
  made.at = *at;
  return made;
}

Result<std::vector<std::size_t>> chunk_sizes(std::string_view value) {
  std::vector<std::size_t> sizes;
  for (std::string_view rest = value; !rest.empty();) {
    const auto [size, more] = split(rest, ',');
    const auto bytes = number<std::size_t>(size);
    if (!bytes || *bytes == 0) return refuse("chunk", value);
    sizes.push_back(*bytes);
    rest = more;
  }
  if (sizes.empty()) return refuse("chunk", value);
  return sizes;
}

}  // namespace

Result<void> Settings::set(std::string_view assignment) {
  const auto [key, value] = split(assignment, '=');
  if (key == "unit") {
    RIGD_TRY(unit, unit_named(value));
  } else if (key == "format") {
    RIGD_TRY(format, format_named(value));
  } else if (key == "dither") {
    if (value != "0" && value != "1") return refuse(key, value);
    dither = value == "1";
  } else if (key == "clock_hz") {
    RIGD_TRY(clock_hz, at_least(key, value, 1));
  } else if (key == "sleep_ua") {
    RIGD_TRY(sleep_ua, at_least(key, value, 0));
  } else if (key == "run_ua") {
    RIGD_TRY(run_ua, at_least(key, value, 0));
  } else if (key == "noise_ua") {
    RIGD_TRY(noise_ua, at_least(key, value, 0));
  } else if (key == "power_off_ms") {
    RIGD_TRY(power_off_ms, at_least(key, value, 0));
  } else if (key == "voltage_mv") {
    RIGD_TRY(const double millivolt, at_least(key, value, 800));
    if (millivolt > 5000) return refuse(key, value);
    state.vdd_mv = static_cast<unsigned>(millivolt);
  } else {
    return fail(ErrorCode::bad_argument, fmt::format("unknown setting '{}'", key));
  }
  return {};
}

Result<void> Faults::set(std::string_view assignment) {
  const auto [key, value] = split(assignment, '=');
  for (const IncidentName& name : kIncidents) {
    if (key != name.key) continue;
    RIGD_TRY(const Incident made, incident(name, value));
    incidents.push_back(made);
    return {};
  }
  if (key == "chunk") {
    RIGD_TRY(chunks, chunk_sizes(value));
  } else if (key == "stale_prefix") {
    const auto bytes = number<std::size_t>(value);
    if (!bytes || *bytes > 1'000'000) return refuse(key, value);
    stale_prefix = *bytes;
  } else if (key == "rate_ppm") {
    RIGD_TRY(rate_ppm, at_least(key, value, -500'000));
  } else if (key == "counter_stuck") {
    const auto stuck = number<int>(value);
    if (!stuck || *stuck < 0 || *stuck > 63) return refuse(key, value);
    counter_stuck = *stuck;
  } else if (key == "metadata") {
    constexpr std::pair<std::string_view, MetadataFault> names[] = {
        {"implausible", MetadataFault::implausible},
        {"truncated", MetadataFault::truncated},
        {"nan", MetadataFault::nan},
        {"late", MetadataFault::late}};
    for (const auto& [name, fault] : names)
      if (value == name) return metadata = fault, Result<void>{};
    return refuse(key, value);
  } else {
    return fail(ErrorCode::bad_argument, fmt::format("unknown fault '{}'", key));
  }
  return {};
}

}  // namespace rigd::sim::ppk2
