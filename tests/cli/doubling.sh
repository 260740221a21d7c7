#!/bin/sh
# Twice the input takes about twice the time (tests/doubling.py), in the build that users have.
. "$(dirname "$0")/../lib.sh"
gcc_only "times are measured in the build without sanitizers"
python3 "$top/tests/doubling.py" "$FPREPORT" "$top/records"
