// rigd: the rig's daemon and its one-shot commands.
#include <CLI/CLI.hpp>
#include <csignal>

#include "base/log.hpp"
#include "rigd/commands.hpp"

namespace {

constexpr int kUsageStatus = static_cast<int>(rigd::Fault::usage);

void add_run(CLI::App& app, rigd::RunArguments& run) {
  CLI::App* command = app.add_subcommand("run", "Measure a plan on a bench, once");
  command->add_option("plan", run.plan, "what to measure (TOML)")->required();
  command->add_option("--bench", run.bench, "which boards are where (TOML)")->required();
  command->add_option("--db", run.database, "database to add the run to, created where missing")
      ->capture_default_str();
  command->add_option("--images", run.images, "folder of the firmware images");
  command->add_option("--slot", run.slots, "only this slot (may be repeated)");
  command->add_option("--report", run.reports,
                      "write a report; kind by ending: .csv (and -repetitions.csv) .json .xml (JUnit) .html");
  command->add_flag("--json", run.json, "results as JSON on standard output");
  command->add_flag("--keep", run.keep, "keep the run's folder with the logs of simulators and flasher");
}

void add_cases(CLI::App& app, rigd::CasesArguments& cases) {
  CLI::App* command = app.add_subcommand("cases", "List what the firmware images can measure");
  command->add_option("--images", cases.images, "folder of the firmware images");
  command->add_flag("--json", cases.json, "as JSON");
}

void add_doctor(CLI::App& app, rigd::DoctorArguments& doctor) {
  CLI::App* command = app.add_subcommand("doctor", "Say what is wrong with a bench, and what to do about it");
  command->add_option("--bench", doctor.bench, "the bench file")->required();
  command->add_option("--images", doctor.images, "folder of the firmware images");
  command->add_flag("--json", doctor.json, "as JSON");
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app{"rigd: what cryptography costs on small devices"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("rigd ") + RIGD_VERSION);
  bool verbose = false;
  app.add_flag("-v,--verbose", verbose, "diagnostics in detail");
  rigd::RunArguments run;
  rigd::CasesArguments cases;
  rigd::DoctorArguments doctor;
  add_run(app, run);
  add_cases(app, cases);
  add_doctor(app, doctor);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageStatus;
  }
  if (verbose) rigd::log::set_level(rigd::log::Level::debug);
  if (app.got_subcommand("run")) return rigd::run_command(run);
  if (app.got_subcommand("cases")) return rigd::cases_command(cases);
  return rigd::doctor_command(doctor);
}
