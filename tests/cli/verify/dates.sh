#!/bin/sh
# FP4016: the day on which a run ended is held to 2017, to the archive's log and to the date of site.json, never to the clock.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
cp -R "$top/tests/golden/build/records" records && mkdir run && tar -C run --zstd -xf records/evidence/globex/run.tar.zst && rm run/SHA256SUMS
# ended TIME: a run that says so, sealed.
ended() { jq --arg t "$1" '.finished = $t' run/run.json >changed && mv changed run/run.json && "$FPREPORT" collect --force -q run -o run.tar.zst >/dev/null; }
# said: outcome and words of each finding of the rule
said() { "$FPREPORT" verify --only FP4016 --format json run.tar.zst | jq -r '.runs[0].checks[] | select(.rule == "FP4016") | "\(.outcome) \(.message)"'; }
says() { what=$1; echo "$2" >want; said >got; check_same "$what" want got; }
nothing() { said >got; : >want; check_same "$1" want got; }
ended 2016-12-31T23:59:59Z && says "before 2017" "FAIL the run ended on 2016-12-31, expected 2017-01-01 or later"
ended 2017-01-01T00:00:00Z && nothing "from 2017 on, where no end is known, nothing is said"
ended 2099-01-01T00:00:00Z && nothing "nor of a day that no clock has reached"
for time in soon ２０９９-01-01T00:00:00Z 2099-01-01T00:00:00+00:00 2099-01-01 0000-01-01T00:00:00Z 2026-11-20T22:42:60Z 2026-02-29T00:00:00Z 2099-01-01T00:00:00z; do
    ended "$time" && says "no time is held to nothing: $time" "FAIL finished is '$time', expected a time like 2026-11-20T22:42:21Z"
done
jq '.started = 7 | .finished = null' run/run.json >changed && mv changed run/run.json && "$FPREPORT" collect --force -q run -o run.tar.zst >/dev/null
says "nor what is no text; none is none" "FAIL started is not a text, expected a time like 2026-11-20T22:42:21Z"
jq 'del(.started)' run/run.json >changed && mv changed run/run.json
ended 2026-11-20T11:59:59Z
date() { printf '{"schema": "fpreport.site/1", "date": "%s"}' "$1" >records/site.json; }
date 2026-11-20 && says "of the day of the site" "PASS the run ended on 2026-11-20; the date in site.json is 2026-11-20"
date 2026-11-19 && says "the day ends last 12 hours behind UTC" "PASS the run ended on 2026-11-20; the date in site.json is 2026-11-19"
ended 2026-11-20T12:00:00Z && says "and not later" "FAIL the run ended on 2026-11-20, but the date in site.json is 2026-11-19"
echo '{"date": "20261119"}' >records/site.json && nothing "what is no date is no end"
rm records/site.json && "$FPREPORT" archive add -q run.tar.zst >/dev/null 2>&1
# entered TIME: when the log says that it came. Its head is made anew.
entered() {
    sed -i "s/\"time\": \"[^\"]*\"/\"time\": \"$1\"/" archive/log.jsonl
    echo "1 $(sha256sum <archive/log.jsonl | cut -c1-64)" >archive/head
}
entered 2026-11-20T12:00:01Z && says "it came behind its end" "PASS the run ended on 2026-11-20; the run arrived in the archive on 2026-11-20"
entered 2026-11-20T11:55:00Z && says "clocks are five minutes apart" "PASS the run ended on 2026-11-20; the run arrived in the archive on 2026-11-20"
entered 2026-11-20T11:54:59Z && says "not six" "FAIL the run ended on 2026-11-20, but the run arrived in the archive on 2026-11-20"
date 2026-11-18 && says "of both the sooner counts" "FAIL the run ended on 2026-11-20, but the date in site.json is 2026-11-18"
date 2026-11-21 && says "whichever it is" "FAIL the run ended on 2026-11-20, but the run arrived in the archive on 2026-11-20"
check "it is a warning" sh -c '"$1" verify --only FP4016 --format json run.tar.zst | jq -e ".runs[0].findings[0].severity == \"warning\""' - "$FPREPORT"
plan_done
