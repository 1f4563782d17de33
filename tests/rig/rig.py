"""Drives the real rigd on simulated benches and reads what it stored."""

import dataclasses
import os
import pathlib
import sqlite3
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("RIGD_BIN", ROOT / "build/dev/bin"))
IMAGES = pathlib.Path(os.environ.get("RIGD_IMAGES", ROOT / "build/dev/images"))

BOARDS = {"m0": "microbit", "m4": "netduinoplus2"}


@dataclasses.dataclass
class Slot:
    """A simulated slot; what is None is as in the shipped bench."""

    name: str = "m0"
    board: str = "microbit"
    serial: str = ""
    faults: tuple = ()  # "adapter:missing=1", "ppk2:drop_in_window=3@5", "board:kill_at_window=4"
    extra_args: tuple = ()
    image: str = ""
    link_socket: str = "{slot}/uart.sock"
    probe_socket: str = "{slot}/ppk2.sock"
    env: dict = dataclasses.field(default_factory=dict)

    def toml(self):
        serial = self.serial or f"RIGD-SIM-{self.name.upper()}"
        args = ["--board", BOARDS.get(self.board, self.board), "--slot-dir", "{slot}", "--usb-dir", "{usb}"]
        args += ["--adapter-serial", serial, "--seed", "7", *self.extra_args]
        for fault in self.faults:
            args += ["--fault", fault]
        env = {"LD_PRELOAD": "{bin}/librigd-virtual-hid.so", "RIGD_VIRTUAL_USB": "{usb}", **self.env}
        quoted = ", ".join(f'"{arg}"' for arg in args)
        env_text = ", ".join(f'{key} = "{value}"' for key, value in env.items())
        image = f'image = "{self.image}"\n' if self.image else ""
        return f"""
[[slot]]
name = "{self.name}"
board = "{ROOT}/rigs/boards/{BOARDS.get(self.board, self.board)}.toml"
{image}
[slot.simulator]
program = "{{bin}}/rigd-sim-board"
args = [{quoted}]
[slot.adapter]
serial = "{serial}"
interface = "interface/cmsis-dap.cfg"
usb_root = "{{usb}}"
env = {{ {env_text} }}
[slot.link]
socket = "{self.link_socket}"
[slot.probe]
driver = "ppk2"
socket = "{self.probe_socket}"
mode = "source"
voltage_mv = 3000
marker_input = 0
[slot.counter]
socket = "{{slot}}/edges.sock"
"""


def good_slot():
    return Slot(name="m4", board="netduinoplus2")


def write_bench(folder, *slots):
    path = folder / "bench.toml"
    path.write_text('[bench]\nname = "test"\n' + "".join(slot.toml() for slot in slots))
    return path


def write_plan(folder, cases=(("sha-256/hash/mbedtls", 55), ("aes-128-ctr/encrypt/mbedtls", 256)), **measure):
    settings = {"repetitions": 5, "warmup": 1, **measure}
    deadlines = {key[:-2] + "_s": settings.pop(key) for key in list(settings) if key.endswith("_s")}
    lines = ['[plan]\nname = "test"\n[measure]\n']
    lines += [f"{key} = {repr(value).replace(chr(39), chr(34))}\n" for key, value in settings.items()]
    if deadlines:
        lines += ["[deadlines]\n"] + [f"{key} = {value}\n" for key, value in deadlines.items()]
    lines += [f'[[case]]\nid = "{case}"\nsizes = [{size}]\n' for case, size in cases]
    path = folder / "plan.toml"
    path.write_text("".join(lines))
    return path


@dataclasses.dataclass
class Outcome:
    status: int
    stdout: str
    stderr: str
    seconds: float
    database: pathlib.Path

    def rows(self, query, *arguments):
        connection = sqlite3.connect(self.database)
        connection.row_factory = sqlite3.Row
        try:
            return connection.execute(query, arguments).fetchall()
        finally:
            connection.close()

    def run_of(self, slot):
        return self.rows("SELECT * FROM run WHERE slot = ? ORDER BY id DESC LIMIT 1", slot)[0]

    def measurements_of(self, slot):
        return self.rows(
            "SELECT m.* FROM measurement m JOIN run r ON r.id = m.run_id WHERE r.slot = ? ORDER BY m.id", slot)

    def error_lines(self):
        return [line for line in self.stderr.splitlines() if line.startswith("rigd: ")]


def command(plan, bench, database, *more):
    return [BIN / "rigd", "run", plan, "--bench", bench, "--db", database, "--images", IMAGES, *more]


def run(folder, plan, bench, *more, database=None, timeout=120, env=None):
    database = database or folder / "results.db"
    began = time.monotonic()
    done = subprocess.run(list(map(str, command(plan, bench, database, *more))), capture_output=True, text=True,
                          timeout=timeout, env={**os.environ, **(env or {})})
    return Outcome(done.returncode, done.stdout, done.stderr, time.monotonic() - began, database)


def children_left(marker):
    """Processes whose command line holds `marker` (a run's scratch folder, an adapter serial)."""
    left = []
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = (folder / "stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if marker in line and state != "Z":
            left.append(line.strip())
    return left
