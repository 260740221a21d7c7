#!/bin/sh
# A model that sees, made by hand, has the scores that mmmu_data.py says; what is malformed is refused.
. "$(dirname "$0")/../../lib.sh"
here=$top/tests/cli/score
cd "$tmp" || exit 1
python3 "$here/mmmu_data.py" . || exit 1

ask() { # WAY CASE OPTION…: JSON
    way=$1 case=$2; shift 2
    "$FPREPORT" -q score "$way" "$case" --records records --tokenizer tokenizer.model --questions mmmu --format json "$@"
}
scores() { # DESCRIPTION FILE EXPECTED: right answers of all, left out, drawn; of each subject; of each discipline
    python3 - "$2" >"$tmp/.scores" <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))
print(f"{s['right']}/{s['questions']} {s['left_out']} {s.get('drawn', 0)}", *(f"{x['right']}/{x['questions']}" for x in s["subjects"]),
      "|", *(f"{x['right']}/{x['questions']}" for x in s["disciplines"]))
PY
    echo "$3" >"$tmp/.expected"
    check_same "$1" "$tmp/.expected" "$tmp/.scores"
}
ask mmmu-logits seeing --init model >logits.json
scores "by logits, free answers left out" logits.json '4/6 2 0 2/3 1/2 1/1 | 1/2 2/3 1/1'
ask mmmu seeing --init model >greedy.json
cat >answers.py <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))
a = {x["id"][11:]: x for x in s["answers"]}
said = {k: x["generated"] for k, x in a.items()}
assert said == {"Accounting_1": "B", "Accounting_2": "D", "Accounting_3": "A", "Art_Theory_1": "C", "Art_Theory_2": "D",
                "Math_1": "C", "Math_2": "C", "Math_3": " ".join(["⁇ "] * 128).strip()}, said
assert a["Math_3"]["drawn"] and a["Math_3"]["choice"] in "ABCD" and a["Math_3"]["right"] == (a["Math_3"]["choice"] == "A")
assert [k for k, x in a.items() if x["right"] and k != "Math_3"] == ["Accounting_1", "Accounting_2", "Art_Theory_1", "Math_1"]
assert s["right"] == 4 + a["Math_3"]["right"] and s["questions"] == 8 and s["drawn"] == 1
p = s["right"] / 8
assert abs(s["score"] - p) < 1e-12 and abs(s["standard_error"] - (p * (1 - p) / 7) ** 0.5) < 1e-9
assert sum("_sha256" in k and v is not None for k, v in s.items()) == 5, s
assert "beams" in s["not_reproduced"] and s["decoding"] == "greedy" and s["draw_seed"] == 42
PY
check "what it says, and how that is read" python3 answers.py greedy.json
check "the same answers from two runs" sh -c "'$FPREPORT' -q score mmmu seeing --records records --tokenizer tokenizer.model --questions mmmu --format json --init model | cmp - greedy.json"
ask mmmu seeing --init language --projector projector/mm_projector.safetensors --tower tower >parts.json
check "from three files: the same answers" python3 -c '
import json
a, b = json.load(open("greedy.json")), json.load(open("parts.json"))
assert a["answers"] == b["answers"] and a["tower_sha256"] == b["tower_sha256"] and b["projector_sha256"] and not a["projector_sha256"]'
"$FPREPORT" -q score mmmu seeing --records records --tokenizer tokenizer.model --questions mmmu --init model >text.txt
check "a table of subjects and disciplines" sh -c "grep -q '^Accounting  *3  *2  *66.67 % ± 33.33' text.txt && grep -q '^Business  *3  *2 ' text.txt && grep -q '^free answers  *2  *1 ' text.txt"
check "the text says what is drawn, and what is not made again" sh -c "grep -q '^1 answer named no option: drawn from seed 42' text.txt && grep -q 'samples from five beams' text.txt"

"$FPREPORT" -q score mmmu-logits seeing --records records --tokenizer tokenizer.model --questions mmmu --init model >text.txt
check "one question has no standard error, and both outputs say so" sh -c "grep -q '^Math  *1  *1 100.00 % (standard error: not defined with one question)' text.txt && jq -e '.subjects[2].standard_error == null' logits.json"
# Further images, as MMMU's tables have them: columns that are empty but where there is one.
cp mmmu/questions.json kept
python3 -c "
import json
q = json.load(open('kept'))
for x in q: x |= {'image_2': None, 'image_3': ''}
q[0]['image_2'] = q[5]['image_7'] = 'images/white.png'
json.dump(q, open('mmmu/questions.json', 'w'))"
ask mmmu seeing --init model >more.json
check "questions with further images are counted, and asked as before" sh -c "jq -e '.more_images == 2' more.json && jq -S .answers more.json >more && jq -S .answers greedy.json | cmp - more"
check "by logits those that are asked" sh -c "'$FPREPORT' -q score mmmu-logits seeing --records records --tokenizer tokenizer.model --questions mmmu --init model | grep -q '^1 question has more images than image_1, which are not shown'"
mv kept mmmu/questions.json

