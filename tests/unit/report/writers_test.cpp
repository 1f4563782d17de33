#include "report/writers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <regex>
#include <sstream>

#include "golden.hpp"
#include "sample_report.hpp"

namespace rigd::report {
namespace {

using ::testing::Each;
using testing::expect_golden;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::sample_report;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

boost::property_tree::ptree parsed_xml(const std::string& text) {
  std::istringstream in(text);
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(in, tree);
  return tree;
}

TEST(Golden, Table) {
  expect_golden("table.txt", table(sample_report(), false, 200));
}
TEST(Golden, NarrowTable) {
  expect_golden("table-narrow.txt", table(sample_report(), false, 80));
}
TEST(Golden, ColouredTable) {
  expect_golden("table-colour.txt", table(sample_report(), true, 200));
}
TEST(Golden, Csv) {
  expect_golden("measurements.csv", csv(sample_report()));
}
TEST(Golden, RepetitionsCsv) {
  expect_golden("repetitions.csv", repetitions_csv(sample_report()));
}
TEST(Golden, Json) {
  expect_golden("report.json", json(sample_report()));
}
TEST(Golden, Junit) {
  expect_golden("junit.xml", junit(sample_report()));
}
TEST(Golden, Html) {
  expect_golden("page.html", html(sample_report()));
}

TEST(Table, StaysWithinItsWidth) {
  RunReport report = sample_report();
  report.slots[0].cases.pop_back();  // whose name alone fills a line
  for (const std::size_t width : {80U, 100U, 120U, 160U, 250U}) {
    bool in_columns = false;
    for (const std::string& line : lines_of(table(report, false, width))) {
      in_columns =
          line.starts_with("case ") || (in_columns && !line.empty() && !line.starts_with("Charge and"));
      if (in_columns) EXPECT_LE(line.size(), width) << line;
    }
  }
}

TEST(Table, ShowsEveryColumnAtAnyWidth) {
  for (const std::size_t width : {60U, 100U, 400U})
    for (const char* title :
         {"time", "95 % CI", "cycles/B", "instructions", "board timer", "library", "stack", "answer",
          "validity", "charge", "gross energy", "net energy", "inst.", "rep.", "nJ/B"})
      EXPECT_THAT(table(sample_report(), false, width), HasSubstr(title)) << width;
}

TEST(Table, SendsNoControlCharactersOfOthersToTheTerminal) {
  const std::string text = table(sample_report(), false);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\xff'), std::string::npos);
}

TEST(Table, SetsProvenanceBesideEachNumberWhereItDiffers) {
  RunReport report = sample_report();
  report.slots[0].cases[1] = report.slots[0].cases[0];
  report.slots[0].cases[1].measurement.statistics[3].provenance = Provenance::measured;
  const std::string text = table(report, false, 400);
  EXPECT_THAT(text, HasSubstr("1664.5 modelled"));
  EXPECT_THAT(text, HasSubstr("1664.5 measured"));
}

TEST(Table, ATimerThatCountsInstructionsTellsNoTime) {
  const std::string text = table(sample_report(), false, 400);
  EXPECT_THAT(text, HasSubstr("1200 instr."));
  EXPECT_THAT(text, Not(HasSubstr("1.200 us")));
}

TEST(Csv, EachLineHasAsManyFieldsAsTheHeader) {
  for (const std::string& text : {csv(sample_report()), repetitions_csv(sample_report())}) {
    std::vector<std::size_t> fields(1, 1);
    bool quoted = false;
    for (const char c : text) {
      if (c == '"') quoted = !quoted;
      if (c == ',' && !quoted) ++fields.back();
      if (c == '\n' && !quoted) fields.push_back(1);
    }
    fields.pop_back();
    EXPECT_THAT(fields, Each(fields.front()));
  }
}

TEST(Csv, AnUntrustworthyMeasurementHasNoNumbers) {
  RunReport report = sample_report();
  std::erase_if(report.slots[0].cases, [](const CaseRow& row) { return row.measurement.valid(); });
  const std::string text = csv(report);
  EXPECT_THAT(text, Not(HasSubstr("104031.25")));
  EXPECT_THAT(text, Not(HasSubstr("561.9")));
  EXPECT_THAT(text, HasSubstr("not a trustworthy measurement"));
}

TEST(Json, IsReadBack) {
  const boost::json::value document = boost::json::parse(json(sample_report()));
  EXPECT_EQ(document.at("format"), "rigd-report");
  const auto& runs = document.at("runs").as_array();
  ASSERT_EQ(runs.size(), 2U);
  const auto& good = runs[0].at("cases").at(0);
  EXPECT_EQ(good.at("valid"), true);
  EXPECT_EQ(good.at("one_operation").at("cycles").at("provenance"), "modelled");
  EXPECT_DOUBLE_EQ(good.at("one_operation").at("cycles").at("median").to_number<double>(), 1664.5);
  EXPECT_EQ(good.at("repetitions").as_array().size(), 4U);
  EXPECT_EQ(runs[1].at("problem").at("in_words"), "the rig is broken");
}

TEST(Json, MissingValuesAreMissingKeys) {
  const boost::json::value document = boost::json::parse(json(sample_report()));
  const auto& wrong = document.at("runs").at(0).at("cases").at(1).as_object();
  EXPECT_FALSE(wrong.contains("stack_bytes"));
  EXPECT_TRUE(wrong.at("one_operation").as_object().empty());
  const auto& untrustworthy = document.at("runs").at(0).at("cases").at(2).as_object();
  EXPECT_TRUE(untrustworthy.at("one_operation").as_object().empty());
  EXPECT_EQ(untrustworthy.at("repetitions").at(2).at("valid"), false);
}

TEST(Junit, TellsWrongAnswersFromABrokenRig) {
  const auto tree = parsed_xml(junit(sample_report()));
  const auto& suites = tree.get_child("testsuites");
  EXPECT_EQ(suites.get<int>("<xmlattr>.tests"), 4);
  EXPECT_EQ(suites.get<int>("<xmlattr>.failures"), 1);
  EXPECT_EQ(suites.get<int>("<xmlattr>.errors"), 2);
  std::vector<std::string> outcomes;
  for (const auto& [suite_name, suite] : suites)
    for (const auto& [name, node] : suite)
      if (name == "testcase")
        outcomes.push_back(node.count("failure") ? "failure" : node.count("error") ? "error" : "passed");
  EXPECT_EQ(outcomes, (std::vector<std::string>{"passed", "failure", "error", "error"}));
}

TEST(Html, IsSelfContained) {
  const std::string page = html(sample_report());
  const std::string without_namespace =
      std::regex_replace(page, std::regex(R"(xmlns="http://www\.w3\.org/2000/svg")"), "");
  for (const char* outside :
       {"http:", "https:", "//", "<script", "<link", "<img", "url(", "@import", "javascript:"})
    EXPECT_EQ(without_namespace.find(outside), std::string::npos) << outside;
}

TEST(Html, PicturesAreWellFormed) {
  const std::string page = html(sample_report());
  std::size_t pictures = 0;
  for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) {
    const std::size_t end = page.find("</svg>", at) + 6;
    const std::string picture = page.substr(at, end - at);
    EXPECT_NO_THROW(parsed_xml(picture)) << picture;
    EXPECT_EQ(picture.find("nan"), std::string::npos);
    EXPECT_EQ(picture.find("inf"), std::string::npos);
    ++pictures;
  }
  EXPECT_EQ(pictures, 4U)
      << "two waveforms and a strip of the good case, one waveform of the untrustworthy one";
}

TEST(Html, HostileNamesStayText) {
  const std::string page = html(sample_report());
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_THAT(page, HasSubstr("&quot;&gt;&lt;script&gt;"));
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
}

TEST(Html, EachNumberHasItsProvenanceInWords) {
  const std::string page = html(sample_report());
  const std::regex number_cell(R"(<td>[0-9][^<]*<small>([^<]*)</small></td>)");
  std::size_t cells = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), number_cell), end; it != end; ++it) {
    const std::string words = (*it)[1];
    if (words.starts_with("×")) continue;  // the number of repetitions
    EXPECT_TRUE(words.ends_with("modelled") || words.ends_with("counted") || words.ends_with("synthetic"))
        << words;
    ++cells;
  }
  EXPECT_EQ(cells, 9U);
}

TEST(Writers, AnEmptyReportIsStillWellFormed) {
  const RunReport nothing;
  EXPECT_NO_THROW(boost::json::parse(json(nothing)));
  EXPECT_NO_THROW(parsed_xml(junit(nothing)));
  EXPECT_THAT(html(nothing), HasSubstr("0 of 0 measurements valid"));
  EXPECT_EQ(table(nothing, false), "");
}

TEST(KindOfEnding, KnowsTheFourKinds) {
  EXPECT_EQ(kind_of_ending(".csv"), Kind::csv);
  EXPECT_EQ(kind_of_ending(".json"), Kind::json);
  EXPECT_EQ(kind_of_ending(".xml"), Kind::junit);
  EXPECT_EQ(kind_of_ending(".html"), Kind::html);
  EXPECT_FALSE(kind_of_ending(".docx"));
}

}  // namespace
}  // namespace rigd::report
