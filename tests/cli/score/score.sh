#!/bin/sh
# A model made by hand has the scores that mmlu_data.py says; files that are malformed are refused.
. "$(dirname "$0")/../../lib.sh"
here=$top/tests/cli/score
cd "$tmp" || exit 1
python3 "$here/mmlu_data.py" . || exit 1

ask() { # WAY CASE OPTION…: JSON
    way=$1 case=$2; shift 2
    "$FPREPORT" -q score "$way" "$case" --records records --tokenizer tokenizer.model --questions mmlu --format json "$@"
}
scores() { # DESCRIPTION FILE EXPECTED: score, standard error, right answers of all and of each subject
    python3 - "$2" >"$tmp/.scores" <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))
print(f"{s['score']:.4f} {s['standard_error']:.4f} {s['right']}/{s['questions']}", *(x["right"] for x in s["subjects"]))
PY
    echo "$3" >"$tmp/.expected"
    check_same "$1" "$tmp/.expected" "$tmp/.scores"
}
ask mmlu crafted --init model >a.json
scores "Hendrycks' way: mean over subjects of 7/8, 0/4, 3/3" a.json '0.6250 0.0417 10/15 7 0 3'
ask mmlu-flagperf crafted --init model >b.json
scores "FlagPerf's way: mean over questions of 6/8, 4/4, 2/3" b.json '0.8000 0.1069 12/15 6 4 2'
ask mmlu crafted_lora --init base --adapters adapters >c.json
scores "adapters bring what the base lacks" c.json '0.6250 0.0417 10/15 7 0 3'
ask mmlu crafted_lora --init base >d.json
scores "the base alone answers A" d.json '0.7500 0.0546 9/15 2 4 3'
ask mmlu-flagperf crafted_lora --init base >e.json
scores "no letter is the first of equals in the vocabulary" e.json '0.0000 0.0000 0/15 0 0 0'
check "a digest for all that counts" sh -c "grep -c '_sha256\": \"[0-9a-f]\{64\}\"' c.json | grep -qx 4"
check "the score changes nothing between two runs" sh -c "'$FPREPORT' -q score mmlu crafted --records records --tokenizer tokenizer.model --questions mmlu --format json --init model | cmp - a.json"
"$FPREPORT" -q score mmlu crafted --records records --tokenizer tokenizer.model --questions mmlu --init model >a.txt
check "a table of subjects" grep -q '^dropped_last  *3  *3 100.00 %' a.txt
check "the text says which mean is the score" grep -q '^mean over subjects, the score:  62.50 % ± 4.17' a.txt
cp -R mmlu one && sed -i 1q one/test/dropped_last_test.csv
"$FPREPORT" -q score mmlu crafted --records records --tokenizer tokenizer.model --questions one --init model >one.txt
check "one question has no standard error, nor has the mean over its subject" sh -c "grep -q '^dropped_last .*not defined with one question)' one.txt && grep -q '^mean over subjects, .*not defined with one question in a subject)' one.txt && grep -q '^mean over questions: .* ± ' one.txt"

refused() { # STATUS WORDS COMMAND…
    status=$1 words=$2; shift 2
    "$@" >"$tmp/.said" 2>&1; got=$?
    if [ "$got" -eq "$status" ] && grep -qF "$words" "$tmp/.said"; then ok "refused: $words"; else
        not_ok "refused: $words"; echo "# exit $got"; sed 's/^/# /' "$tmp/.said" | head -n 5
    fi
}
refused 2 "found 'arc', expected mmlu or mmlu-flagperf, mmmu or mmmu-logits" ask arc crafted --init model
refused 2 "found adapters for a case without lora" ask mmlu crafted --init model --adapters adapters
refused 3 "adapter_model.safetensors: No such file" ask mmlu crafted_lora --init base --adapters model
refused 3 'adapter_model.safetensors: model.embed_tokens.weight: missing' ask mmlu crafted --init adapters/adapter_model.safetensors
questions() { # WORDS CONTENT: of one subject's test file
    cp -R mmlu kept; printf "$2" >mmlu/test/abstract_hints_test.csv
    refused 3 "$1" ask mmlu crafted --init model
    rm -rf mmlu; mv kept mmlu
}
questions 'abstract_hints_test.csv:1: found 3 fields, expected 6' 'a,b,c\n'
questions 'abstract_hints_test.csv:2: found answer "E", expected A, B, C or D' 'q,1,2,3,4,A\nq,1,2,3,4,E\n'
questions 'abstract_hints_test.csv:1: found a quote that is not closed' 'q,"1,2,3,4,A\n'
questions 'found text behind a closed quote' 'q,"1"x,2,3,4,A\n'
questions 'found bytes that are not UTF-8' 'q,\377,2,3,4,A\n'
questions 'found no question, expected at least one' ''
questions 'found more than 16 fields' '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17\n'
cp -R mmlu kept; head -n 2 kept/dev/dropped_last_dev.csv >mmlu/dev/dropped_last_dev.csv
refused 3 'dropped_last_dev.csv: found 2 questions, expected 5 examples' ask mmlu crafted --init model
rm -rf mmlu; mv kept mmlu
cp -R mmlu kept; python3 -c 'print("x" * 3000 + ",1,2,3,4,A")' >mmlu/test/abstract_hints_test.csv
refused 3 'found a question of 3' ask mmlu crafted --init model
rm -rf mmlu; mv kept mmlu

