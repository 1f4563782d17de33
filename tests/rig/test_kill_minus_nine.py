"""kill -9 of rigd at any moment loses no finished measurement and leaves no process behind."""

import random
import signal
import subprocess
import time

import rig

KILLS = 50


def finished(path):
    outcome = rig.Outcome(0, "", "", 0, path)
    if not path.exists():
        return {}
    return {row["id"]: row["repetitions"] for row in outcome.rows(
        "SELECT m.id, count(r.idx) AS repetitions FROM measurement m JOIN repetition r ON r.measurement_id = m.id "
        "GROUP BY m.id")}


def test_nothing_finished_is_lost_and_no_child_survives(tmp_path):
    plan = rig.write_plan(tmp_path, repetitions=10)
    bench = rig.write_bench(tmp_path, rig.Slot(), rig.good_slot())
    path = tmp_path / "results.db"
    random.seed(1)
    whole = rig.run(tmp_path, plan, bench, database=tmp_path / "warm-up.db").seconds
    before = {}
    for _ in range(KILLS):
        process = subprocess.Popen(list(map(str, rig.command(plan, bench, path))), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.01, whole))
        process.send_signal(signal.SIGKILL)
        process.wait()
        deadline = time.monotonic() + 5
        while (left := rig.children_left("RIGD-SIM-")) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not left, left
        now = finished(path)
        assert before.items() <= now.items()
        assert all(count == 10 for count in now.values())
        if path.exists():
            assert rig.Outcome(0, "", "", 0, path).rows("PRAGMA integrity_check")[0][0] == "ok"
        before = now

    last = rig.run(tmp_path, plan, bench)
    assert last.status == 0, last.stderr
    states = {row["state"] for row in last.rows("SELECT state FROM run")}
    assert states <= {"finished", "interrupted"}, states
    assert last.rows("SELECT count(*) FROM run WHERE state = 'interrupted'")[0][0] > 0
