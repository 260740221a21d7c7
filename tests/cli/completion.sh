#!/bin/sh
# Pages of the manual and completions of shells: made from the tables of commands and options.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
commands=$("$FPREPORT" help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | sort -u | grep -v '^fpreport$')

# --- Pages: one of the program and one of each command, which groff takes without a warning.
check "all pages are written to a folder" "$FPREPORT" help --format man -o man
for c in $commands; do [ -s "man/fpreport-$c.1" ] || echo "$c"; done >absent
check_same "one of each command" /dev/null absent
check "one of the program" test -s man/fpreport.1
"$FPREPORT" help --format man archive >one
check_same "a page by itself is the same" man/fpreport-archive.1 one
for c in $commands; do
    "$FPREPORT" "$c" --help | grep -oE '^ {2,6}(-[a-zA-Z], )?--[a-z-]+' | grep -oE -e '--[a-z-]+' | while read -r o; do
        sed 's/\\-/-/g' "man/fpreport-$c.1" | grep -q -e "$o" || echo "$c $o"
    done
done >absent
check_same "every option of every command is on its page" /dev/null absent
check "an action is a section" grep -q '^\.SS archive withdraw' man/fpreport-archive.1
if command -v groff >/dev/null; then
    for f in man/*.1; do groff -man -ww -z -Tutf8 -Kutf8 "$f" 2>&1; done | grep -v 'cannot adjust\|can.t break' >warned
    check_same "groff has nothing to say" /dev/null warned
else
    skip "groff is not installed"
fi

# --- bash: the words that it would show.
"$FPREPORT" help --format bash >complete.bash
cat >asked.bash <<'END'
source ./complete.bash
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
_fpreport
printf '%s\n' "${COMPREPLY[@]}"
END
words() { bash asked.bash fpreport "$@" 2>&1 | LC_ALL=C sort; }
words "" >said && printf '%s\n' $commands | LC_ALL=C sort >expected
check_same "bash: all commands" expected said
words arch >said && echo archive >expected && check_same "bash: the one that begins so" expected said
words archive "" >said && printf 'add\nlist\nredact\nrepair\nshow\nwithdraw\n' >expected && check_same "bash: actions" expected said
words build --lang "" >said && echo >expected && check_same "bash: build has no --lang" expected said
words render --lang "" >said && printf 'en\nzh\n' >expected && check_same "bash: the values of an option" expected said
words render --lang = e >said && echo en >expected && check_same "bash: behind =" expected said
words verify --form >said && echo --format >expected && check_same "bash: options" expected said
words verify --format "" >said && printf 'json\njunit\nsarif\ntext\n' >expected && check_same "bash: forms, which are the command's" expected said
words -C /tmp archive re >said && printf 'redact\nrepair\n' >expected && check_same "bash: behind an option of every command" expected said

# --- fish says itself what it would show; zsh's functions are called with those that it would call.
"$FPREPORT" help --format fish >complete.fish && "$FPREPORT" help --format zsh >_fpreport
if command -v fish >/dev/null; then
    fish_words() { HOME=$tmp fish -c "source complete.fish; complete -C '$1'" 2>&1 | cut -f1 | LC_ALL=C sort; }
    printf '%s\n' $commands | LC_ALL=C sort >expected
    fish_words "fpreport " >said && check_same "fish: all commands" expected said
    fish_words "fpreport archive re" >said && printf 'redact\nrepair\n' >expected && check_same "fish: actions" expected said
    fish_words "fpreport render --lang " >said && printf 'en\nzh\n' >expected && check_same "fish: the values of an option" expected said
    fish_words "fpreport verify --form" >said && printf -- '--format\n' >expected && check_same "fish: options" expected said
else
    skip "fish is not installed"
fi
if command -v zsh >/dev/null; then
    cat >asked.zsh <<'END'
_arguments() { printf '%s\n' "$@"; state=argument line=(archive); }
_describe() { print -l -- $commands; state=command; }
source ./_fpreport
END
    zsh -f asked.zsh >said 2>&1
    check "zsh: actions" grep -qxF '1:action:(add list show withdraw redact repair)' said
    check "zsh: the values of an option" grep -qxF -e '--publish=[publish all files (full), or only hashes (hashes)]:WHAT:(full hashes)' said
    sed 's/state=argument/state=command/' asked.zsh >asked2.zsh && zsh -f asked2.zsh >said 2>&1
    for c in $commands; do grep -q "^$c:" said || echo "$c"; done >absent
    check_same "zsh: all commands" /dev/null absent
else
    skip "zsh is not installed"
fi
check_exit 2 "a shell that is none" "$FPREPORT" help --format csh
plan_done
