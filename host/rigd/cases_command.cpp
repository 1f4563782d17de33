#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "flash/image.hpp"
#include "report/listing.hpp"
#include "rigd/commands.hpp"
#include "run/selection.hpp"

namespace rigd {

namespace fs = std::filesystem;

namespace {

std::string sizes_text(const link::CaseInfo& info) {
  if (info.min_size == info.max_size) return fmt::format("{}", info.min_size);
  const std::string step = info.size_step > 1 ? fmt::format(" in steps of {}", info.size_step) : "";
  return fmt::format("{} to {}{}", info.min_size, info.max_size, step);
}

Result<std::vector<fs::path>> images_in(const fs::path& folder) {
  std::error_code problem;
  std::vector<fs::path> images;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem))
    if (entry.path().extension() == ".elf") images.push_back(entry.path());
  if (problem)
    return fail(ErrorCode::bad_argument, fmt::format("{}: {}", folder.string(), problem.message()));
  if (images.empty())
    return fail(ErrorCode::nothing_selected, fmt::format("{}: no .elf image here", folder.string()));
  std::ranges::sort(images);
  return images;
}

Result<report::Listing> list(const fs::path& folder) {
  report::Listing listing{{"image", "case", "library", "sizes (bytes)"}, {}};
  RIGD_TRY(const std::vector<fs::path> images, images_in(folder));
  for (const fs::path& path : images) {
    RIGD_TRY(const flash::Image image, flash::Image::load(path));
    RIGD_TRY(const std::vector<link::CaseInfo> cases, run::cases_of(image));
    for (const link::CaseInfo& info : cases)
      listing.rows.push_back({path.filename().string(), info.id, info.library, sizes_text(info)});
  }
  return listing;
}

}  // namespace

int cases_command(const CasesArguments& arguments) {
  const Result<report::Listing> listing = list(images_folder(arguments.images));
  if (!listing) return report_error(listing.error());
  std::cout << (arguments.json ? report::as_json(*listing) : report::as_table(*listing));
  return 0;
}

}  // namespace rigd
