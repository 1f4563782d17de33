#include <fmt/format.h>

#include <cstdio>

#include "rigd/commands.hpp"
#include "rigd/remedy.hpp"

namespace rigd {

int report_error(const Error& error) {
  std::string text = error.text();
  for (char& c : text)
    if (c == '\n') c = ' ';
  const std::string_view advice = remedy(error.code());
  fmt::print(stderr, "rigd: [{}] {}{}{}\n", to_string(error.fault()), text, advice.empty() ? "" : " -> ",
             advice);
  return static_cast<int>(error.fault());
}

std::filesystem::path programs_folder() {
  std::error_code problem;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", problem);
  return problem ? std::filesystem::current_path() : self.parent_path();
}

std::filesystem::path images_folder(const std::filesystem::path& given) {
  return given.empty() ? programs_folder().parent_path() / "images" : given;
}

}  // namespace rigd