# Weights that are no numbers: nothing is drawn for what no model said.
cp -R model lost && python3 - <<'PY'
import json, struct
data = bytearray(open("lost/model.safetensors", "rb").read())
head = 8 + struct.unpack("<Q", data[:8])[0]
begin, end = json.loads(data[8:head])["lm_head.weight"]["data_offsets"]
data[head + begin:head + end] = struct.pack("<f", float("nan")) * ((end - begin) // 4)
open("lost/model.safetensors", "wb").write(data)
PY
for way in mmmu mmmu-logits; do
    ask $way seeing --init lost >lost.json
    check "$way: logits that are no numbers are wrong, and not drawn" jq -e '.right == 0 and (.drawn // 0) == 0 and .logits_no_numbers == .questions' lost.json
done

refused() { # STATUS WORDS COMMAND…
    status=$1 words=$2; shift 2
    "$@" >"$tmp/.said" 2>&1; got=$?
    if [ "$got" -eq "$status" ] && grep -qF -- "$words" "$tmp/.said"; then ok "refused: $words"; else
        not_ok "refused: $words"; echo "# exit $got"; sed 's/^/# /' "$tmp/.said" | head -n 5
    fi
}
refused 2 'expected mmlu or mmlu-flagperf, mmmu or mmmu-logits' ask mmmu-beams seeing --init model
refused 2 'case blind: found a model without a vision tower' ask mmmu blind --init model
refused 2 '--projector and --tower are for mmmu' ask mmlu seeing --init model --tower tower
refused 3 'for the tower' ask mmmu seeing --init language --projector projector/mm_projector.safetensors
refused 3 'multi_modal_projector.linear_1.weight: missing' ask mmmu seeing --init language --tower tower
changed() { # STATUS WORDS PYTHON: of questions.json, q
    cp mmmu/questions.json kept
    python3 -c "import json; q = json.load(open('kept')); $3; json.dump(q, open('mmmu/questions.json', 'w'))"
    refused "$1" "$2" ask mmmu seeing --init model
    mv kept mmmu/questions.json
}
changed 3 'mmmu/questions.json:1: question 2 (validation_Accounting_2): mmmu/images/none.png: No such file' "q[1]['image_1'] = 'images/none.png'"
changed 3 'an "image_1" that is a file below the folder' "q[1]['image_1'] = '../x'"
changed 3 'an answer that is the letter of an option' "q[0]['answer'] = 'E'"
changed 3 '"question_type" multiple-choice or open' "q[0]['question_type'] = 'essay'"
changed 3 '"options" of a multiple-choice question' "q[5]['question_type'] = 'multiple-choice'"
changed 3 'validation_Accounting_1: found a prompt of' "q[0]['question'] = 'x' * 9000"
cp mmmu/questions.json kept
sed -i 's/validation_Art_Theory_2/validation_\\u001b[31mArt_\\u202eTheory_2/' mmmu/questions.json
"$FPREPORT" -q score mmmu-logits seeing --records records --tokenizer tokenizer.model --questions mmmu --init model >text.txt
check "a subject that MMMU does not have is named without what it hides" sh -c "grep -q '^�\[31mArt_�Theory ' text.txt && ! grep -q '$(printf '\033')' text.txt && grep -q '^1 question is of a subject that MMMU does not have' text.txt"
mv kept mmmu/questions.json
changed 3 'question 8 (validation_Accounting_1): found the id of question 1 again' "q[7]['id'] = q[0]['id']"
cp -R mmmu kept; head -c 60 kept/images/black.png >mmmu/images/black.png
refused 3 'question 1 (validation_Accounting_1): mmmu/images/black.png: ' ask mmmu seeing --init model
rm -rf mmmu; mv kept mmmu
printf '[nul]' >bad.json; cp mmmu/questions.json kept; cp bad.json mmmu/questions.json
refused 3 'questions.json:1:2:' ask mmmu seeing --init model
plan_done
