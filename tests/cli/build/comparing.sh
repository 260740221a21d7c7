#!/bin/sh
# What keeps figures from being compared, and what is only said beside them: how rows recompute
# activations, precisions of one class, and figures that a check contradicts or only doubts.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
ln -s "$top/templates" templates && cp -R "$top/tests/golden/build/records" records
toy=records/results/acme/toy.json
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; printf '# got: %s\n# expected: %s\n' "$2" "$3"; fi; }

# Rows of both vendors: of every form of the words one, in the column of changed settings.
rows() { # FILE VENDOR FORM…
    file=$1 vendor=$2; shift 2
    jq --arg v "$vendor" '.vendor = $v | (.performance[] | select(.table) | .table) |= {columns: ["配置", "precision", "fix_hp", "token/p/s", "MFU"],
        rows: [$ARGS.positional[] | split("|") | ["(1x8) " + .[0], .[1], .[0], .[2], .[3]]]}' "$toy" --args "$@" >new.json && mv new.json "$file"
}
cp "$toy" original.json
rows records/results/globex/toy.json globex 'recompute=False|fp16|10013|30.10%'
rows "$toy" acme 'recompute=True|bf16|10000|30.0%' 'Recompute = "none"|bf16|10000|50.0%' 'gradient_checkpointing: full|bf16|10000|30.0%' 'recompute-granularity=selective|bf16|10000|30.0%' \
    '重计算|bf16|10000|30.0%' '不使用重计算|bf16|10000|30.0%' 'no-recompute|bf16|10000|30.0%' 'checkpoint=a.pt|bf16|10000|30.0%'
echo '{"schema": "fpreport.site/1", "compare": [{"a": "acme/toy", "b": "globex/toy"}, {"a": "acme/toy", "b": "globex/tiny_llama"}]}' >records/site.json
"$FPREPORT" build -q >.log 2>&1
list=site/en/results/index.html pair=site/en/compare/acme-toy..globex-toy/index.html
said() { for i in 1 2 3 4 5 6 7 8; do grep -o "data-row=\"acme/toy:1\.$i-.*" $1 | sed -n 's/^[^>]* data-recompute="\([^"]*\)".*/\1/p;t;s/.*/-/p'; done | tr '\n' ';'; }
is "each form says how activations are recomputed" "$(said $list)" "recomputation used (method not stated);none;full;selective;recomputation used (method not stated);none;none;-;"
is "in Chinese" "$(said site/zh/results/index.html)" "使用了重计算（方式未写明）;不重计算;全部重计算;选择性重计算;使用了重计算（方式未写明）;不重计算;不重计算;-;"
# PAGE ROW: what each pair of rows says of this condition: left, right, outcome.
conditions() { sed -n "s,.*<th scope=\"row\">$2[^/]*</th><td[^>]*>\([^<]*\)</td><td[^>]*>\([^<]*\)</td><td.*<[^>]*> *\([^<>]*[a-z]\)</\(span\|em\)></td></tr>,\1/\2/\3,p" $1 | sort | uniq -c | sed 's/^ *//' | tr '\n' ';'; }
is "a pair says of both how they recompute" "$(conditions $pair 'activation recomputation')" \
    "1 full/none/differs;3 none/none/the same;1 not stated/none/not comparable;2 recomputation used (method not stated)/none/differs;1 selective/none/differs;"
is "and precisions of one class" "$(conditions $pair Precision)" "8 bf16/fp16/differs;"
check "it is said once above all" grep -qF 'The two results use different settings of activation recomputation' $pair
check "rows that are not compared say it, too" grep -q 'activation recomputation <small>does not affect comparability' "site/en/compare/acme-toy..globex-tiny_llama/index.html"

# MFU of 30.10 % is doubted (0.2 % off), 50 % is contradicted; the mark, the legend, the page and the script say the same.
mark() { sed -n "s,.*data-row=\"$1\(-[^>]*>.*\),\1,p" $list | grep -oE 'data-label="MFU"[^>]*>.*' | sed -E 's,(</small>).*,\1,'; }
check "a figure that a warning doubts is marked so" sh -c 'printf %s "$1" | grep -q "mark warned.*differs (warning)"' - "$(mark globex/toy:1.1)"
check "and is there for the script to compare" sh -c '! printf %s "$1" | grep -q data-wrong' - "$(mark globex/toy:1.1)"
check "one that an error contradicts is not" sh -c 'printf %s "$1" | grep -q "data-wrong.*mark contradicted"' - "$(mark acme/toy:1.2)"
is "the page gives its difference, too" "$(grep -o '<th scope="row">MFU .*' $pair | sed 's/.*<td class="number">//; s/<[^>]*>//g' | sort | uniq -c | sed 's/^ *//' | tr '\n' ';')" "7 +0.3333 %;1 not comparable: a check contradicts the value;"
marks=$(jq -r '.strings | keys[] | select(startswith("mark.")) | ltrimstr("mark.")' "$top/templates/site/strings.json" | sort)
is "the legend of every page has each mark that a figure may have" "$(sed -n '/<p class="legend">/p' $list | grep -o '<span class="mark [a-z]*' | sed 's/.* //' | sort)" "$marks"

# Each page marks its place in the navigation: itself, or what it is below.
place_of() { sed -n 's/.* aria-current="\([a-z]*\)">\([^<]*\)<.*/\1 \2/p' "site/en/$1"; }
for line in 'results/index.html|page Results' 'result/acme/toy/index.html|true Results' 'vendor/acme/index.html|true Models &amp; vendors' 'model/toy/index.html|true Models &amp; vendors' \
    'accelerator/box8/index.html|true Models &amp; vendors' 'reference/tiny_llama/index.html|true References' 'compare/acme-toy..globex-toy/index.html|true Compare' 'index.html|'; do
    is "its place: ${line%%|*}" "$(place_of "${line%%|*}")" "${line#*|}"
done
plan_done
