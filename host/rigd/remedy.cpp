#include "rigd/remedy.hpp"

namespace rigd {

std::string_view remedy(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::bad_argument:
      return "see 'rigd --help'";
    case ErrorCode::bad_plan:
    case ErrorCode::bad_bench:
    case ErrorCode::bad_board_file:
      return "correct the file at the place named; rigs/README.md describes every key";
    case ErrorCode::bad_database:
      return "name another file with --db, or a new one";
    case ErrorCode::schema_too_new:
      return "use the rigd that wrote the database, or a newer one";
    case ErrorCode::unknown_case:
      return "list what the images hold with 'rigd cases'";
    case ErrorCode::unknown_slot:
      return "name a slot of the bench file";
    case ErrorCode::case_does_not_fit:
      return "choose a size within the limits 'rigd cases' shows";
    case ErrorCode::nothing_selected:
      return "select at least one slot and one case";
    case ErrorCode::bad_image:
      return "build the images again: cmake --build --preset dev --target firmware";
    case ErrorCode::io_failure:
      return "see the system's message; check permissions and cables";
    case ErrorCode::timeout:
      return "see the run's events for the step that took too long";
    case ErrorCode::disconnected:
      return "check the cable and the power of the device, then run again";
    case ErrorCode::disk_full:
      return "free some space where the database is; what was finished is kept";
    case ErrorCode::busy:
      return "end the other program that uses it, then run again";
    case ErrorCode::spawn_failed:
      return "install the program or correct its path; ci/deps/install installs all";
    case ErrorCode::child_died:
      return "see the program's log in the run's folder (--keep)";
    case ErrorCode::adapter_missing:
      return "plug the adapter in, or correct 'adapter.serial' in the bench file";
    case ErrorCode::adapter_ambiguous:
      return "unplug one: two adapters with one serial cannot be told apart";
    case ErrorCode::adapter_hung:
      return "unplug the adapter and plug it in again";
    case ErrorCode::flash_failed:
      return "check the board's power and the adapter's wiring; the flasher's log is in the events";
    case ErrorCode::verify_mismatch:
      return "flash again; if it repeats, the board's flash is worn or its supply too weak";
    case ErrorCode::wrong_image:
      return "check that adapter and serial link go to the same board";
    case ErrorCode::port_missing:
      return "plug the port in, or correct its serial number in the bench file";
    case ErrorCode::port_ambiguous:
      return "give 'usb_interface' in the bench file";
    case ErrorCode::link_corrupt:
      return "check wiring, ground and baud rate of the serial link";
    case ErrorCode::link_protocol:
      return "build and flash the firmware of this rigd version";
    case ErrorCode::probe_identity:
      return "check that the port named is the probe's measurement port";
    case ErrorCode::probe_calibration:
      return "do not use this probe before its calibration is restored";
    case ErrorCode::probe_lost:
      return "check the probe's cable; measure again";
    case ErrorCode::store_failure:
      return "check the database with 'sqlite3 FILE \"PRAGMA integrity_check\"'";
    case ErrorCode::board_silent:
      return "the flash was good: look at the firmware's start-up, or the serial link's wiring";
    case ErrorCode::board_crashed:
      return "look for a fault or stack overflow in this case's firmware";
    case ErrorCode::wrong_answer:
      return "the implementation is wrong on this board; it was not measured";
    case ErrorCode::wrong_digest:
      return "the output changed between repetitions: look for uninitialised state";
    case ErrorCode::board_refused:
      return "see the board's own words above";
    case ErrorCode::samples_lost:
      return "plug the probe into a USB port of its own; measure again";
    case ErrorCode::windows_missing:
      return "check the wire from the board's marker pin to the probe's logic input";
    case ErrorCode::clocks_disagree:
      return "check the board's clock set-up and the probe's sample rate";
    case ErrorCode::out_of_range:
      return "choose a range or a supply that fits the board's current";
    case ErrorCode::regression:
      return "see the comparison for what moved";
    case ErrorCode::interrupted:
      return "start the run again; finished measurements are kept";
    case ErrorCode::internal:
      return "this is a defect of rigd: report it with the message above";
  }
  return "";
}

}  // namespace rigd
