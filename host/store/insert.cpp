#include "store/insert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rigd::store {

namespace {

Result<Id> board_id(Statements& statements, const Board& board) {
  RIGD_TRY(Statement * insert,
           statements.get("INSERT INTO board (type, chip_uid, mcu, core) VALUES (?1, ?2, ?3, ?4) "
                          "ON CONFLICT DO UPDATE SET type = excluded.type RETURNING id"));
  return insert->run_for_id(board.type, board.chip_uid, board.mcu, board.core);
}

Result<Id> image_id(Statements& statements, const Image& image) {
  RIGD_TRY(
      Statement * insert,
      statements.get(
          "INSERT INTO image (build_id, elf_sha256, toolchain, flags, file_name, text_bytes, data_bytes, "
          "bss_bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) "
          "ON CONFLICT DO UPDATE SET build_id = excluded.build_id RETURNING id"));
  return insert->run_for_id(image.build_id, image.elf_sha256, image.toolchain, image.flags, image.file_name,
                            image.text_bytes, image.data_bytes, image.bss_bytes);
}

Result<Id> probe_id(Statements& statements, const Probe& probe) {
  RIGD_TRY(Statement * insert,
           statements.get("INSERT INTO probe (driver, serial, firmware, calibration_hash, calibration_text) "
                          "VALUES (?1, ?2, ?3, ?4, ?5) "
                          "ON CONFLICT DO UPDATE SET driver = excluded.driver RETURNING id"));
  return insert->run_for_id(probe.driver, probe.serial, probe.firmware, probe.calibration_hash,
                            probe.calibration_text);
}

Result<Id> insert_row(Statements& statements, const Measurement& m) {
  RIGD_TRY(
      Statement * insert,
      statements.get(
          "INSERT INTO measurement (run_id, case_id, library, provenance, size_bytes, inner, "
          "repetitions_wanted, warmup, "
          "gap_us, clock_hz, timer_hz, flash_wait_states, voltage_v, rate_hz, known_answer, vectors, "
          "failed_vector, digest, stack_bytes, heap_bytes, started_utc_ns, valid, fault, error_code, "
          "invalid_reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, "
          "?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25) RETURNING id"));
  const ProblemColumns problem(m.problem);
  return insert->run_for_id(m.run_id, m.case_id, m.library, to_string(m.provenance), m.size_bytes, m.inner,
                            m.repetitions_wanted, m.warmup, m.gap_us, m.clock_hz, m.timer_hz,
                            m.flash_wait_states, m.voltage_v, m.rate_hz, to_string(m.known_answer), m.vectors,
                            m.failed_vector, m.digest, m.stack_bytes, m.heap_bytes, m.started_utc_ns,
                            m.valid(), problem.fault, problem.code, problem.text);
}

Result<void> insert_statistics(Statements& statements, Id measurement_id,
                               std::span<const Statistic> statistics) {
  RIGD_TRY(Statement * insert,
           statements.get("INSERT INTO statistic (measurement_id, metric, provenance, n, median, ci95_low, "
                          "ci95_high, mean, sd, "
                          "min, max, u_instrument, u_repeatability, u_expanded, coverage_factor) "
                          "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"));
  for (const Statistic& s : statistics) {
    RIGD_CHECK(insert->run(measurement_id, to_string(s.metric), rigd::to_string(s.provenance), s.n, s.median,
                           s.ci95_low, s.ci95_high, s.mean, s.sd, s.min, s.max, s.u_instrument,
                           s.u_repeatability, s.u_expanded, s.coverage_factor));
  }
  return {};
}

Result<void> insert_repetitions(Statements& statements, Id measurement_id,
                                std::span<const Repetition> repetitions) {
  RIGD_TRY(
      Statement * insert,
      statements.get(
          "INSERT INTO repetition (measurement_id, idx, edge_ns, timer_ticks, instructions, cycles, "
          "charge_nc, "
          "net_charge_nc, energy_nj, net_energy_nj, baseline_na, first_sample, last_sample, digest, valid, "
          "invalid_reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"));
  for (const Repetition& r : repetitions) {
    const auto reason = r.valid() ? std::nullopt : std::optional<std::string_view>(r.invalid_reason);
    RIGD_CHECK(insert->run(measurement_id, r.idx, r.edge_ns, r.timer_ticks, r.instructions, r.cycles,
                           r.charge_nc, r.net_charge_nc, r.energy_nj, r.net_energy_nj, r.baseline_na,
                           r.first_sample, r.last_sample, r.digest, r.valid(), reason));
  }
  return {};
}

// A value without a stated provenance must not get in.
Result<void> provenance_is_stated(const Measurement& m, std::span<const Repetition> repetitions) {
  const auto used = [&](auto member) {
    return std::ranges::any_of(repetitions, [&](const Repetition& r) { return (r.*member).has_value(); });
  };
  const std::array<std::pair<Metric, bool>, 8> metrics = {{
      {Metric::edge_ns, used(&Repetition::edge_ns)},
      {Metric::timer_ns, used(&Repetition::timer_ticks)},
      {Metric::instructions, used(&Repetition::instructions)},
      {Metric::cycles, used(&Repetition::cycles)},
      {Metric::charge_nc, used(&Repetition::charge_nc)},
      {Metric::net_charge_nc, used(&Repetition::net_charge_nc)},
      {Metric::energy_nj, used(&Repetition::energy_nj)},
      {Metric::net_energy_nj, used(&Repetition::net_energy_nj)},
  }};
  for (const auto& [metric, in_use] : metrics) {
    if (in_use && m.find(metric) == nullptr) {
      return fail(ErrorCode::internal,
                  fmt::format("{}: repetitions have {} but no statistic says its provenance", m.case_id,
                              to_string(metric)));
    }
  }
  return {};
}

}  // namespace

