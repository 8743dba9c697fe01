// doctor: what this machine and this build can do, and what is missing.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/nn/network.h"
#include "machine.h"
#include "report.h"

namespace deepcfr {
namespace {

struct Finding {
  std::string what;
  std::string remedy;
};

std::vector<Finding> findings(const MachineReport& machine, const DeviceReport& devices) {
  std::vector<Finding> list;
  if (!devices.cuda_built) {
    list.push_back(
        {"no CUDA in this build: everything runs on the CPU", "with a GPU: scripts/setup.sh --gpu, then scripts/build.sh gpu deepcfr"});
  } else if (devices.cuda_devices == 0) {
    list.push_back({"built with CUDA, but no device is visible", "see nvidia-smi and CUDA_VISIBLE_DEVICES"});
  }
  if (!devices.bfloat16_fast) {
    list.push_back({"no fast bfloat16 on this CPU (avx512_bf16 or amx)", "leave training.amp: off"});
  }
  if (machine.openmp_runtimes.size() > 1) {
    list.push_back(
        {"more than one OpenMP runtime in the process, which can hang", "unset LD_PRELOAD; link only the one of LibTorch"});
  }
  constexpr std::uint64_t kLittleMemory = 2'000'000'000;
  if (machine.free_memory_bytes < kLittleMemory) {
    list.push_back({"less than 2 GB of memory are free", "lower memory.advantage_capacity and memory.strategy_capacity"});
  }
  return list;
}

Json as_json(const MachineReport& machine, const DeviceReport& devices, const std::string& threading) {
  Json missing = Json::array();
  for (const Finding& finding : findings(machine, devices))
    missing.push_back({{"what", finding.what}, {"remedy", finding.remedy}});
  return {
      {"cpu",
       {{"model", machine.cpu_model},
        {"cores", machine.cores},
        {"threads", machine.threads},
        {"usable_threads", machine.usable_threads}}},
      {"memory", {{"total_bytes", machine.memory_bytes}, {"free_bytes", machine.free_memory_bytes}}},
      {"libtorch", {{"version", devices.libtorch_version}, {"cpu_capability", devices.cpu_capability}, {"threading", threading}}},
      {"devices",
       {{"cpu", true},
        {"cuda_built", devices.cuda_built},
        {"cuda", devices.cuda_devices},
        {"bfloat16_fast", devices.bfloat16_fast}}},
      {"openmp",
       {{"runtimes", machine.openmp_runtimes},
        {"OMP_NUM_THREADS", machine.openmp_threads.empty() ? Json() : Json(machine.openmp_threads)}}},
      {"missing", missing}};
}

void print_text(const MachineReport& machine, const DeviceReport& devices, const std::string& threading) {
  std::cout << "CPU:       " << machine.cpu_model << ", " << machine.cores << " cores, " << machine.threads << " threads, "
            << machine.usable_threads << " usable\n"
            << "memory:    " << show_bytes(machine.memory_bytes) << ", " << show_bytes(machine.free_memory_bytes) << " free\n"
            << "LibTorch:  " << devices.libtorch_version << ", CPU capability " << devices.cpu_capability << "\n"
            << "devices:   CPU" << (devices.bfloat16_fast ? " (fast bfloat16)" : "") << ", "
            << (devices.cuda_built ? std::to_string(devices.cuda_devices) + " CUDA" : std::string("CUDA not built in")) << "\n"
            << "OpenMP:   ";
  for (const std::string& runtime : machine.openmp_runtimes) std::cout << " " << runtime;
  std::cout << (machine.openmp_runtimes.empty() ? " none loaded" : "") << ", OMP_NUM_THREADS "
            << (machine.openmp_threads.empty() ? "not set" : machine.openmp_threads) << "; threads are set by the program\n"
            << "threads:   " << threading << "\n";
  for (const Finding& finding : findings(machine, devices))
    std::cout << "missing:   " << finding.what << " (" << finding.remedy << ")\n";
}

void examine(bool json) {
  const std::string threading = configure_libtorch(1);
  const DeviceReport devices = report_devices();
  const MachineReport machine = report_machine();
  if (json) {
    write_json(as_json(machine, devices, threading));
  } else {
    print_text(machine, devices, threading);
  }
}

}  // namespace

void add_doctor(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("doctor", "CPU, memory, LibTorch, devices, and what is missing");
  const auto json = std::make_shared<bool>(false);
  add_json(*command, *json);
  command->callback([=, &invocation] { invocation.run = [=] { examine(*json); }; });
}

}  // namespace deepcfr
