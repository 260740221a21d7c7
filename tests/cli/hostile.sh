#!/bin/sh
# Archives made to hurt whoever reads them (hostile.py): each is refused, soon and in little memory,
# and no byte of theirs becomes the name of a file.
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1

mkdir "$tmp/hostile"
check "they are written" python3 tests/cli/hostile.py make "$tmp/hostile" "$top"
check "there are more than a hundred" sh -c '[ "$(wc -l <"$1")" -gt 100 ]' - "$tmp/hostile/list"
limits='1.5 48' # promise 1; a sanitizer takes more of both
[ "$VARIANT" != asan ] || limits='30 2048'
python3 tests/cli/hostile.py judge "$tmp/hostile" "$FPREPORT" $limits >"$tmp/wrong" 2>"$tmp/worst"
check "each is refused in time and memory: $(cat "$tmp/worst")" sh -c '! grep . "$1"' - "$tmp/wrong"

for name in ratio bomb-of-json-bytes; do
    check_exit 3 "verify.sh agrees about $name" sh templates/site/verify.sh "$tmp/hostile/$name.tar.zst"
done

if [ "$VARIANT" != asan ] && strace -f -o "$tmp/calls" true 2>/dev/null; then
    (cd "$tmp/hostile" && strace -f -qq -o "$tmp/calls" -e trace=%file,%network,%process "$FPREPORT" verify ./*.tar.zst >"$tmp/out" 2>&1)
    check "each had a process" sh -c '[ "$(grep -c "clone.*SIGCHLD" "$1")" -gt 100 ]' - "$tmp/calls"
    check "their names are said" grep -q ZZVENDOR "$tmp/out"
    check "no name of theirs is opened" sh -c '! grep -E "ZZVENDOR|etc/passwd" "$1"' - "$tmp/calls"
    check "no network, no program" sh -c '! grep -E "socket|connect|execve" "$1" | grep -v "execve(\"[^\"]*/fpreport\""' - "$tmp/calls"
else
    skip "what is opened: only without sanitizers, with strace"
fi

# What the program can ask of its libraries at all.
nm -D --undefined-only "$FPREPORT" | sed 's/.* U //; s/@.*//' >"$tmp/asked"
check "the names are there" grep -qx archive_read_next_header "$tmp/asked"
printf '^%s\n' 'archive_write_disk' 'archive_read_extract' 'archive_read_support_' 'archive_entry_copy_stat' \
    'git_clone' 'git_checkout' 'git_submodule' 'git_remote_fetch' 'git_remote_download' \
    'system$' 'popen$' 'gets$' 'cJSON_GetObjectItem$' 'cJSON_Parse$' 'cJSON_ParseWithOpts$' >"$tmp/never"
check "nothing that unpacks, detects, fetches or starts a shell" sh -c '! grep -Ef "$1" "$2"' - \
    "$tmp/never" "$tmp/asked"
plan_done
