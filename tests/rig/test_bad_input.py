"""Bad input: exit 2, one line naming file and place, nothing created."""

import sqlite3

import pytest
import rig


def refused(outcome, *fragments):
    lines = outcome.error_lines()
    assert outcome.status == 2, outcome.stderr
    assert len(lines) == 1, outcome.stderr
    for fragment in fragments:
        assert fragment in lines[0]
    assert outcome.stdout == ""


@pytest.fixture
def plan(tmp_path):
    return rig.write_plan(tmp_path)


@pytest.fixture
def bench(tmp_path):
    return rig.write_bench(tmp_path, rig.Slot())


def test_missing_plan(tmp_path, bench):
    outcome = rig.run(tmp_path, tmp_path / "no-such.toml", bench)
    refused(outcome, "no-such.toml: no such file")
    assert not outcome.database.exists()


def test_malformed_plan(tmp_path, bench):
    path = tmp_path / "broken.toml"
    path.write_text("[plan]\nname = \n")
    outcome = rig.run(tmp_path, path, bench)
    refused(outcome, "broken.toml:2:")
    assert not outcome.database.exists()


def test_missing_bench(tmp_path, plan):
    outcome = rig.run(tmp_path, plan, tmp_path / "no-bench.toml")
    refused(outcome, "no-bench.toml: no such file")
    assert not outcome.database.exists()


def test_unreadable_bench(tmp_path, plan):
    folder = tmp_path / "a-folder.toml"
    folder.mkdir()
    outcome = rig.run(tmp_path, plan, folder)
    refused(outcome, "a-folder.toml: not a file")
    assert not outcome.database.exists()


def test_unknown_key_in_bench(tmp_path, plan, bench):
    bench.write_text(bench.read_text() + "colour = 'red'\n")
    outcome = rig.run(tmp_path, plan, bench)
    refused(outcome, "bench.toml:", "unknown key 'slot[0].counter.colour'")
    assert not outcome.database.exists()


def test_unknown_case(tmp_path, bench):
    plan = rig.write_plan(tmp_path, cases=[("aes-512/encrypt/mbedtls", 256)])
    outcome = rig.run(tmp_path, plan, bench)
    refused(outcome, "plan.toml:", "aes-512/encrypt/mbedtls")
    assert not outcome.database.exists()


def test_size_that_does_not_fit(tmp_path, bench):
    plan = rig.write_plan(tmp_path, cases=[("aes-128-cbc/encrypt/mbedtls", 255)])
    outcome = rig.run(tmp_path, plan, bench)
    refused(outcome, "plan.toml:", "255", "16")
    assert not outcome.database.exists()


def test_unknown_slot(tmp_path, plan, bench):
    outcome = rig.run(tmp_path, plan, bench, "--slot", "m9")
    refused(outcome, "m9", "bench.toml")
    assert not outcome.database.exists()


def test_database_folder_missing(tmp_path, plan, bench):
    outcome = rig.run(tmp_path, plan, bench, database=tmp_path / "nowhere" / "results.db")
    refused(outcome, "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_database_is_something_else(tmp_path, plan, bench):
    path = tmp_path / "letter.db"
    path.write_text("Dear Sir or Madam\n" * 100)
    before = path.read_bytes()
    outcome = rig.run(tmp_path, plan, bench, database=path)
    refused(outcome, "letter.db")
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bench.toml", "letter.db", "plan.toml"]


def test_database_of_a_newer_schema(tmp_path, plan, bench):
    assert rig.run(tmp_path, plan, bench).status == 0
    path = tmp_path / "results.db"
    connection = sqlite3.connect(path)
    current = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.execute(f"PRAGMA user_version = {current + 41}")
    connection.commit()
    connection.close()
    outcome = rig.run(tmp_path, plan, bench)
    refused(outcome, str(current), str(current + 41))


def test_unknown_report_kind(tmp_path, plan, bench):
    outcome = rig.run(tmp_path, plan, bench, "--report", tmp_path / "out.docx")
    refused(outcome, "out.docx")
    assert not outcome.database.exists()
