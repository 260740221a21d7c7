#!/bin/sh
# Evidence for the site, in two halves: a machine with GPUs makes the runs, this one seals them.
#
#   evidence.sh run FPTRAIN OUT CASE…     there: train each case (fingerprint, what is measured before
#                                         the first step, monitors, log) and pack its run directory
#                                         into OUT/CASE.tar.gz, with OUT/CASE.txt, what was said
#   evidence.sh seal FPREPORT PACKED…     here: seal each run into records/evidence, draft its result
#                                         record, and verify that; --force replaces what is there
#
# Cases and results are those of EVIDENCE_RECORDS (./records). A run that failed is packed, too, and not sealed: `collect` refuses it.
# EVIDENCE_VENDOR (fpreport) is whose results they are, EVIDENCE_SECONDS (150) what a case may take,
# EVIDENCE_TRAIN are more options for `train`.
set -u

run() { # FPTRAIN OUT CASE…
    program=$1 out=$2 failed=0
    shift 2
    mkdir -p "$out" || return 4
    for case; do
        folder=$(mktemp -d)
        # shellcheck disable=SC2086
        timeout -k 20 "${EVIDENCE_SECONDS:-150}" "$program" train -v --records "${EVIDENCE_RECORDS:-records}" ${EVIDENCE_TRAIN:-} \
            -o "$folder" "$case" >"$out/$case.txt" 2>&1
        code=$?
        echo "exit $code" >>"$out/$case.txt"
        [ $code -eq 0 ] || failed=1
        tar -C "$folder" -czf "$out/$case.tar.gz" .
        rm -rf "$folder"
        tail -n 4 "$out/$case.txt"
        ls -l "$out/$case.tar.gz"
    done
    return $failed
}

seal_one() { # FPREPORT PACKED [--force]
    program=$1 vendor=${EVIDENCE_VENDOR:-fpreport} records=${EVIDENCE_RECORDS:-records} folder=$(mktemp -d)
    tar -C "$folder" -xzf "$2" || { rm -rf "$folder"; return 3; }
    code=0
    for found in "$folder"/run*; do
        [ -f "$found/run.json" ] || { echo "$2: holds no run" >&2; code=3; continue; }
        case=$(sed -n 's/^  "case": "\(.*\)",$/\1/p' "$found/run.json")
        # shellcheck disable=SC2086
        "$program" collect "$found" --vendor "$vendor" --records "$records" -o "$records" ${3:-} &&
            "$program" verify --records "$records" "$vendor/$case" || code=1
    done
    rm -rf "$folder"
    return $code
}

seal() { # FPREPORT [--force] PACKED…
    program=$1 force='' failed=0
    shift
    for packed; do
        if [ "$packed" = --force ]; then force=--force; continue; fi
        seal_one "$program" "$packed" "$force" || failed=1
    done
    return $failed
}

case ${1:-} in
run | seal)
    [ $# -ge 3 ] && { "$@"; exit; } ;;
esac
sed -n 's/^# \{0,1\}//; 2,13p' "$0" >&2
exit 2
