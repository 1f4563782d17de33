"""The energy oracle: the simulator knows the true charge of each window."""

import json

import pytest
import rig

# Many window lengths: for a single one the share of windows within two standard uncertainties of the edges is anything
# from 82 to 100 %, by how the length falls on the sample grid; over all lengths it is 96.6 % (a triangle).
SIZES = range(16, 1016, 25)
WARMUP, REPETITIONS = 2, 10


@pytest.fixture(scope="module", params=["microbit", "netduinoplus2"])
def quiet(request, tmp_path_factory):
    """1 ms windows without noise: what remains is the probe's resolution and the coarseness of its edges."""
    folder = tmp_path_factory.mktemp(request.param)
    truth = folder / "truth.jsonl"
    plan = rig.write_plan(folder, cases=[("sha-256/hash/mbedtls", size) for size in SIZES],
                          repetitions=REPETITIONS, warmup=WARMUP)
    slot = rig.Slot(board=request.param, extra_args=("--truth", str(truth)))
    bench = rig.write_bench(folder, slot)
    shipped = (rig.ROOT / f"rigs/boards/{request.param}.toml").read_text()
    quiet_board = "\n".join(line.replace("value = 30.0", "value = 0.0").replace("value = 150.0", "value = 0.0")
                            if line.startswith("noise_ua") else line for line in shipped.splitlines())
    (folder / "board.toml").write_text(quiet_board)
    bench.write_text(bench.read_text().replace(f"{rig.ROOT}/rigs/boards/{request.param}.toml", str(folder / "board.toml")))
    outcome = rig.run(folder, plan, bench)
    assert outcome.status == 0, outcome.stderr
    return outcome, [json.loads(line) for line in truth.read_text().splitlines()]


def measurements(quiet):
    """For each measurement its row, its repetitions and the true windows behind them."""
    outcome, truth = quiet
    rows = outcome.rows(
        "SELECT m.id, m.inner, s.u_repeatability, s.u_instrument FROM measurement m JOIN statistic s "
        "ON s.measurement_id = m.id AND s.metric = 'charge_nc' ORDER BY m.id")
    assert len(rows) == len(SIZES)
    at = 0
    for row in rows:
        repetitions = outcome.rows("SELECT * FROM repetition WHERE measurement_id = ? ORDER BY idx", row["id"])
        length = repetitions[0]["cycles"]
        cycles = [window["last_cycles"] - window["first_cycles"] for window in truth]
        while cycles[at:at + WARMUP + REPETITIONS] != [length] * (WARMUP + REPETITIONS):
            at += 1
        yield row, repetitions, truth[at + WARMUP:at + WARMUP + REPETITIONS]
        at += WARMUP + REPETITIONS


def test_charge_is_right_within_half_a_percent_on_average(quiet):
    measured = true = 0
    for _, repetitions, windows in measurements(quiet):
        measured += sum(row["charge_nc"] for row in repetitions) * 1e-9
        true += sum(window["charge_c"] for window in windows)
    print(f"mean error {measured / true - 1:+.4%}")
    assert abs(measured / true - 1) < 0.005


def test_charge_of_a_window_is_within_its_stated_uncertainty(quiet):
    """Of the whole budget, and of its independent part alone: a simulated probe has no gain error."""
    within_whole = within_independent = total = 0
    for row, repetitions, windows in measurements(quiet):
        to_coulomb = row["inner"] * 1e-9
        independent = 2 * row["u_repeatability"] * to_coulomb
        whole = 2 * (row["u_repeatability"] ** 2 + row["u_instrument"] ** 2) ** 0.5 * to_coulomb
        for repetition, window in zip(repetitions, windows):
            error = abs(repetition["charge_nc"] * 1e-9 - window["charge_c"])
            within_whole += error <= whole
            within_independent += error <= independent
            total += 1
    print(f"of {total} windows {within_whole} are within the whole, {within_independent} within the independent part")
    assert within_whole >= 0.95 * total
    assert within_independent >= 0.95 * total


def test_true_duration_is_the_counted_one(quiet):
    for _, repetitions, windows in measurements(quiet):
        for repetition, window in zip(repetitions, windows):
            assert window["duration_s"] == pytest.approx(repetition["edge_ns"] * 1e-9, rel=1e-9)
