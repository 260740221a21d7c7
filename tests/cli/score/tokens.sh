#!/bin/sh
# The tokenizer's ids are those of SentencePiece's own spm_encode, with models that spm_train makes here.
. "$(dirname "$0")/../../lib.sh"
gcc_only "every id is compared there"
here=$top/tests/cli/score
cd "$tmp" || exit 1
: "${LONG:=}"
command -v spm_train >/dev/null && command -v spm_encode >/dev/null || {
    skip "needs spm_train and spm_encode of the package sentencepiece"
    plan_done
    exit
}
lines=${LONG:+12000} lines=${lines:-2000} # `make check-long` takes all, and the large models
python3 "$here/token_texts.py" corpus 200 all.txt
few=${LONG:+12000} && head -n "${few:-4000}" all.txt >few.txt
python3 "$here/token_texts.py" lines "$lines" lines.txt

same_ids() { # NAME CORPUS OPTION…: a model of that name, and its ids of all lines
    name=$1 corpus=$2; shift 2
    spm_train --input="$corpus" --model_prefix="$name" --model_type=bpe --normalization_rule_name=identity "$@" >"$name.log" 2>&1 ||
        { not_ok "spm_train makes $name"; tail -n 2 "$name.log" | sed 's/^/# /'; return; }
    "$FPREPORT" -q prepare --tokenizer "$name.model" --texts lines -o "$name" lines.txt >"$name.out" || { not_ok "$name: prepare"; return; }
    python3 "$here/token_ids.py" "$name" 1 2 >"$name.ours"
    spm_encode --model="$name.model" --output_format=id <lines.txt >"$name.theirs"
    [ "$(wc -l <"$name.theirs")" -eq "$lines" ] || not_ok "$name: spm_encode gave other than $lines lines"
    check_exit 0 "$name: the ids of $lines texts" cmp "$name.ours" "$name.theirs"
}
llama='--byte_fallback=true --remove_extra_whitespaces=false'
# shellcheck disable=SC2086
{
    same_ids 1k few.txt --vocab_size=1000 $llama
    if [ "$LONG" ]; then
        python3 "$here/token_texts.py" corpus 1500 many.txt
        head -n 5000 many.txt >some.txt # enough for 32,000 pieces
        same_ids 8k some.txt --vocab_size=8000 $llama
        same_ids 32k some.txt --vocab_size=32000 $llama
    fi
    same_ids no_bytes few.txt --vocab_size=1500 --remove_extra_whitespaces=false
    same_ids collapses few.txt --vocab_size=1500 --byte_fallback=true
    same_ids no_prefix few.txt --vocab_size=1500 $llama --add_dummy_prefix=false
    same_ids own_symbols few.txt --vocab_size=1500 --byte_fallback=true '--user_defined_symbols=<sep>,ab,http,▁▁,  ,a b'
    same_ids own_symbols_kept few.txt --vocab_size=1500 $llama '--user_defined_symbols=<sep>,▁▁,日,\xff'
}
# An id that is another is found.
sed '77s/^[0-9]*/0/' 1k.theirs >1k.other
check_exit 1 "a comparison can fail" cmp -s 1k.ours 1k.other

# Other kinds of models are refused.
head -n 40 few.txt >fewest.txt
refused() { # WORDS OPTION…
    words=$1; shift
    spm_train --input=fewest.txt --model_prefix=other "$@" >other.log 2>&1
    check_exit 3 "refused: $words" "$FPREPORT" prepare --tokenizer other.model -o no few.txt
    grep -q "$words" .out || { "$FPREPORT" prepare --tokenizer other.model -o no few.txt 2>&1 | grep -q "$words"; } ||
        not_ok "the refusal says $words"
}
refused 'found a model of type 1, expected 2 (BPE)' --vocab_size=1000 --hard_vocab_limit=false --model_type=unigram --normalization_rule_name=identity
refused 'expected the rule identity' --vocab_size=1000 --model_type=bpe
refused 'found blanks as suffixes' --vocab_size=1000 --model_type=bpe --normalization_rule_name=identity --treat_whitespace_as_suffix=true
plan_done
