// The adapter's event loop: one debugger at a time on the virtual USB, and a control socket for faults.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "io/fd.hpp"
#include "sim/adapter/cmsis_dap.hpp"
#include "sim/adapter/cortex_m.hpp"
#include "sim/adapter/faults.hpp"
#include "sim/adapter/simulator.hpp"
#include "sim/adapter/usb_folder.hpp"

namespace rigd::sim::adapter {

struct ServerPaths {
  std::filesystem::path usb_folder;
  std::optional<std::filesystem::path> control;
};

class Server {
 public:
  Server(ServerPaths paths, std::string serial, CmsisDap& engine, CortexM& core, Simulator& simulator,
         Faults& faults);

  Result<void> start();  // everything listens afterwards
  // Serves until `stop` becomes readable.
  void run(const io::UniqueFd& stop);

 private:
  struct ControlClient {
    io::UniqueFd socket;
    std::string received;
  };

  Result<void> plug();
  void unplug();
  void serve_debugger();
  bool serve_packet(std::span<const std::uint8_t> packet);
  void accept_debugger(const io::UniqueFd& listener);
  void drop_debugger();
  bool debugger_is_gone() const;
  void accept_control();
  bool serve_control(ControlClient& client);
  std::string obey(std::string_view line);

  ServerPaths paths_;
  std::string serial_;
  CmsisDap& engine_;
  CortexM& core_;
  Simulator& simulator_;
  Faults& faults_;

  std::vector<UsbFolder> devices_;
  bool pulled_out_ = false;  // by disconnect_after, until the faults are cleared
  io::UniqueFd debugger_;
  std::uint64_t packets_ = 0;     // of the present connection
  unsigned patient_packets_ = 0;  // the next ones that are waited for asleep
  io::UniqueFd control_listener_;
  std::vector<ControlClient> control_clients_;
};

}  // namespace rigd::sim::adapter