Result<FactIds> insert_facts(Statements& statements, const Store::RunFacts& facts) {
  FactIds ids;
  if (facts.board) {
    RIGD_TRY(ids.board, board_id(statements, *facts.board));
  }
  if (facts.image) {
    RIGD_TRY(ids.image, image_id(statements, *facts.image));
  }
  if (facts.probe) {
    RIGD_TRY(ids.probe, probe_id(statements, *facts.probe));
  }
  return ids;
}

Result<Id> insert_measurement(Statements& statements, const Measurement& measurement,
                              std::span<const Repetition> repetitions) {
  RIGD_CHECK(provenance_is_stated(measurement, repetitions));
  RIGD_TRY(const Id id, insert_row(statements, measurement));
  RIGD_CHECK(insert_statistics(statements, id, measurement.statistics));
  RIGD_CHECK(insert_repetitions(statements, id, repetitions));
  return id;
}

Result<void> insert_trace(Statements& statements, Id measurement_id, const Trace& trace) {
  RIGD_TRY(Statement * insert_info,
           statements.get(
               "INSERT INTO trace (measurement_id, first_sample, samples, rate_hz, value_shift, value_bits, "
               "counter_shift, counter_bits) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"));
  RIGD_CHECK(insert_info->run(measurement_id, trace.first_sample, trace.samples, trace.rate_hz,
                              int{trace.layout.value_shift}, int{trace.layout.value_bits},
                              int{trace.layout.counter_shift}, int{trace.layout.counter_bits}));
  RIGD_TRY(Statement * insert_chunk,
           statements.get("INSERT INTO trace_chunk (measurement_id, first_sample, samples, packed) "
                          "VALUES (?1, ?2, ?3, ?4)"));
  for (const TraceChunk& chunk : trace.chunks) {
    RIGD_CHECK(insert_chunk->run(measurement_id, chunk.first_sample, chunk.samples, std::span(chunk.packed)));
  }
  RIGD_TRY(Statement * insert_gap,
           statements.get("INSERT INTO trace_gap (measurement_id, first_sample, last_sample, missing, "
                          "cause) VALUES (?1, ?2, ?3, ?4, ?5)"));
  for (const TraceGap& gap : trace.gaps) {
    RIGD_CHECK(insert_gap->run(measurement_id, gap.first_sample, gap.last_sample, gap.missing, gap.cause));
  }
  RIGD_TRY(Statement * insert_bands,
           statements.get("INSERT INTO trace_pyramid (measurement_id, level, first_sample, bands) "
                          "VALUES (?1, ?2, ?3, ?4)"));
  for (const PyramidRow& row : trace.pyramid) {
    RIGD_CHECK(
        insert_bands->run(measurement_id, row.level, row.first_sample, std::as_bytes(std::span(row.bands))));
  }
  return {};
}

}  // namespace rigd::store
