#!/bin/sh
# What a page says beside a figure, a command or a date is true, where a reader would else take it for more.
. "$(dirname "$0")/../lib.sh"
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found $2, expected $3"; fi; } # DESCRIPTION FOUND EXPECTED
cd "$tmp" || exit 1
ln -s "$top/templates" templates
cp -R "$top/records" records
"$FPREPORT" build -q --no-cache -o site >.log 2>&1

# --- Each `fpreport verify` of the box to reproduce gives the verdict that the line before it says.
page=result/fpreport/tiny_llama/index.html
pasted() { sed -n '/<pre/,/<.pre>/p' "site/$1/$page" | sed 's/<[^>]*>//g' | grep -B "$2" -E "^fpreport verify $3\$"; }
state() { "$FPREPORT" verify --format json "$1" | jq -r '.runs[0].state'; }
archive=$(pasted en 0 '.*zst' | cut -d' ' -f3) && cp "site/evidence/fpreport/$archive" .
alone=$(state "$archive")
is "a submission by itself, and the record with it" "$alone $(state fpreport/tiny_llama)" "unverified verified"
for lang in zh en; do
    check "the box says so of the submission: $lang" sh -c 'printf %s "$1" | grep -q "^# .*$2"' - "$(pasted $lang 1 '.*zst')" "$alone"
done
check "and what the other needs" sh -c 'printf %s "$1" | grep -q "^# the verdict of this page: .*record"' - "$(pasted en 2 fpreport/tiny_llama)"
check "in Chinese, too" sh -c 'printf %s "$1" | grep -q "^# 本页的结论：.*记录"' - "$(pasted zh 2 fpreport/tiny_llama)"

# --- A figure of many lines of a log says from which to which; what stands beside its link prints them all.
figure() { jq -r --arg f "$1" '.figures[] | select(.figure == $f) | .log_from + " " + .log_line + " " + .derivation' site/result/fpreport/tiny_llama/tables.json; }
read -r from to steps rest <<X
$(figure token_per_s_per_card)
X
is "the data have the first and the last" "$((to - from + 1)) $(figure loss | cut -d' ' -f1)" "$steps "
for lang in zh en; do
    linked=$(grep -o "href=\"#line-[0-9]*\"><code [^>]*>[^<]*:$from–$to<" "site/$lang/$page" | sed 's/.*#\(line-[0-9]*\).*/\1/' | sort -u)
    command=$(sed -n "s,^<li id=\"$linked\">.*class=\"prints\">\(.*\)</code></li>,\1,p" "site/$lang/$page")
    is "what the link leads to prints as many steps as were counted: $lang" "$(eval "$command" | grep -c 'step')" "$steps"
done
check "the line of a figure of one stays one" grep -q "><code [^>]*>[^<]*.log:$to<" "site/en/$page"
plan_done
