#!/bin/sh
# What a word of the command line stands for: by its ending, by its content, or a name of the
# records; and the exit code when it is none (3: a path that cannot be read, 2: a wrong word).
. "$(dirname "$0")/../../lib.sh"
golden=tests/golden/build/records
page=templates/explain/page.md
cd "$top" || exit 1

says() { # EXIT DESCRIPTION PATTERN COMMAND…: all that it prints, in one line
    want=$1 what=$2 pattern=$3; shift 3
    "$@" >"$tmp/.out" 2>&1; got=$?
    if [ $got -eq "$want" ] && tr '\n' ' ' <"$tmp/.out" | grep -qE -- "$pattern"; then ok "$what"; else
        not_ok "$what"; echo "# exit $got, expected $want: $*"; sed 's/^/# /' "$tmp/.out" | head -n 20
    fi
}

# --- Not there.
for what in /nonexist ./nonexist a/b/c x.log x.csv sub/x.json x.tar.zst x.md; do
    says 3 "verify $what: a path" "No such file or directory" "$FPREPORT" verify $what
done
says 2 "verify: a name" "nobody/nothing: found no such result" "$FPREPORT" verify nobody/nothing
says 2 "verify: a version is no ending" "nobody/qwen2.5: found no such result" "$FPREPORT" verify nobody/qwen2.5
says 2 "verify -" "^error: -: standard input is not read" "$FPREPORT" verify -
for side in "/nonexist $page" "$page /nonexist" /nonexist; do
    # shellcheck disable=SC2086
    says 3 "diff $side" "/nonexist: No such file" "$FPREPORT" diff $side
done
says 2 "diff: a name" "nobody/nothing: found no such result" "$FPREPORT" diff nobody/nothing
"$FPREPORT" verify --format json --records $golden globex/tiny_llama >"$tmp/v.json" 2>/dev/null
says 3 "diff: verdicts and nothing" "/nonexist: No such file" "$FPREPORT" diff "$tmp/v.json" /nonexist
says 3 "explain" "/nonexist: No such file" "$FPREPORT" explain /nonexist mfu
says 3 "explain without a metric" "/nonexist: No such file" "$FPREPORT" explain /nonexist

# --- By content.
cp "$page" "$tmp/page"; cp $golden/results/globex/tiny_llama.json "$tmp/record.txt1"
cp $golden/evidence/globex/run.tar.zst "$tmp/sealed"
tar -xOf $golden/evidence/globex/run.tar.zst --zstd --wildcards '*/rank0.out.log' >"$tmp/rank0" 2>/dev/null
printf 'int main(void)\n' >"$tmp/x.c"; : >"$tmp/empty"; head -c 3000 /dev/urandom | tr -d '\n#{|[' >"$tmp/noise"
says 0 "a page" "/page: |page: unverified" "$FPREPORT" verify "$tmp/page"
says 0 "a record" "globex/tiny_llama: " "$FPREPORT" verify --records $golden "$tmp/record.txt1"
says 0 "a submission" "from its logs" "$FPREPORT" verify --records $golden "$tmp/sealed"
says 0 "a log" "PerfLog|steps" "$FPREPORT" verify --records $golden "$tmp/rank0"
says 3 "source code" "x.c: the kind of this file is unknown, expected VENDOR/CASE, VENDOR, a record" "$FPREPORT" verify "$tmp/x.c"
says 3 "nothing" "empty: the kind of this file is unknown" "$FPREPORT" verify "$tmp/empty"
says 3 "noise" "noise" "$FPREPORT" verify "$tmp/noise"
ln -s /nonexist "$tmp/dangling"
says 3 "a link to nothing" "No such file" "$FPREPORT" verify "$tmp/dangling"
"$FPREPORT" verify /nonexist >"$tmp/out" 2>/dev/null
check "nothing is printed where nothing was verified" test ! -s "$tmp/out"

# --- Figures of pages, records and submissions are explained.
says 0 "explain: a page" "mfu, row 1.1 .* formula .*recomputed" "$FPREPORT" explain $page mfu
says 0 "explain: a record, with its own evidence" "the log, +evidence/globex/run.tar.zst" "$FPREPORT" explain $golden/results/globex/tiny_llama.json loss
says 0 "explain: a submission" "recomputed +17789" "$FPREPORT" explain --records $golden $golden/evidence/globex/run.tar.zst token/p/s
says 0 "no metric: all are listed" "globex/tiny_llama +metric +row +stated +recomputed +verdict +token_per_s_per_card +1.1 .* loss +1.1 .*explain globex/tiny_llama METRIC. explains one metric" "$FPREPORT" explain --records $golden globex/tiny_llama
says 0 "of a page, too" "mfu +1.1 .* PASS" "$FPREPORT" explain $page
for figure in mfu loss memory token/p/s; do
    "$FPREPORT" explain nvidia/baichuan2_13b-deepspeed $figure; "$FPREPORT" explain --records $golden globex/tiny_llama $figure
done >"$tmp/wide" 2>/dev/null
check "80 columns" sh -c '! LC_ALL=C.UTF-8 grep -E "^.{81,}" "$1" | grep -E "[^ ] +[^ :]+ [^ ]"' sh "$tmp/wide"
plan_done
