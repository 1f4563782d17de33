#include <fmt/format.h>

#include <algorithm>

#include "base/clock.hpp"
#include "report/html_parts.hpp"
#include "report/html_style.hpp"
#include "report/text.hpp"
#include "report/writers.hpp"

namespace rigd::report {

namespace {

std::string fact(std::string_view name, std::string_view value) {
  if (value.empty()) return {};
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value));
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const std::string_view part : parts)
    if (!part.empty()) out += (out.empty() ? "" : ", ") + std::string(part);
  return out;
}

std::string host_text(const store::HostFacts& host) {
  return joined({host.name, host.kernel, host.cpu});
}

// With what the numbers were made: everything needed to trust or repeat them.
std::string environment(const store::Run& run) {
  std::string out = "<dl>\n";
  if (run.board) {
    out += fact("board", joined({run.board->type, run.board->mcu, run.board->core}));
    out += fact("chip", run.board->chip_uid);
  }
  if (run.image) {
    out += fact("image", joined({run.image->file_name, "build-id " + run.image->build_id}));
    out += fact("compiled by", joined({run.image->toolchain, run.image->flags}));
    out += fact("image size", fmt::format("text {}, data {}, bss {} bytes", run.image->text_bytes,
                                          run.image->data_bytes, run.image->bss_bytes));
  }
  if (run.probe) {
    out += fact("probe", joined({run.probe->driver, run.probe->serial, run.probe->firmware}));
    out += fact("its calibration", run.probe->calibration_hash);
  }
  out += fact("plan", run.plan_name) + fact("bench", run.bench_name);
  out += fact("run", fmt::format("{} ({}), {}", run.id, run.uuid, store::to_string(run.state)));
  out += fact("began", utc_text(run.started_utc_ns));
  out += fact("made by", joined({"rigd " + run.rigd_version, host_text(run.host)}));
  return out + "</dl>\n";
}

std::string files(const store::Run& run) {
  std::string out;
  if (!run.plan_text.empty())
    out += fmt::format("<details><summary>plan {}</summary><pre>{}</pre></details>\n", escaped(run.plan_name),
                       escaped(run.plan_text));
  if (!run.bench_text.empty())
    out += fmt::format("<details><summary>bench {}</summary><pre>{}</pre></details>\n",
                       escaped(run.bench_name), escaped(run.bench_text));
  return out;
}

std::string banner(const std::optional<store::Problem>& problem) {
  if (!problem) return {};
  return fmt::format("<div class=\"banner\"><span class=\"bad\">{}</span> {} <small>{}</small></div>\n",
                     escaped(in_words(problem->fault)), escaped(problem->text), escaped(problem->code));
}

std::string slot_section(const SlotReport& slot) {
  std::string out = fmt::format("<section>\n<h2>Slot {}</h2>\n", escaped(slot.run.slot));
  out += banner(slot.run.problem) + environment(slot.run) + files(slot.run);
  if (slot.cases.empty()) return out + "<p>Nothing was measured.</p>\n</section>\n";
  out += results_table(slot) + "<div class=\"cases\">\n";
  for (const CaseRow& row : slot.cases)
    out += case_article(row);
  return out + "</div>\n</section>\n";
}

std::string verdict_line(const RunReport& report) {
  std::size_t valid = 0, all = 0;
  for (const SlotReport& slot : report.slots) {
    all += slot.cases.size();
    valid += static_cast<std::size_t>(
        std::ranges::count_if(slot.cases, [](const CaseRow& row) { return row.measurement.valid(); }));
  }
  std::string out = fmt::format("<p><strong class=\"{}\">{} of {} measurements valid</strong> on {} {}</p>\n",
                                valid == all ? "good" : "warn", valid, all, report.slots.size(),
                                report.slots.size() == 1 ? "slot" : "slots");
  for (const SlotReport& slot : report.slots)
    if (slot.run.problem)
      out += fmt::format("<p class=\"bad\">slot {}: {}</p>\n", escaped(slot.run.slot),
                         escaped(in_words(*slot.run.problem)));
  return out;
}

// What the words beside the numbers mean.
constexpr std::string_view kLegend = R"(<details><summary>How to read this page</summary>
<p>Beside each number stands where it comes from: <strong>measured</strong> by an instrument on a physical board;
<strong>modelled</strong>, cycles computed from a core's timing tables on a simulator, and times derived from them;
<strong>counted</strong> instructions; <strong>synthetic</strong>, a simulated current and what follows from it. Numbers
of different origin are not to be compared.</p>
<p>All numbers are for one operation. Times and counts: median, with the 95 % confidence interval of the median. Charge
and energy: mean, with its expanded uncertainty (k = 2, about 95 %) and, below it, the two parts of that: what the
instrument may be off by (common to all results of this probe) and what repetition shows. Net energy is less the idle
current beside the marker window. A measurement that is not valid shows no numbers.</p>
<p>Waveforms: the band is minimum to maximum, the line the mean, the shaded stretches are marker windows; a gap in the
samples is filled across. Strips: one dot a repetition, the first on top; the line is the median, the band its
interval.</p></details>
)";

}  // namespace

std::string html(const RunReport& report) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out +=
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>rigd: "
      "measurements</title>\n";
  out += fmt::format("<style>{}</style>\n</head>\n<body>\n<h1>Measurements</h1>\n", kStyle);
  out += verdict_line(report);
  if (!report.command.empty()) out += fmt::format("<p><code>{}</code></p>\n", escaped(report.command));
  out += kLegend;
  for (const SlotReport& slot : report.slots)
    out += slot_section(slot);
  return out + "</body>\n</html>\n";
}

}  // namespace rigd::report
