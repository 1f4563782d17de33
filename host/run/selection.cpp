#include "run/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace rigd::run {

namespace {

constexpr std::string_view kSection = ".rigd_cases";
constexpr std::size_t kIdBytes = 64;
constexpr std::size_t kLibraryBytes = 32;
constexpr std::size_t kRecordBytes = kIdBytes + kLibraryBytes + 3 * sizeof(std::uint32_t);

// A NUL-padded text of a fixed field.
std::string text_of(std::span<const std::byte> field) {
  const auto* begin = reinterpret_cast<const char*>(field.data());
  return std::string(begin, strnlen(begin, field.size()));
}

std::uint32_t u32_of(std::span<const std::byte> at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at.data(), sizeof value);  // little endian, as every board here
  return value;
}

std::filesystem::path image_path(const bench::SlotSetup& slot, const std::filesystem::path& images) {
  return images / (slot.image.empty() ? slot.board.image : slot.image);  // an absolute path stays as it is
}

Result<void> check_case(const PlannedCase& planned, const std::vector<link::CaseInfo>& held,
                        const SlotJob& job) {
  const auto info = std::ranges::find(held, planned.id, &link::CaseInfo::id);
  if (info == held.end())
    return fail(ErrorCode::unknown_case, fmt::format("{}: no case '{}' in {} (slot {})", planned.place,
                                                     planned.id, job.image.path().string(), job.setup.name));
  if (!info->takes(planned.size_bytes))
    return fail(ErrorCode::case_does_not_fit,
                fmt::format("{}: '{}' takes {} to {} bytes in steps of {} on slot {}, not {}", planned.place,
                            planned.id, info->min_size, info->max_size, info->size_step, job.setup.name,
                            planned.size_bytes));
  return {};
}

Result<SlotJob> make_job(const Plan& plan, const bench::SlotSetup& slot,
                         const std::filesystem::path& images) {
  RIGD_TRY(flash::Image image, flash::Image::load(image_path(slot, images)));
  RIGD_TRY(const std::vector<link::CaseInfo> held, cases_of(image));
  SlotJob job{slot, std::move(image), execution_order(plan)};
  for (const PlannedCase& planned : job.cases)
    RIGD_CHECK(check_case(planned, held, job));
  return job;
}

}  // namespace

Result<std::vector<link::CaseInfo>> cases_of(const flash::Image& image) {
  const std::span<const std::byte> section = image.section(kSection);
  const std::string name = image.path().string();
  if (section.empty())
    return fail(ErrorCode::bad_image,
                fmt::format("{}: no {} section: not a rigd firmware image", name, kSection));
  if (section.size() % kRecordBytes != 0)
    return fail(ErrorCode::bad_image, fmt::format("{}: {} has {} bytes, not a multiple of {}", name, kSection,
                                                  section.size(), kRecordBytes));
  std::vector<link::CaseInfo> cases;
  for (std::size_t at = 0; at < section.size(); at += kRecordBytes) {
    const std::span<const std::byte> record = section.subspan(at, kRecordBytes);
    const std::span<const std::byte> sizes = record.subspan(kIdBytes + kLibraryBytes);
    link::CaseInfo info;
    info.index = static_cast<std::uint32_t>(cases.size());
    info.id = text_of(record.first(kIdBytes));
    info.library = text_of(record.subspan(kIdBytes, kLibraryBytes));
    info.min_size = u32_of(sizes);
    info.max_size = u32_of(sizes.subspan(4));
    info.size_step = u32_of(sizes.subspan(8));
    if (info.id.empty() || info.size_step == 0 || info.min_size > info.max_size)
      return fail(ErrorCode::bad_image,
                  fmt::format("{}: record {} of {} makes no sense", name, info.index, kSection));
    cases.push_back(std::move(info));
  }
  return cases;
}

Result<std::vector<SlotJob>> select(const Plan& plan, const bench::Bench& bench,
                                    std::vector<std::string> slots, const std::filesystem::path& images) {
  if (slots.empty()) slots = plan.slots;
  if (slots.empty())
    for (const bench::SlotSetup& slot : bench.slots)
      slots.push_back(slot.name);
  std::vector<SlotJob> jobs;
  for (const std::string& name : slots) {
    const bench::SlotSetup* slot = bench.find(name);
    if (!slot)
      return fail(ErrorCode::unknown_slot,
                  fmt::format("{}: no slot '{}' in this bench", bench.path.string(), name));
    const auto same = [&](const SlotJob& job) { return job.setup.name == name; };
    if (std::ranges::any_of(jobs, same)) continue;
    RIGD_TRY(SlotJob job, make_job(plan, *slot, images));
    jobs.push_back(std::move(job));
  }
  if (jobs.empty()) return fail(ErrorCode::nothing_selected, "no slot selected");
  return jobs;
}

}  // namespace rigd::run
