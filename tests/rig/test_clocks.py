"""Clocks checked against each other. Under --core none the simulator's edge clock is its instruction count, one
nanosecond each, which is also what the board's own timer counts: a simulated board whose timer tells time, on which a
wrong clock can be set on purpose."""

import pytest
import rig

GHZ = 1_000_000_000


def board_file(folder, clock_hz):
    text = (rig.ROOT / "rigs/boards/microbit.toml").read_text()
    text = text.replace("clock_hz = 16_000_000", f"clock_hz = {clock_hz}")
    text = text.replace('timer_counts = "instructions"', 'timer_counts = "time"')
    path = folder / "microbit.toml"
    path.write_text(text)
    return path


def run_with_clock(folder, clock_hz):
    # The firmware idles by counting for 16 MHz: at 1 GHz a millisecond of idling needs 125 times as long a gap.
    plan = rig.write_plan(folder, cases=[("sha-256/hash/mbedtls", 55)], repetitions=50, gap_us=125_000)
    bench = rig.write_bench(folder, rig.Slot(extra_args=("--core", "none")))
    shipped = f'{rig.ROOT}/rigs/boards/microbit.toml'
    bench.write_text(bench.read_text().replace(shipped, str(board_file(folder, clock_hz))))
    return rig.run(folder, plan, bench)


def test_clocks_that_agree(tmp_path):
    outcome = run_with_clock(tmp_path, GHZ)
    assert outcome.status == 0, outcome.stderr


@pytest.mark.parametrize("error", [+0.004, -0.004])
def test_a_board_clock_off_by_more_than_a_thousandth_is_flagged(tmp_path, error):
    outcome = run_with_clock(tmp_path, round(GHZ * (1 + error)))
    assert outcome.status == 7, outcome.stderr
    row = outcome.measurements_of("m0")[0]
    assert not row["valid"] and row["error_code"] == "clocks_disagree", dict(row)


def test_a_probe_whose_clock_is_off_is_flagged(tmp_path):
    """Counted edges and the probe's samples time the same windows."""
    plan = rig.write_plan(tmp_path, cases=[("sha-256/hash/mbedtls", 55)], repetitions=50, min_window_us=20_000)
    bench = rig.write_bench(tmp_path, rig.Slot(faults=("ppk2:rate_ppm=4000",)))
    outcome = rig.run(tmp_path, plan, bench)
    assert outcome.status == 7, outcome.stderr
    assert not outcome.measurements_of("m0")[0]["valid"]
