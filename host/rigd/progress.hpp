// What a run is doing, on standard error: one line an event.
#pragma once

#include "run/run_log.hpp"

namespace rigd {

class Progress : public run::Observer {
 public:
  explicit Progress(bool terminal) : terminal_(terminal) {}
  void on_event(std::string_view slot, const store::Event& event) override;

 private:
  bool terminal_;
};

}  // namespace rigd
