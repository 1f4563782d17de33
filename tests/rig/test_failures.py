"""Each way a rig can break: the right class and exit status, a remedy in one line, no wait beyond its deadline, and
the other board's results complete."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading

import pytest
import rig

CASES = (("sha-256/hash/mbedtls", 55), ("aes-128-ctr/encrypt/mbedtls", 256))
RIG, BOARD, INVALID = 4, 1, 7


def check(outcome, status, code, limit_s, words=()):
    """The slot m0 failed as `code`; m4 is complete."""
    assert outcome.status == status, outcome.stderr
    assert outcome.seconds < limit_s
    failed = outcome.run_of("m0")
    assert failed["state"] == "failed", dict(failed)
    assert failed["error_code"] == code, failed["error_text"]
    line = [text for text in outcome.error_lines() if "m0" in text]
    assert len(line) == 1 and " -> " in line[0], outcome.stderr
    for word in words:
        assert word in line[0]
    good_slot_complete(outcome)


def good_slot_complete(outcome):
    assert outcome.run_of("m4")["state"] == "finished"
    rows = outcome.measurements_of("m4")
    assert [(row["case_id"], row["size_bytes"]) for row in rows] == list(CASES)
    assert all(row["valid"] for row in rows)


def run(folder, slot, **measure):
    plan = rig.write_plan(folder, cases=CASES, **measure)
    return rig.run(folder, plan, rig.write_bench(folder, slot, rig.good_slot()))


def test_adapter_missing(tmp_path):
    outcome = run(tmp_path, rig.Slot(faults=("adapter:missing=1",)))
    check(outcome, RIG, "adapter_missing", 30, ["RIGD-SIM-M0"])


def test_two_adapters_with_the_same_selector(tmp_path):
    outcome = run(tmp_path, rig.Slot(faults=("adapter:duplicate=1",)))
    check(outcome, RIG, "adapter_ambiguous", 30, ["RIGD-SIM-M0"])


def test_openocd_hangs(tmp_path):
    outcome = run(tmp_path, rig.Slot(faults=("adapter:hang_after=100",)), flash_s=3)
    check(outcome, RIG, "adapter_hung", 30)
    assert not rig.children_left("RIGD-SIM-M0")


def test_verify_mismatch(tmp_path):
    slot = rig.Slot(faults=("adapter:stuck_bit=1024",))
    check(run(tmp_path, slot), RIG, "verify_mismatch", 40)


def build_image(folder, name, source):
    """A bare microbit image from assembly, with a build-id."""
    (folder / f"{name}.S").write_text(source)
    (folder / f"{name}.ld").write_text("""
SECTIONS {
  .text 0 : { KEEP(*(.vectors)) *(.text*) }
  .note.gnu.build-id : { KEEP(*(.note.gnu.build-id)) }
}
""")
    subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb", "-nostdlib", "-Wl,--build-id=sha1",
                    f"-T{folder / name}.ld", f"{folder / name}.S", "-o", f"{folder / name}.elf"], check=True)
    return folder / f"{name}.elf"


IDLE = """
.syntax unified
.section .vectors
.word 0x20003f00
.word start + 1
.text
.thumb_func
start: wfi
b start
"""


def with_case_list_of(image, folder):
    """The silent image carries the case list of the real one, so that the plan is accepted."""
    cases = folder / "cases.bin"
    subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", "-j", ".rigd_cases", "--set-section-flags",
                    ".rigd_cases=alloc,load,contents", rig.IMAGES / "microbit.elf", cases], check=True)
    done = folder / "with-cases.elf"
    subprocess.run(["arm-none-eabi-objcopy", "--add-section", f".rigd_cases={cases}", image, done], check=True)
    return done


def test_board_silent_after_a_good_flash(tmp_path):
    silent = with_case_list_of(build_image(tmp_path, "silent", IDLE), tmp_path)
    outcome = run(tmp_path, rig.Slot(image=str(silent)), answer_s=2)
    check(outcome, BOARD, "board_silent", 30)


@pytest.fixture
def other_board(tmp_path):
    """A second microbit that already runs an image of another build-id, outside any bench."""
    image = bytearray((rig.IMAGES / "microbit.elf").read_bytes())
    note = image.index(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0") + 16
    image[note:note + 20] = bytes(20)
    (tmp_path / "old.elf").write_bytes(image)
    folder = tempfile.mkdtemp(prefix="old-", dir="/tmp")
    board = subprocess.Popen([rig.BIN / "rigd-sim-board", "--board", "microbit", "--slot-dir", folder, "--usb-dir", folder,
                              "--adapter-serial", "OLD", "--seed", "1", "--kernel", tmp_path / "old.elf",
                              "--without", "adapter", "--without", "ppk2"], stdout=subprocess.PIPE, text=True)
    assert board.stdout.readline() == "ready\n"
    yield f"{folder}/uart.sock"
    board.terminate()
    board.wait()
    shutil.rmtree(folder)


def test_board_answers_with_an_old_build_id(tmp_path, other_board):
    """Adapter and serial link go to different boards: the flash is good, the answer comes from an older image."""
    check(run(tmp_path, rig.Slot(link_socket=other_board)), RIG, "wrong_image", 30, ["0000000000"])


class CorruptingProxy:
    """Between rigd and a board's serial socket; changes bytes the board sends."""

    def __init__(self, listen, target, change):
        self.target, self.change = target, change
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(str(listen))
        self.server.listen(4)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.server.accept()
            board = socket.socket(socket.AF_UNIX)
            board.connect(str(self.target()))
            threading.Thread(target=self.pump, args=(client, board, lambda data: data), daemon=True).start()
            threading.Thread(target=self.pump, args=(board, client, self.change), daemon=True).start()

    @staticmethod
    def pump(source, sink, change):
        try:
            while data := source.recv(4096):
                sink.sendall(change(data))
        except OSError:
            pass
        finally:
            for end in (source, sink):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


