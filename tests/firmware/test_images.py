"""The images: they fit their chips, say who they are, and the same source gives the same bytes anywhere."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
IMAGES = pathlib.Path(os.environ["RIGD_IMAGES"])
TOOL = "arm-none-eabi-"
FLASH_AND_RAM = {  # address and size, from the data sheets
    "microbit": ((0x00000000, 256 << 10), (0x20000000, 16 << 10)),
    "netduinoplus2": ((0x08000000, 1 << 20), (0x20000000, 128 << 10)),
}
MARKER_PORT_BYTES = 16  # the last of the RAM
LEAST_STACK_BYTES = 2048
CASE_RECORD_BYTES = 108  # core/case.h

boards = pytest.mark.parametrize("board", FLASH_AND_RAM)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def image(board):
    path = IMAGES / f"{board}.elf"
    assert path.exists(), f"{path} is missing: build the target `firmware` first"
    return path


def symbols(board):
    lines = (line.split() for line in run(TOOL + "nm", image(board)).splitlines())
    return {words[2]: int(words[0], 16) for words in lines if len(words) == 3}


def sections(board):
    """Name to (address, size) of everything that takes room in the chip."""
    found = {}
    for line in run(TOOL + "objdump", "-h", "-w", image(board)).splitlines():
        words = line.split()
        if len(words) > 7 and words[0].isdigit() and "ALLOC" in line:
            found[words[1]] = (int(words[3], 16), int(words[2], 16))
    return found


def inside(start, size, region):
    return region[0] <= start and start + size <= region[0] + region[1]


@boards
def test_fits_flash_and_ram(board):
    flash, ram = FLASH_AND_RAM[board]
    found = sections(board)
    assert {".text", ".data", ".bss", ".rigd_cases"} <= set(found)
    for name, (address, size) in found.items():
        region = ram if name in (".data", ".bss") else flash
        assert inside(address, size, region), f"{name} at {address:#x}, {size} bytes"
    for line in run(TOOL + "readelf", "-lW", image(board)).splitlines():
        words = line.split()
        if words and words[0] == "LOAD" and int(words[4], 16) > 0:
            assert inside(int(words[3], 16), int(words[4], 16), flash), "what is flashed lies in flash: " + line


@boards
def test_leaves_room_for_the_stack_and_the_marker_port(board):
    ram = FLASH_AND_RAM[board][1]
    found = symbols(board)
    end = ram[0] + ram[1]
    assert found["rigd_marker_port"] == end - MARKER_PORT_BYTES
    assert found["rigd_stack_top"] == found["rigd_marker_port"]
    assert found["rigd_stack_top"] - found["rigd_bss_end"] >= LEAST_STACK_BYTES


@boards
def test_starts_with_its_vector_table(board, tmp_path):
    binary = tmp_path / "flash.bin"
    run(TOOL + "objcopy", "-O", "binary", "-j", ".text", image(board), binary)
    first, second = (int.from_bytes(binary.read_bytes()[at:at + 4], "little") for at in (0, 4))
    assert first == symbols(board)["rigd_stack_top"]
    assert second & ~1 == symbols(board)["rigd_reset_handler"] & ~1 and second & 1, "Thumb code"


@boards
def test_has_a_build_id(board):
    notes = run(TOOL + "readelf", "-n", image(board))
    assert re.search(r"Build ID: [0-9a-f]{40}\b", notes), notes
    assert symbols(board)["rigd_build_id_note"] == sections(board)[".note.gnu.build-id"][0]


@boards
def test_says_what_it_can_measure(board):
    found = symbols(board)
    size = found["rigd_case_records_end"] - found["rigd_case_records_start"]
    count, rest = divmod(size, CASE_RECORD_BYTES)
    assert rest == 0 and count == sum(name.startswith("rigd_case_record_") and "_of" not in name for name in found)
    operations = sections(board)[".rigd_case_ops"][1]
    assert operations == 4 * count


@boards
def test_holds_no_path_of_the_machine_that_built_it(board):
    text = run("strings", "-a", image(board))
    for path in (REPOSITORY, IMAGES.parent, os.environ["RIGD_MBEDTLS_ROOT"], os.environ["RIGD_NANOPB_ROOT"]):
        assert str(path) not in text


def build(folder):
    """The whole cross build, from a copy of the sources in `folder`."""
    for part in ("firmware", "proto"):
        shutil.copytree(REPOSITORY / part, folder / "source" / part)
    boards_folder = folder / "source/firmware/boards"
    definitions = {
        "CMAKE_TOOLCHAIN_FILE": boards_folder / "arm-none-eabi.cmake",
        "CMAKE_C_COMPILER_LAUNCHER": "",  # a cache would make the comparison one with itself
        "RIGD_VERSION": "0.0.0",
        "RIGD_OPTIMISATION": "-Os",
        "RIGD_IMAGES": folder / "images",
        "MBEDTLS_ROOT": os.environ["RIGD_MBEDTLS_ROOT"],
        "NANOPB_ROOT": os.environ["RIGD_NANOPB_ROOT"],
    }
    run("cmake", "-G", "Ninja", "-S", boards_folder, "-B", folder / "build",
        *(f"-D{name}={value}" for name, value in definitions.items()))
    run("cmake", "--build", folder / "build")
    return folder / "images"


def test_the_same_source_gives_the_same_bytes_in_another_folder(tmp_path):
    one = build(tmp_path / "one")
    other = build(tmp_path / "another/and-deeper")
    for board in FLASH_AND_RAM:
        assert (one / f"{board}.elf").read_bytes() == (other / f"{board}.elf").read_bytes()
