#include "report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <limits>

namespace deepcfr {
namespace {

/// Reported fault E25.
constexpr const char* kNoVariance = "standard deviation 0: every round ended alike, so the interval says nothing";
constexpr const char* kNoNoise = "standard error 0: every sample ended alike, as shared deals between players without chance of their own do; the interval says nothing";

template <typename... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 256> buffer;
  std::snprintf(buffer.data(), buffer.size(), format, values...);
  return buffer.data();
}

double gain(const ExploitabilityReport& report, std::size_t player, const ResultUnit& unit) {
  return (report.best_response[player] - report.value[player]) * unit.scale;
}

/// Why the interval says nothing; null if it does.
const char* without_variance(const MatchResult& match) {
  if (match.hands > 1 && match.standard_deviation == 0) return kNoVariance;
  return match.samples > 1 && match.standard_error == 0 ? kNoNoise : nullptr;
}

}  // namespace

void write_json(const Json& value, bool line) { std::cout << (line ? value.dump() : value.dump(2)) << "\n"; }

std::string show_value(double value) {
  const double size = std::abs(value);
  if (value == 0) return "0";
  if (size < 0.1) return formatted("%.6g", value);
  return formatted("%.*f", size < 10 ? 6 : size < 1000 ? 3 : 2, value);
}

std::string show_count(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string show_large(double value) {
  if (value < 1e12) return show_count(static_cast<std::uint64_t>(std::llround(value)));
  const int exponent = static_cast<int>(std::floor(std::log10(value)));
  return formatted("%.3fe%d", value / std::pow(10.0, exponent), exponent);
}

std::string show_bytes(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value < 1e3) return formatted("%.0f bytes", value);
  if (value < 1e6) return formatted("%.0f kB", value / 1e3);
  if (value < 1e9) return formatted("%.0f MB", value / 1e6);
  return formatted("%.1f GB", value / 1e9);
}

std::string show_duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(std::max(seconds, 0.0)));
  const auto hours = static_cast<long>(whole / 3600);
  const auto minutes = static_cast<long>(whole / 60 % 60);
  const auto rest = static_cast<long>(whole % 60);
  return hours > 0 ? formatted("%ld:%02ld:%02ld", hours, minutes, rest) : formatted("%ld:%02ld", minutes, rest);
}

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return (c < 0x80 && std::isalnum(c) != 0) ||
           std::string_view("_-./=:,+@%~").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

Json json_number(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (value == std::floor(value) && std::abs(value) < kExact) return static_cast<std::int64_t>(value);
  return value;
}

Json exploitability_json(const ExploitabilityReport& report, const ResultUnit& unit) {
  Json json;
  json["nash_conv"] = report.nash_conv * unit.scale;
  json["exploitability"] = report.exploitability * unit.scale;
  json["by_player"] = Json::array();
  json["value"] = report.value[0] * unit.scale;
  json["values"] = Json::array();
  json["best_responses"] = Json::array();
  for (std::size_t player = 0; player < report.value.size(); ++player) {
    json["by_player"].push_back(gain(report, player, unit));
    json["values"].push_back(report.value[player] * unit.scale);
    json["best_responses"].push_back(report.best_response[player] * unit.scale);
  }
  json["unit"] = unit.name;
  return json;
}

std::string exploitability_text(const ExploitabilityReport& report, const ResultUnit& unit) {
  std::string text = "NashConv        " + show_value(report.nash_conv * unit.scale) + " " + unit.name + "\n";
  text += "exploitability  " + show_value(report.exploitability * unit.scale) + " " + unit.name + " (NashConv / " +
          std::to_string(report.value.size()) + " players)\n";
  for (std::size_t player = 0; player < report.value.size(); ++player) {
    text += "player " + std::to_string(player) + "        gain " + show_value(gain(report, player, unit)) + " (best response " +
            show_value(report.best_response[player] * unit.scale) + ", value " + show_value(report.value[player] * unit.scale) +
            ")\n";
  }
  return text;
}

Json match_json(const MatchResult& match) {
  Json json;
  json["hands"] = match.hands;
  json["mean"] = match.mean;
  json["sd"] = match.standard_deviation;
  json["ci_low"] = match.ci_low;
  json["ci_high"] = match.ci_high;
  json["unit"] = match.unit;
  json["by_seat"] = match.mean_by_seat;
  json["variance"] = kVarianceReductionNames[static_cast<std::size_t>(match.variance)];
  json["samples"] = match.samples;
  json["standard_error"] = match.standard_error;
  json["distinct_deals"] = match.distinct_deals;
  if (without_variance(match) != nullptr) json["note"] = without_variance(match);
  return json;
}

std::string match_text(const MatchResult& match) {
  const int decimals = match.unit == "antes" ? 4 : 1;
  std::string text = formatted("%-12s %+.*f %s", match.opponent.c_str(), decimals, match.mean, match.unit.c_str());
  if (const char* why = without_variance(match); why != nullptr)
    return text + " (" + show_count(static_cast<std::uint64_t>(match.hands)) + " hands; " + why + ")";
  text += formatted(", 95 %% interval %+.*f .. %+.*f", decimals, match.ci_low, decimals, match.ci_high);
  return text + " (" + show_count(static_cast<std::uint64_t>(match.hands)) + " hands, standard deviation " +
         formatted("%.*f", decimals, match.standard_deviation) + ")";
}

}  // namespace deepcfr
