#!/bin/sh
# What checks find is said in Chinese on Chinese pages: every message of the sources has its words,
# those of every rule's example fit one, and no English sentence is left on a page.
. "$(dirname "$0")/../lib.sh"
gcc_only "sources and words are the same in the gcc variant"
cd "$top" || exit 1
messages() { python3 "$top/tests/cli/messages.py" "$@"; }

# --- Rows and sources fit each other; what is planted is told.
messages sources . >"$tmp/sources"
check_same "every message has a row in both languages with the same values, and every row is said" /dev/null "$tmp/sources"
mkdir -p "$tmp/top" && cp -R verifier base trainer collector cli "$tmp/top/"
sed -i 's/"the log is empty"/"the log has nothing"/' "$tmp/top/verifier/logs/log.c"
sed -i 's/"日志超过 {1} 步，/"日志超过若干步，/' "$tmp/top/verifier/logs/log_messages.c"
sed -i 's/^    {"is revoked",/    {"is gone",/' "$tmp/top/verifier/checks/evidence/signature.c"
sed -i '/\.en = /!s/"the loss is %s; other vendors state %s"/"the loss is %s, all others state %s"/' "$tmp/top/verifier/checks/loss/peer_loss.c"
messages sources "$tmp/top" >"$tmp/planted"
check "a message that was changed is named with its place" \
    grep -q '^verifier/checks/loss/peer_loss.c:[0-9]*: no translation of "the loss is %s, all others state %s"$' "$tmp/planted"
check "and so is the translation that is left over" grep -q '^verifier/checks/loss/peer_loss.c: nothing says "the loss is %s; other vendors state %s"$' "$tmp/planted"

check "a reader of logs that says something new" grep -q '^verifier/logs/log.c:[0-9]*: no translation of "the log has nothing"$' "$tmp/planted"
check "the row of a room that nothing says" grep -q '^verifier/logs/log_messages.c: nothing says "the log is empty"$' "$tmp/planted"
check "a case of a rule that no finding says" grep -q '^verifier/checks/evidence/signature.c: a case of what no row says: "is gone"$' "$tmp/planted"
check "and a row whose Chinese leaves a value out" grep -q '^verifier/logs/log_messages.c: "the log has more than %d steps; .*" has 1 values, its Chinese those of \[\]$' "$tmp/planted"

# --- A translation that does not fit its message ends the build.
mkdir -p "$tmp/own/templates/site" "$tmp/beside" && cp -R tests/golden/build/records "$tmp/own/records"
cp "$FPREPORT" "$tmp/beside/fpreport" && ln -s "$top/templates" "$tmp/beside/templates" # in every variant
own() { # TRANSLATION
    printf '{"schema": "fpreport.messages/1", "messages": {"the loss is %%s; other vendors state %%s": "%s"}}\n' "$1" \
        >"$tmp/own/templates/site/messages.json"
    "$tmp/beside/fpreport" build -q -C "$tmp/own" -o "$tmp/own/site"
}
check_exit 3 "a value is left out" own '损失为 {1}'
check_exit 3 "a value that is none" own '损失为 {1}，{2}，{3}'
check_exit 1 "both values" own '{2}：{1}'

# --- The examples of all rules.
sed -n 's/^ *RULE(fp\([0-9]*\)).*/FP\1/p' verifier/checks/list.c >"$tmp/ids"
while read -r rule; do
    "$FPREPORT" explain "$rule" | sed -n '/^  gives$/,/^$/p' | tr -s ' \n' ' ' |
        grep -oE ": (error|warning|notice): .* \[$rule\]" | sed "s/^: [a-z]*: /$rule\t/; s/ \[$rule\].*//"
done <"$tmp/ids" >"$tmp/examples"
check "each rule has one" test "$(cut -f1 "$tmp/examples" | sort -u | wc -l)" -eq "$(wc -l <"$tmp/ids")"
messages said . <"$tmp/examples" >"$tmp/unsaid"
check_same "and all are said in Chinese" /dev/null "$tmp/unsaid"

# --- Pages.
"$FPREPORT" build -q -o "$tmp/site" >/dev/null 2>&1
messages pages "$tmp/site/zh" >"$tmp/english"
check_same "no English sentence on the Chinese pages of the shipped site" /dev/null "$tmp/english"
messages pages "$tmp/own/site/zh" >"$tmp/english"
check_same "nor on those of a project with findings" /dev/null "$tmp/english"
sed -i 's/<\/h1>/ is what nobody has said<\/h1>/' "$tmp/own/site/zh/rules/index.html"
messages pages "$tmp/own/site/zh" >"$tmp/english"
check "one that is planted is found" grep -q '^rules/index.html: is what nobody has said$' "$tmp/english"
find "$tmp/site/pages" -name README.md -exec grep -h '^- `FP' {} + >"$tmp/findings"
check "findings of Markdown pages, too" sh -c '[ -s "$1" ] && ! grep -E "[a-z]{2,} [a-z]{2,} [a-z]{2,}" "$1"' sh "$tmp/findings"
plan_done
