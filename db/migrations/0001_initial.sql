-- The bench's store. A unit ends the name of each column that has one. Times: _utc_ns since 1970-01-01 UTC,
-- _ns since the run began. The daemon applies the numbered files in order, one transaction each, and sets
-- PRAGMA user_version to the number of the last.

CREATE TABLE board (
  id       INTEGER PRIMARY KEY,
  type     TEXT NOT NULL CHECK (type <> ''),
  chip_uid TEXT NOT NULL,
  mcu      TEXT NOT NULL,
  core     TEXT NOT NULL,
  UNIQUE (type, chip_uid, mcu, core)
) STRICT;

CREATE TABLE image (
  id         INTEGER PRIMARY KEY,
  build_id   TEXT NOT NULL,
  elf_sha256 TEXT NOT NULL,
  toolchain  TEXT NOT NULL,
  flags      TEXT NOT NULL,
  file_name  TEXT NOT NULL,
  text_bytes INTEGER NOT NULL CHECK (text_bytes >= 0),
  data_bytes INTEGER NOT NULL CHECK (data_bytes >= 0),
  bss_bytes  INTEGER NOT NULL CHECK (bss_bytes >= 0),
  UNIQUE (build_id, elf_sha256, toolchain, flags, file_name, text_bytes, data_bytes, bss_bytes)
) STRICT;

CREATE TABLE probe (
  id               INTEGER PRIMARY KEY,
  driver           TEXT NOT NULL CHECK (driver <> ''),
  serial           TEXT NOT NULL,
  firmware         TEXT NOT NULL,
  calibration_hash TEXT NOT NULL,
  calibration_text TEXT NOT NULL,
  UNIQUE (driver, serial, firmware, calibration_hash, calibration_text)
) STRICT;

-- One plan executed on one slot, with its whole context.
CREATE TABLE run (
  id             INTEGER PRIMARY KEY,
  uuid           TEXT NOT NULL UNIQUE,
  session        TEXT NOT NULL,  -- the same for all runs one command started
  nonce          INTEGER NOT NULL,
  plan_name      TEXT NOT NULL,
  plan_text      TEXT NOT NULL,
  bench_name     TEXT NOT NULL,
  bench_text     TEXT NOT NULL,
  slot           TEXT NOT NULL,
  rigd_version   TEXT NOT NULL,
  host_name      TEXT NOT NULL,
  host_kernel    TEXT NOT NULL,
  host_cpu       TEXT NOT NULL,
  started_utc_ns INTEGER NOT NULL,
  board_id       INTEGER REFERENCES board (id),
  image_id       INTEGER REFERENCES image (id),
  probe_id       INTEGER REFERENCES probe (id),
  state          TEXT NOT NULL CHECK (state IN ('running', 'finished', 'failed', 'interrupted')),
  ended_utc_ns   INTEGER,  -- NULL: running, or the end was not seen
  fault          TEXT,
  error_code     TEXT,
  error_text     TEXT,
  CHECK (state <> 'running' OR ended_utc_ns IS NULL),
  CHECK ((error_code IS NULL) = (fault IS NULL) AND (error_code IS NULL) = (error_text IS NULL)),
  CHECK ((state IN ('failed', 'interrupted')) = (error_code IS NOT NULL))
) STRICT;
CREATE INDEX run_session ON run (session);
CREATE INDEX run_running ON run (id) WHERE state = 'running';

-- The run's log.
CREATE TABLE event (
  id     INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  at_ns  INTEGER NOT NULL,
  utc_ns INTEGER NOT NULL,
  step   TEXT NOT NULL,
  level  TEXT NOT NULL CHECK (level IN ('debug', 'info', 'warning', 'error')),
  text   TEXT NOT NULL
) STRICT;
CREATE INDEX event_run ON event (run_id);

-- The repetitions of one case in one run.
CREATE TABLE measurement (
  id                 INTEGER PRIMARY KEY,
  run_id             INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  case_id            TEXT NOT NULL CHECK (case_id <> ''),  -- primitive/operation/implementation
  library            TEXT NOT NULL,
  -- Of its times: 'measured' tells a physical board from any other. Each metric's own is in `statistic`.
  provenance         TEXT NOT NULL CHECK (provenance IN ('measured', 'modelled', 'counted', 'synthetic')),
  size_bytes         INTEGER NOT NULL CHECK (size_bytes >= 0),
  inner              INTEGER NOT NULL CHECK (inner >= 1),  -- operations in one marker window
  repetitions_wanted INTEGER NOT NULL CHECK (repetitions_wanted >= 0),
  warmup             INTEGER NOT NULL CHECK (warmup >= 0),
  gap_us             INTEGER NOT NULL CHECK (gap_us >= 0),
  clock_hz           REAL NOT NULL,
  timer_hz           REAL NOT NULL,
  flash_wait_states  INTEGER NOT NULL CHECK (flash_wait_states >= 0),
  voltage_v          REAL,
  rate_hz            REAL,  -- of the probe's samples
  known_answer       TEXT NOT NULL CHECK (known_answer IN ('passed', 'failed', 'not_run')),
  vectors            INTEGER NOT NULL CHECK (vectors >= 0),
  failed_vector      INTEGER NOT NULL CHECK (failed_vector >= 0),
  digest             INTEGER,
  stack_bytes        INTEGER,
  heap_bytes         INTEGER,
  started_utc_ns     INTEGER NOT NULL,
  valid              INTEGER NOT NULL CHECK (valid IN (0, 1)),
  fault              TEXT,
  error_code         TEXT,
  invalid_reason     TEXT,
  CHECK ((valid = 1) = (fault IS NULL) AND (valid = 1) = (error_code IS NULL) AND (valid = 1) = (invalid_reason IS NULL))
) STRICT;
CREATE INDEX measurement_run ON measurement (run_id);
CREATE INDEX measurement_case ON measurement (case_id, size_bytes);

