#!/bin/sh
# Runs every test and ends with one line: `N passed, N failed, N skipped`.
#
#   tests/run.sh                      everything: the gcc build, then the same under ASan+UBSan (clang)
#   tests/run.sh twice                those of the tables `once_…` from both builds, too
#   tests/run.sh quick                the gcc build only
#   tests/run.sh gcc.cli asan.test_json   these: tests/cli/cli.sh, tests/unit/base/json/test_json.c with sanitizers
#
# Unit tests are cmocka programs (test_*.c in the rooms of tests/unit), everything else is a shell script that
# prints TAP (in the rooms of tests/cli, with tests/lib.sh). A test that hangs is ended and fails; one that
# needs ../shared says `ok N # SKIP reason` where that is absent. tests/one.sh runs one of them and
# leaves its log and its time in build/test-logs.
#
# Three more run at a time than there are processors, for they wait in turn for disks and each other's processes, and
# five where there are more (JOBS=1: one by one), so that none may count on a fixed port or write into the checkout. Those
# of the table `alone` measure time and have the machine to themselves. What is printed, and its order, is the same however many run.
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C.UTF-8
cores=$(nproc)
jobs=${JOBS:-$((cores < 3 ? cores + 3 : 5))}
logs=build/test-logs
rm -rf "$logs" && mkdir -p "$logs"
# The Python that Debian's packages of modules are for, found at once: where pyenv's shim is python3, it takes five
# times the processor of what the tests do with it.
rm -rf build/tools && mkdir -p build/tools
[ ! -x /usr/bin/python3 ] || ln -s /usr/bin/python3 build/tools/python3
passed=0 failed=0 skipped=0

# Measured against the clock or against themselves.
alone='gcc.doubling gcc.diff'
# Each of these runs once where both builds are tested (`tests/run.sh twice` runs all from both): with sanitizers what
# hands readers something hostile, or states of an archive; as users have it the rest, which trains, renders and publishes
# what other scripts and the unit tests put under sanitizers, and takes two to three times the processor there.
# Golden cases are run from both.
once_asan='inert withheld_words tamper records records_json names imported outputs moved_rows
roundtrip history told archive published trees challenge checkpoint foreign_files card_tool mlperf walls
shards measured mlperf_records next layout dates adopted decided peers verify_cli loss mutated
test_log_input test_json_limits test_store_check test_chart_drawings test_verdict_shape'
once_gcc='withheld publish cache new reproduce fingerprint train_files train_ranks plans align_pairs trainer_oracle mutations
rights full two_networks
keys sign train evidence ranks site bundle serve answers links rivals list many attack agreement diff score completion
train_command figures'
# The longest, which begin first, so that none of them is left over at the end.
long='browser sign site withheld archive shards walls tamper train_ranks train_files ranks test_trainer_rendezvous publish two_networks readme test_store_check'

build() { # VARIANT MAKE-ARGUMENTS…
    variant=$1 building=$(date +%s); shift
    # What trainer_oracle.sh and figures.sh run beside fpreport is built for the variants that they run in.
    chosen -qE "^$variant\.(trainer_oracle|figures)\$" && units=units || units=unit-tests
    if make -s -j"$cores" "$@" all $units mpi-tests found-programs >"$logs/$variant.build.log" 2>&1; then
        echo "== $variant, built in $(($(date +%s) - building)) s"
        return 0
    fi
    echo "== $variant: not built"
    tail -n 30 "$logs/$variant.build.log"; failed=$((failed + 1))
    return 1
}

tests_of() { # VARIANT: names of all its tests, the longest first
    for t in $long; do
        echo "$1.$t"
    done
    for t in $(find tests/unit -name 'test_*.c' | LC_ALL=C sort) $(find tests/cli -name '*.sh' | LC_ALL=C sort); do
        t=${t##*/} t=${t%.*}
        case " $long " in *" $t "*) ;; *) echo "$1.$t" ;; esac
    done
}

