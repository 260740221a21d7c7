#!/bin/sh
# tests/gpu/evidence.sh on processors: runs that are made and packed in one place, sealed in another.
. "$(dirname "$0")/../../lib.sh"
. "$top/tests/golden/train/lib.sh"
script=$top/tests/gpu/evidence.sh
mkdir -p all && cp -R "$top"/records/. all/ && cp rec/models/*.json all/models/
jq -c '.id = "pair" | .parallel = {"data": 2}' rec/cases/mini.json >all/cases/pair.json
cp rec/cases/npy_none.json all/cases/npy_none.json
export EVIDENCE_RECORDS=all EVIDENCE_TRAIN=--measure

check "a run is made and packed" sh "$script" run "$FPREPORT" there pair
check "with what was said" grep -q '^run complete$' there/pair.txt
check_exit 1 "one that fails says so" sh "$script" run "$FPREPORT" there npy_none
check "it is sealed and verified" sh "$script" seal "$FPREPORT" there/pair.tar.gz
"$FPREPORT" verify --records all fpreport/pair >out 2>&1
check "the result stands in the records" grep -q '^fpreport/pair: verified' out
check "again: the same record is kept" sh "$script" seal "$FPREPORT" there/pair.tar.gz
check "but with --force" sh "$script" seal "$FPREPORT" --force there/pair.tar.gz
check_exit 1 "what holds no run is none" sh "$script" seal "$FPREPORT" there/npy_none.tar.gz
check_exit 2 "usage" sh "$script" seal
plan_done