# --- Token files.
prepare() { "$FPREPORT" prepare --tokenizer tokenizer.model "$@"; }
printf 'A B①\n\nC' >two.txt
check "lines" prepare --texts lines -o lines two.txt
python3 "$here/token_ids.py" lines 1 2 >ids
printf '264 265 268\n266\n' >expected
check_same "the ids of two lines" expected ids
check "prepared.json has the file's digest" grep -q "$(sha256sum <lines/tokens.npy | cut -d' ' -f1)" lines/prepared.json
printf '[{"id": "1", "dialogue": "A: hi\\r\\nB: ①", "summary": "hi"},\n {"dialogue": "C", "summary": "D"}]' >samsum.json
check "samsum from an array" prepare --texts samsum -o array samsum.json
printf '{"id": "1", "dialogue": "A: hi\\r\\nB: ①", "summary": "hi"}\n{"dialogue": "C", "summary": "D"}\n' >samsum.jsonl
check "samsum from lines" prepare --texts samsum -o objects samsum.jsonl
check "both are the same tokens" cmp array/tokens.npy objects/tokens.npy
cat >decode.py <<'PY'
import subprocess, sys
names = ["?", "<s>", "</s>"] + [bytes([b]) for b in range(256)] + ["▁", *"ABCD", "▁A", "▁B", "▁C", "▁D", *"①②③④"]
lines = subprocess.run([sys.executable, sys.argv[1], "array", "1", "2"], capture_output=True, text=True).stdout.split("\n")
text = [b"".join(n if isinstance(n, bytes) else n.encode() for n in (names[int(i)] for i in line.split())) for line in lines]
want = ["Summarize this dialog:\nA: hi\r\nB: ①\n---\nSummary:\nhi", "Summarize this dialog:\nC\n---\nSummary:\nD"]
assert [t.decode().replace("▁", " ") for t in text[:2]] == [" " + w for w in want], text
PY
check "the prompt of samsum" python3 decode.py "$here/token_ids.py"
prepare -q --texts samsum --pack 16 -o packed samsum.json >packed.out
check "packed: a multiple of 16 and one more" python3 -c '
import json
r, all_ = json.load(open("packed/prepared.json")), json.load(open("array/prepared.json"))
assert r["tokens"] % 16 == 1 and r["tokens"] + r["dropped_tokens"] == all_["tokens"] and r["dropped_tokens"] < 16, r
a, b = open("packed/tokens.npy", "rb").read()[128:], open("array/tokens.npy", "rb").read()[128:]
assert b.startswith(a) and len(a) == 2 * r["tokens"]'
python3 - <<'PY'
import json
case = json.load(open("records/cases/crafted.json"))
sha256 = json.load(open("packed/prepared.json"))["sha256"]
case |= {"sequence_length": 16, "targets": "inside", "data": {"kind": "npy", "name": "samsum", "path": "../../packed/tokens.npy", "sha256": sha256}}
json.dump(case, open("records/cases/packed.json", "w"))
PY
check "a case trains on it" "$FPREPORT" -q train packed --records records -o result
refused 2 'there already, expected a new folder' prepare -o packed two.txt
refused 3 'samsum.jsonl:2: found no text "summary"' sh -c 'printf "{\"dialogue\": \"a\", \"summary\": \"b\"}\n{\"dialogue\": \"a\"}\n" >samsum.jsonl; "$0" prepare --tokenizer tokenizer.model --texts samsum -o no samsum.jsonl' "$FPREPORT"
refused 3 'bad.json:1:2:' sh -c 'echo "[nul]" >bad.json; "$0" prepare --tokenizer tokenizer.model --texts json -o no bad.json' "$FPREPORT"
refused 3 'expected at least one sequence' prepare --pack 4096 -o no two.txt
check "what is refused leaves no folder" test ! -e no -a ! -e no.partial

# --- Tokenizers that are none: each prefix of a good one, and bytes that lie.
check "every one is refused with one line" python3 "$here/hostile_tokenizers.py" "$FPREPORT"
plan_done