def test_corrupted_frame_bytes(tmp_path):
    """Every byte of every answer has a bit turned: a rig with a bad cable, not a board with a wrong answer."""
    scratch = pathlib.Path(os.environ.get("TMPDIR", "/tmp"))

    def board_socket():
        return max(scratch.glob("rigd-*/m0/uart.sock"), key=lambda p: p.stat().st_mtime)

    proxy = tmp_path / "p.sock"
    CorruptingProxy(proxy, board_socket, lambda data: bytes(byte ^ 0x04 if byte else byte for byte in data))
    outcome = run(tmp_path, rig.Slot(link_socket=str(proxy)), answer_s=2)
    check(outcome, RIG, "link_corrupt", 30)


def test_one_corrupted_frame_costs_one_frame(tmp_path):
    scratch = pathlib.Path(os.environ.get("TMPDIR", "/tmp"))
    seen = {"bytes": 0}

    def once(data):
        first = seen["bytes"]
        seen["bytes"] += len(data)
        if first <= 40 < seen["bytes"]:
            at = 40 - first
            data = data[:at] + bytes([data[at] ^ 0x04 or 0x08]) + data[at + 1:]
        return data

    def board_socket():
        return max(scratch.glob("rigd-*/m0/uart.sock"), key=lambda p: p.stat().st_mtime)

    proxy = tmp_path / "p.sock"
    CorruptingProxy(proxy, board_socket, once)
    outcome = run(tmp_path, rig.Slot(link_socket=str(proxy)))
    assert outcome.status == 0, outcome.stderr
    assert len(outcome.measurements_of("m0")) == len(CASES)


def test_qemu_killed_inside_a_window(tmp_path):
    outcome = run(tmp_path, rig.Slot(faults=("board:kill_at_window=3",)))
    check(outcome, RIG, "child_died", 30)


LOCKUP = """
.syntax unified
.section .vectors
.word 0x20003f00
.word start + 1
.word 0
.word 0
.text
.thumb_func
start: udf #0
"""


def test_firmware_that_locks_up_is_an_event_not_a_hang(tmp_path):
    """A fault without a handler: on silicon the core locks up; QEMU ends. The board is at fault, not the rig."""
    image = with_case_list_of(build_image(tmp_path, "lockup", LOCKUP), tmp_path)
    outcome = run(tmp_path, rig.Slot(image=str(image)), answer_s=3)
    check(outcome, BOARD, "board_crashed", 30, ["Lockup"])


def test_probe_unplugged_inside_a_window(tmp_path):
    outcome = run(tmp_path, rig.Slot(faults=("ppk2:disconnect_in_window=3",)))
    check(outcome, RIG, "probe_lost", 30)


@pytest.mark.parametrize("fault", ["drop_in_window=7@4", "drop_block_in_window=4", "drop_bytes_in_window=2@4"])
def test_samples_lost_inside_a_window(tmp_path, fault):
    """Invalid, never a smaller energy. A dropped 512-block is invisible to the probe's own counter."""
    outcome = run(tmp_path, rig.Slot(faults=(f"ppk2:{fault}",)))
    assert outcome.status == INVALID, outcome.stderr
    assert outcome.seconds < 40
    first = outcome.measurements_of("m0")[0]
    assert not first["valid"] and first["fault"] == "invalid", dict(first)
    assert outcome.measurements_of("m0")[1]["valid"]
    good_slot_complete(outcome)


@pytest.fixture
def small_disk(tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", folder], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("needs the right to mount a small disk")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_disk_full(tmp_path, small_disk):
    plan = rig.write_plan(tmp_path, cases=CASES * 8, repetitions=50)
    bench = rig.write_bench(tmp_path, rig.Slot(), rig.good_slot())
    outcome = rig.run(tmp_path, plan, bench, database=small_disk / "results.db")
    assert outcome.status == RIG, outcome.stderr
    assert any("disk" in line for line in outcome.error_lines()), outcome.stderr
    assert outcome.rows("PRAGMA integrity_check")[0][0] == "ok"
    for row in outcome.measurements_of("m0") + outcome.measurements_of("m4"):
        wanted = outcome.rows("SELECT count(*) FROM repetition WHERE measurement_id = ?", row["id"])[0][0]
        assert wanted == 50
