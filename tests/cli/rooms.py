"""The map of docs/ARCHITECTURE.md held against the folders and includes of a checkout.

    rooms.py FOLDER    prints one line for each departure: a room without a row, a row without a room, a room
                       of another size than 4 to 30 files, an include of a higher or an equal floor

A stage includes itself and base, cli everything. Inside a stage a room includes lower floors only, so that no
folder is part of a cycle. Folders that only hold rooms have no row.
"""

import re
import sys
from pathlib import Path

STAGES = ["base", "collector", "verifier", "renderer", "trainer", "cli"]
FEWEST, MOST = 4, 30


def rooms_of_map(text):
    """Floors by room, from the rows | `room/` | floor | sentence |."""
    rows = re.findall(r"^\| `([a-z_/]+)/` \| (\d+) \| \S.* \|$", text, re.M)
    return {room: int(floor) for room, floor in rows}


def files_of(top, room):
    return sorted(f for f in (top / room).iterdir() if f.suffix in (".c", ".h", ".cu", ".cuh"))


def rooms_of_tree(top):
    folders = [f for stage in STAGES for f in [top / stage, *(top / stage).rglob("*")] if f.is_dir()]
    return {str(f.relative_to(top)) for f in folders if files_of(top, f.relative_to(top))}


def may_include(room, other, floors):
    stage, theirs = room.split("/")[0], other.split("/")[0]
    if stage != theirs:
        return stage == "cli" or theirs == "base"
    return room == other or floors[other] < floors[room]


def departures(top):
    floors = rooms_of_map((top / "docs/ARCHITECTURE.md").read_text(encoding="utf-8"))
    rooms = rooms_of_tree(top)
    yield from (f"docs/ARCHITECTURE.md: no row for {room}/" for room in sorted(rooms - set(floors)))
    yield from (f"docs/ARCHITECTURE.md: no files in {room}/" for room in sorted(set(floors) - rooms))
    for room in sorted(rooms & set(floors)):
        files = files_of(top, room)
        if not FEWEST <= len(files) <= MOST:
            yield f"{room}/: found {len(files)} files, expected {FEWEST} to {MOST}: what belongs together has a room of its own"
        for file in files:
            for include in re.findall(r'^#include "([^"]+)"', file.read_text(encoding="utf-8"), re.M):
                other = str(Path(include).parent)
                if other not in floors or not may_include(room, other, floors):
                    yield f'{file.relative_to(top)}: includes "{include}", which is not on a lower floor'


if __name__ == "__main__":
    for line in departures(Path(sys.argv[1])):
        print(line)