count() { # NAME: add up the TAP lines of one test program, and say what is to be said about it
    log=$logs/$1.log status=$(cut -d' ' -f1 "$logs/$1.ended" 2>/dev/null)
    : >>"$log"
    # cmocka prints a skipped test as `not ok N # SKIP`; TAP says `ok`. Both are skips.
    s=$(grep -a -cE '^(not )?ok .*# ?SKIP' "$log")
    p=$(grep -a -E '^ok ' "$log" | grep -a -vcE '# ?SKIP'); f=$(grep -a -E '^not ok ' "$log" | grep -a -vcE '# ?SKIP')
    early='' plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$log" | tail -n 1)
    # A crash, a missing plan or a short run is a failure even if every line said ok.
    if [ -z "$plan" ] || [ "$plan" -ne $((p + f + s)) ] || { [ "$f" -eq 0 ] && [ "${status:-none}" != 0 ]; }; then
        early="stopped early: status ${status:-none}, plan ${plan:-none}, seen $((p + f + s))"
        [ "$f" -gt 0 ] || f=1
    fi
    passed=$((passed + p)); skipped=$((skipped + s)); failed=$((failed + f))
    [ "$s" -eq 0 ] || grep -a -hE '^(not )?ok .*# ?SKIP' "$log" | sed -E "s|^(not )?ok [0-9]+ *-? *# ?SKIP *|  skipped in $1: |"
    [ "$f" -eq 0 ] || { echo "FAILED $1 (see $log)"; grep -a -vE '# ?SKIP' "$log" | grep -a -hE -A8 '^not ok ' | head -n 60; }
    # Why it stopped stands at the end of its log, which has standard error as well.
    [ -z "$early" ] || { echo "not ok - $1 $early; the end of its log:"; tail -n 15 "$log" | cut -c 1-500 | sed 's/^/# /'; echo "not ok - $1 $early" >>"$log"; }
}

is_working() { # PROCESS: it has not ended (one that is not waited for is a zombie)
    read -r _ _ state _ <"/proc/$1/stat" && [ "$state" != Z ]
} 2>/dev/null

run() { # JOBS: the names in build/test-logs/queue; each is counted, in their order, when it has ended
    # What is started in the background would ignore an interrupt, and its children with it.
    env --default-signal=INT,QUIT xargs -r -P "$1" -n 1 sh tests/one.sh <"$logs/queue" &
    pool=$!
    while read -r name; do
        while [ ! -e "$logs/$name.ended" ] && is_working $pool; do sleep 0.1; done
        count "$name"
    done <"$logs/queue"
    wait $pool
    pool=
}
pool=
trap '[ -z "$pool" ] || kill $pool 2>/dev/null; exit 130' INT TERM

began=$(date +%s)
names() { printf '%s\n' "$1" | tr -s ' ' '\n'; } # one a line
of() { names "$2" | sed "s/^/$1./"; }           # VARIANT NAMES
case ${1:-} in
'') chosen=$({ tests_of gcc && tests_of asan; } | grep -vxF "$(of gcc "$once_asan" && of asan "$once_gcc")") ;;
twice) chosen=$(tests_of gcc && tests_of asan) ;;
quick) chosen=$(tests_of gcc) ;;
*) chosen=$(printf '%s\n' "$@") ;;
esac
chosen() { printf '%s\n' "$chosen" | grep "$@"; } # OPTION… of grep: those names
alone=$(names "$alone")
if chosen -q '^gcc\.'; then
    # As users have it, but for what only a debugger reads; lld links a test in half of the time.
    if build gcc CC=gcc DEBUG= TEST_LDFLAGS="$(command -v ld.lld >/dev/null && echo -fuse-ld=lld)"; then
        export PLAIN_PROGRAM="$PWD/fpreport" # tests/lib.sh
        chosen -xF "$alone" >"$logs/queue"
        run 1
    else
        chosen=$(chosen -v '^gcc\.')
    fi
fi
if chosen -q '^asan\.'; then
    # A hundred programs are linked: lld takes a third of the time of ld. At a fixed address, without what nobody calls, each
    # of the many starts takes 4 ms less of 21: the tables of what is sanitized are not relocated.
    # Half of the rooms, those that compute little, are not optimised: the build takes a quarter less, most tests no more.
    plain='cli collector/page collector/store renderer/output renderer/pages renderer/publish renderer/site verifier/checks'
    plain="$plain verifier/claims verifier/diff verifier/mlperf verifier/proofs verifier/runs"
    build asan CC=clang B=build/asan PROGRAM=build/asan/fpreport PLAIN_ROOMS="$plain" OPT='-O1 -gline-tables-only' LDFLAGS='-fuse-ld=lld -no-pie -Wl,--gc-sections' \
        SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer' ||
        chosen=$(chosen -v '^asan\.')
fi
chosen -vxF "$alone" >"$logs/queue"
run "$jobs"

echo "the slowest ten, in seconds, and in those of processors:"
for f in "$logs"/*.ended; do
    read -r _ took cpu <"$f" && name=${f##*/} && printf '%8s %8s  %s\n' "$took" "$cpu" "${name%.ended}"
done | sort -rn | head -n 10
echo "$(($(date +%s) - began)) s, $jobs at a time"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
