# lib.sh: TAP for shell tests. Source it first, call `plan_done` last.
#
#   . "$(dirname "$0")/../../lib.sh"
#   check "imports a page" "$FPREPORT" import -o - page.md      passes when the command exits 0
#   check_exit 3 "refuses a broken record" "$FPREPORT" verify x passes when it exits exactly so
#   check_same "same text" expected.txt actual.txt              passes when the files are equal
#   await test -s url                                     waits until the command succeeds
#   within 20 "$FPREPORT" verify x                          ends with 124 or more after 20 paces of processor
#   other_sum record.json                                   changes its digests
#   skip "needs ../shared"                                      one skipped test, with its reason
#   gcc_only "the same pages are looked at there"           the test ends here in the other variant
#   plan_done
#
# $FPREPORT is the program under test, $top the repository, $shared ../shared (may be missing),
# $PLAIN_PROGRAM the same program without sanitizers, where tests/run.sh has built it, for what only prepares a check,
# $BUILD and $VARIANT are those of tests/run.sh, or of a plain `make` when run by hand.
# $tmp an empty folder that is removed at the end. Output of a failing command is shown.
set -u
top=$(cd "$(dirname "$0")" && while [ ! -e Makefile ]; do cd ..; done && pwd)
shared=$top/../shared
: "${FPREPORT:=$top/fpreport}" "${BUILD:=build/default}" "${VARIANT:=gcc}" "${PLAIN_PROGRAM:=$FPREPORT}"
# A script that says place=memory before works there, where programs may run and 500 MB are free: what
# it does syncs again and again, and a busy disk takes seconds for that.
new_folder() {
    if [ "${place:-}" = memory ] && [ "$(df -Pm /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')" -gt 500 ] 2>/dev/null; then
        made=$(mktemp -d -p /dev/shm)
        if cp /bin/true "$made/" && "$made/true"; then rm "$made/true"; echo "$made"; return; fi 2>/dev/null
        rm -rf "$made"
    fi
    mktemp -d
}
# What a script has to end before its folder goes, it names in at_end. A shell that `&` forked and that
# is killed at once runs the trap of the script (bash 5.2): only the script itself removes the folder.
at_end=:
is_the_script() { [ "$(exec sh -c 'echo "$PPID"')" = $$ ]; }
tmp=$(new_folder) && trap 'is_the_script && { eval "$at_end"; rm -rf "$tmp"; }' EXIT
# The salt of fingerprints (trainer/cards/salt.h) is made there, and not in the home of who tests.
export XDG_CONFIG_HOME="${XDG_CONFIG_HOME:-$top/build/config}"
tests=0

ok() { tests=$((tests + 1)); echo "ok $tests - $1"; }
not_ok() { tests=$((tests + 1)); echo "not ok $tests - $1"; }
skip() { tests=$((tests + 1)); echo "ok $tests - # SKIP $1"; }

check_exit() { # STATUS DESCRIPTION COMMAND…
    want=$1 what=$2; shift 2
    "$@" >"$tmp/.out" 2>&1; got=$?
    if [ "$got" -eq "$want" ]; then ok "$what"; else
        not_ok "$what"; echo "# exit $got, expected $want: $*"; sed 's/^/# /' "$tmp/.out" | head -n 20
    fi
}
check() { what=$1; shift; check_exit 0 "$what" "$@"; }
check_same() { # DESCRIPTION EXPECTED ACTUAL
    if diff -u "$2" "$3" >"$tmp/.diff" 2>&1; then ok "$1"; else
        not_ok "$1"; sed 's/^/# /' "$tmp/.diff" | head -n 40
    fi
}
# A pace is ten times the processor time of a fixed loop, 1 s at 3 GHz: limits are ratios to it, so that they hold on
# any machine. A command that only waits has 5 minutes.
pace=
measure_pace() {
    [ -n "$pace" ] || pace=$(python3 -c 'import time
x, begin = 0, time.process_time()
for i in range(1_800_000):
    x += i
print(max(10 * (time.process_time() - begin), 1))')
}
paces() { # N: whole seconds of processor
    measure_pace
    awk -v n="$1" -v pace="$pace" 'BEGIN { printf "%d", n * pace + 0.999 }'
}
within() { measure_pace; (ulimit -t "$(paces "$1")"; shift; exec timeout 300 "$@"); }
# other_sum FILE…: another first digit in every "sha256" of a record: 0 becomes 1, all others 0.
other_sum() {
    sed -i 's/"sha256": "0/"sha256": "_/; s/"sha256": "[1-9a-f]/"sha256": "0/; s/"sha256": "_/"sha256": "1/' "$@"
}
# Processor time of all commands so far, in ms, where waiting on a shared machine does not count:
# `times >then; …; times >now; spent=$(($(times_ms now) - $(times_ms then)))`
times_ms() {
    awk 'NR == 2 {split($1 "s" $2, t, /[ms]/); printf "%d", (t[1] * 60 + t[2] + t[4] * 60 + t[5]) * 1000}' "$1"
}
# looks_once FILE: verify.sh as it is, but that it asks no tool for what is known before it looks, and does not look a
# second time at who is accused, nor between both at what is known to be good. That takes four times as long and is the
# same code again: for tests of what the look finds.
looks_once() {
    sed 's/^1 | 3) # who is accused .*/never)/; s/^said=\$(look first /said=$(look only /' "$top/templates/site/verify.sh" >"$1"
    [ "$(diff "$top/templates/site/verify.sh" "$1" | grep -c '^[<>]')" = 4 ] || not_ok "verify.sh has the two lines of looks that are repeated"
}
# A machine under load may take long for what is done in the background: who needs it waits for it, and not for a time.
# After 5 minutes it does not come.
await() { # COMMAND…
    awaited=0
    until "$@" >/dev/null 2>&1; do
        awaited=$((awaited + 1))
        [ $awaited -lt 6000 ] || return 1
        sleep 0.05
    done
}
plan_done() { echo "1..$tests"; }
left_out() { skip "$1"; plan_done; exit 0; }
gcc_only() { [ "$VARIANT" = gcc ] || left_out "$1"; }
