"""A plan runs end to end on two simulated boards."""

import csv
import json
import signal
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
import rig

QUICK = rig.ROOT / "rigs/plans/quick.toml"
BENCH = rig.ROOT / "rigs/benches/simulated.toml"

COUNTS = """
SELECT r.slot, m.case_id, m.size_bytes, p.idx, p.instructions, p.cycles
FROM repetition p JOIN measurement m ON m.id = p.measurement_id JOIN run r ON r.id = m.run_id
ORDER BY r.slot, m.case_id, m.size_bytes, p.idx
"""


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quick")
    reports = [arg for kind in ("csv", "json", "xml", "html") for arg in ("--report", folder / f"out.{kind}")]
    outcome = rig.run(folder, QUICK, BENCH, *reports)
    outcome.folder = folder
    assert outcome.status == 0, outcome.stderr
    return outcome


def counts(outcome):
    return [tuple(row) for row in outcome.rows(COUNTS)]


def test_every_case_is_measured_on_both_boards(quick):
    rows = quick.rows("SELECT r.slot, count(*) AS n, sum(m.valid) AS valid FROM measurement m "
                      "JOIN run r ON r.id = m.run_id GROUP BY r.slot")
    assert [(row["slot"], row["n"], row["valid"]) for row in rows] == [("m0", 10, 10), ("m4", 10, 10)]
    assert all(row["known_answer"] == "passed" and row["vectors"] > 0 for row in quick.rows("SELECT * FROM measurement"))
    assert quick.rows("SELECT count(*) FROM repetition WHERE valid = 1")[0][0] == 2 * 10 * 50


def test_windows_are_long_enough_for_the_probe(quick):
    assert quick.rows("SELECT min(edge_ns) FROM repetition")[0][0] >= 1e6


def test_provenance_never_says_measured_on_a_simulated_bench(quick):
    found = {(row["metric"], row["provenance"]) for row in quick.rows("SELECT metric, provenance FROM statistic")}
    assert ("cycles", "modelled") in found and ("instructions", "counted") in found
    assert ("energy_nj", "synthetic") in found
    assert not [entry for entry in found if entry[1] == "measured"]


def test_all_repetitions_of_a_case_agree_exactly(quick):
    rows = quick.rows("SELECT count(DISTINCT instructions) AS i, count(DISTINCT cycles) AS c, "
                      "count(DISTINCT digest) AS d FROM repetition GROUP BY measurement_id")
    assert {(row["i"], row["c"], row["d"]) for row in rows} == {(1, 1, 1)}


def test_both_boards_give_the_same_output(quick):
    """Same input, same inner count, same digest; a stream cipher's output depends on inner, so only equal ones count."""
    rows = quick.rows("SELECT case_id, size_bytes, inner, count(DISTINCT digest) AS digests FROM measurement "
                      "GROUP BY case_id, size_bytes, inner")
    assert {row["digests"] for row in rows} == {1}


def test_counts_are_identical_between_two_runs_and_under_load(quick, tmp_path):
    load = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2)]
    try:
        again = rig.run(tmp_path, QUICK, BENCH)
    finally:
        for process in load:
            process.kill()
            process.wait()
    assert again.status == 0, again.stderr
    assert counts(again) == counts(quick)


def test_timer_counts_instructions_within_one_tick(quick):
    rows = quick.rows("SELECT m.timer_hz, p.timer_ticks, p.instructions FROM repetition p "
                      "JOIN measurement m ON m.id = p.measurement_id")
    assert len(rows) == 1000
    for row in rows:
        expected = row["instructions"] * 1e-9 * row["timer_hz"]
        assert abs(row["timer_ticks"] - expected) <= 1.0, dict(row)


def test_reports_agree_with_the_database(quick):
    rows = list(csv.DictReader((quick.folder / "out.csv").open()))
    assert len(rows) == 20
    document = json.loads((quick.folder / "out.json").read_text())
    assert document
    suite = ElementTree.parse(quick.folder / "out.xml").getroot()
    assert len(suite.findall(".//testcase")) == 20
    assert not suite.findall(".//failure") and not suite.findall(".//error")
    page = (quick.folder / "out.html").read_text()
    assert page.count("<svg") >= 20
    assert "http://" not in page.replace("http://www.w3.org", "") and "https://" not in page


def test_json_on_standard_output_is_all_there_is(tmp_path):
    outcome = rig.run(tmp_path, rig.write_plan(tmp_path), rig.write_bench(tmp_path, rig.Slot()), "--json")
    assert outcome.status == 0, outcome.stderr
    json.loads(outcome.stdout)


def test_one_slot_can_be_chosen(tmp_path):
    outcome = rig.run(tmp_path, rig.write_plan(tmp_path), BENCH, "--slot", "m4")
    assert outcome.status == 0, outcome.stderr
    assert [row["slot"] for row in outcome.rows("SELECT slot FROM run")] == ["m4"]


def test_an_interrupt_ends_in_order(tmp_path):
    """Ctrl-C: exit 130, runs marked, finished measurements kept, nothing left running."""
    process = subprocess.Popen(list(map(str, rig.command(QUICK, BENCH, tmp_path / "results.db"))),
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if " measure " in line:
            break
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=30)[1]
    assert process.returncode == 130, rest
    assert "defect" not in rest
    outcome = rig.Outcome(130, "", rest, 0, tmp_path / "results.db")
    assert {row["state"] for row in outcome.rows("SELECT state FROM run")} == {"interrupted"}
    assert outcome.rows("SELECT count(*) FROM measurement WHERE valid = 1")[0][0] >= 1
    assert not rig.children_left("RIGD-SIM-")


def test_nothing_is_left_behind(quick):
    assert not rig.children_left("RIGD-SIM-")
