#include "report.h"

#include <gtest/gtest.h>

#include <string>

namespace deepcfr {
namespace {

TEST(Report, values_show_the_digits_that_matter) {
  EXPECT_EQ(show_value(11.0 / 12), "0.916667");
  EXPECT_EQ(show_value(4.7472222222), "4.747222");
  EXPECT_EQ(show_value(0.000257152), "0.000257152");
  EXPECT_EQ(show_value(-1.0 / 18), "-0.0555556");
  EXPECT_EQ(show_value(0), "0");
  EXPECT_EQ(show_value(1163.481), "1163.48");
  EXPECT_EQ(show_value(750), "750.000");
}

TEST(Report, counts_sizes_and_durations) {
  EXPECT_EQ(show_count(0), "0");
  EXPECT_EQ(show_count(999), "999");
  EXPECT_EQ(show_count(1'712'304), "1,712,304");
  EXPECT_EQ(show_large(936), "936");
  EXPECT_EQ(show_large(3.194e14), "3.194e14");
  EXPECT_EQ(show_bytes(999), "999 bytes");
  EXPECT_EQ(show_bytes(80'000'000), "80 MB");
  EXPECT_EQ(show_bytes(3'200'000'000), "3.2 GB");
  EXPECT_EQ(show_duration(0.2), "0:00");
  EXPECT_EQ(show_duration(83), "1:23");
  EXPECT_EQ(show_duration(3723), "1:02:03");
}

TEST(Report, words_for_the_shell) {
  EXPECT_EQ(shell_word("runs/leduc-2"), "runs/leduc-2");
  EXPECT_EQ(shell_word("my runs"), "'my runs'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Report, whole_numbers_stay_whole_in_json) {
  EXPECT_EQ(json_number(-100).dump(), "-100");
  EXPECT_EQ(json_number(0.5).dump(), "0.5");
  EXPECT_EQ(json_number(3.194e17).dump(), "3.194e+17");
}

TEST(Report, exploitability_is_scaled_and_sums_up) {
  const ExploitabilityReport report{{10, -10}, {40, 30}, 70, 35};
  const ResultUnit unit{"mbb/g", 100};
  const Json json = exploitability_json(report, unit);
  EXPECT_EQ(json["nash_conv"], 7000);
  EXPECT_EQ(json["exploitability"], 3500);
  EXPECT_EQ(json["by_player"], Json::parse("[3000.0, 4000.0]"));
  EXPECT_EQ(json["value"], 1000);
  EXPECT_EQ(json["unit"], "mbb/g");
  const std::string text = exploitability_text(report, unit);
  EXPECT_NE(text.find("NashConv        7000.00 mbb/g\n"), std::string::npos) << text;
  EXPECT_NE(text.find("exploitability  3500.00 mbb/g (NashConv / 2 players)\n"), std::string::npos) << text;
}

TEST(Report, E25_no_variance_is_said) {
  MatchResult match;
  match.opponent = "tight";
  match.hands = 2000;
  match.mean = 1;
  match.ci_low = match.ci_high = 1;
  match.unit = "antes";
  EXPECT_EQ(
      match_text(match),
      "tight        +1.0000 antes (2,000 hands; standard deviation 0: every round ended alike, so the interval says nothing)");
  EXPECT_TRUE(match_json(match).contains("note"));
  match.standard_deviation = 734;
  match.unit = "mbb/g";
  match.mean = 512.34;
  match.ci_low = 480.06;
  match.ci_high = 544.5;
  EXPECT_EQ(match_text(match),
            "tight        +512.3 mbb/g, 95 % interval +480.1 .. +544.5 (2,000 hands, standard deviation 734.0)");
  const Json json = match_json(match);
  EXPECT_FALSE(json.contains("note"));
  for (const char* key : {"hands", "mean", "sd", "ci_low", "ci_high", "unit"}) EXPECT_TRUE(json.contains(key)) << key;
  match.samples = 1000;  // deals differ, but their mirror images take everything out
  match.mean = match.ci_low = match.ci_high = 0;
  EXPECT_NE(match_text(match).find("(2,000 hands; standard error 0: "), std::string::npos) << match_text(match);
  EXPECT_TRUE(match_json(match).contains("note"));
}

}  // namespace
}  // namespace deepcfr