-- One metric of a measurement: where its numbers come from, and what they reduce to for ONE operation, in the unit
-- that ends the metric's name. The values of the same
-- metric in `repetition` have it too. With n = 0 there is nothing but the provenance.
CREATE TABLE statistic (
  measurement_id  INTEGER NOT NULL REFERENCES measurement (id) ON DELETE CASCADE,
  metric          TEXT NOT NULL CHECK (metric IN ('edge_ns', 'timer_ns', 'instructions', 'cycles', 'charge_nc',
                                                  'net_charge_nc', 'energy_nj', 'net_energy_nj')),
  provenance      TEXT NOT NULL CHECK (provenance IN ('measured', 'modelled', 'counted', 'synthetic')),
  n               INTEGER NOT NULL CHECK (n >= 0),
  median          REAL,
  ci95_low        REAL,  -- 95 % confidence interval of the median
  ci95_high       REAL,
  mean            REAL,
  sd              REAL,
  min             REAL,
  max             REAL,
  u_instrument    REAL,  -- standard uncertainty, type B
  u_repeatability REAL,  -- standard uncertainty, type A
  u_expanded      REAL,  -- coverage_factor times both combined
  coverage_factor REAL,
  PRIMARY KEY (measurement_id, metric),
  CHECK (n > 0 OR median IS NULL)
) STRICT, WITHOUT ROWID;

-- One marker window (`inner` operations).
CREATE TABLE repetition (
  measurement_id INTEGER NOT NULL REFERENCES measurement (id) ON DELETE CASCADE,
  idx            INTEGER NOT NULL CHECK (idx >= 0),
  edge_ns        REAL,
  timer_ticks    INTEGER,
  instructions   INTEGER,
  cycles         INTEGER,
  charge_nc      REAL,
  net_charge_nc  REAL,
  energy_nj      REAL,
  net_energy_nj  REAL,
  baseline_na    REAL,
  first_sample   INTEGER,  -- window [first_sample, last_sample) of the trace
  last_sample    INTEGER,
  digest         INTEGER,
  valid          INTEGER NOT NULL CHECK (valid IN (0, 1)),
  invalid_reason TEXT,
  PRIMARY KEY (measurement_id, idx),
  CHECK ((valid = 1) = (invalid_reason IS NULL))
) STRICT, WITHOUT ROWID;

-- Raw samples around a measurement. A word's fields: see host/store/chunk.hpp.
CREATE TABLE trace (
  measurement_id INTEGER PRIMARY KEY REFERENCES measurement (id) ON DELETE CASCADE,
  first_sample   INTEGER NOT NULL,
  samples        INTEGER NOT NULL CHECK (samples >= 0),
  rate_hz        REAL NOT NULL CHECK (rate_hz > 0),
  value_shift    INTEGER NOT NULL,
  value_bits     INTEGER NOT NULL,
  counter_shift  INTEGER NOT NULL,
  counter_bits   INTEGER NOT NULL
) STRICT;

CREATE TABLE trace_chunk (
  measurement_id INTEGER NOT NULL REFERENCES trace (measurement_id) ON DELETE CASCADE,
  first_sample   INTEGER NOT NULL,
  samples        INTEGER NOT NULL CHECK (samples > 0),
  packed         BLOB NOT NULL,
  PRIMARY KEY (measurement_id, first_sample)
) STRICT;

-- No trustworthy samples in [first_sample, last_sample).
CREATE TABLE trace_gap (
  measurement_id INTEGER NOT NULL REFERENCES trace (measurement_id) ON DELETE CASCADE,
  first_sample   INTEGER NOT NULL,
  last_sample    INTEGER NOT NULL,
  missing        INTEGER NOT NULL CHECK (missing >= 0),
  cause          TEXT NOT NULL,
  CHECK (last_sample >= first_sample)
) STRICT;
CREATE INDEX trace_gap_trace ON trace_gap (measurement_id);

-- min/mean/max current in bands of 256 * 16^level samples; a row holds up to 256 bands of 3 little-endian floats.
CREATE TABLE trace_pyramid (
  measurement_id INTEGER NOT NULL REFERENCES trace (measurement_id) ON DELETE CASCADE,
  level          INTEGER NOT NULL CHECK (level >= 0),
  first_sample   INTEGER NOT NULL,
  bands          BLOB NOT NULL,
  PRIMARY KEY (measurement_id, level, first_sample)
) STRICT;
