// The one-shot commands of rigd. Each returns the process's exit status.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace rigd {

struct RunArguments {
  std::filesystem::path plan;
  std::filesystem::path bench;
  std::filesystem::path database = "rigd.db";
  std::filesystem::path images;                // empty: beside rigd's own programs
  std::vector<std::string> slots;              // empty: as the plan says
  std::vector<std::filesystem::path> reports;  // kind by ending: .csv .json .xml .html
  bool json = false;                           // JSON on standard output in place of the table
  bool keep = false;                           // keep the run's scratch folder
};
int run_command(const RunArguments& arguments);

struct CasesArguments {
  std::filesystem::path images;
  bool json = false;
};
int cases_command(const CasesArguments& arguments);

struct DoctorArguments {
  std::filesystem::path bench;
  std::filesystem::path images;
  bool json = false;
};
int doctor_command(const DoctorArguments& arguments);

// One line on standard error: what failed, where, and what to do. Returns the exit status of its fault.
int report_error(const Error& error);

// Where rigd's own programs are, and the images built beside them.
std::filesystem::path programs_folder();
std::filesystem::path images_folder(const std::filesystem::path& given);

}  // namespace rigd
