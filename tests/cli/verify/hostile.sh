#!/bin/sh
# Archives made to hurt whoever reads them (hostile.py): each is refused, soon and in little memory,
# and no byte of theirs becomes the name of a file.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1

mkdir "$tmp/hostile"
check "they are written" python3 tests/cli/verify/hostile.py make "$tmp/hostile" "$top"
check "there are more than a hundred" sh -c '[ "$(wc -l <"$1")" -gt 100 ]' - "$tmp/hostile/list"
limits='1.5 48' # promise 1; a sanitizer takes more of both
[ "$VARIANT" != asan ] || limits='30 2048'
python3 tests/cli/verify/hostile.py judge "$tmp/hostile" "$FPREPORT" $limits >"$tmp/wrong" 2>"$tmp/worst"
check "each is refused in time and memory: $(cat "$tmp/worst")" sh -c '! grep . "$1"' - "$tmp/wrong"

for name in ratio bomb-of-json-bytes; do
    check_exit 3 "verify.sh agrees about $name" sh templates/site/verify.sh "$tmp/hostile/$name.tar.zst"
done

# What a trace shows: no byte of theirs in a call that takes a name.
opens_none() { ! grep -E "ZZVENDOR|etc/passwd" "$1"; }
if [ "$VARIANT" != asan ] && strace -f -o "$tmp/calls" true 2>/dev/null; then
    trace() { strace -f -qq -o "$tmp/calls" -e trace=%file,%network,%process "$@"; }
    (cd "$tmp/hostile" && trace "$FPREPORT" verify ./*.tar.zst >"$tmp/out" 2>&1)
    check "each had a process" sh -c '[ "$(grep -c "clone.*SIGCHLD" "$1")" -gt 100 ]' - "$tmp/calls"
    check "their names are said" grep -q ZZVENDOR "$tmp/out"
    check "no name of theirs is opened" opens_none "$tmp/calls"
    check "no network, no program" sh -c '! grep -E "socket|connect|execve" "$1" | grep -v "execve(\"[^\"]*/fpreport\""' - "$tmp/calls"
    # That the check can fail: GNU tar opens what it unpacks, and is held to the same.
    mkdir "$tmp/unpacked"
    trace tar --zstd -xf "$tmp/hostile/no-manifest.tar.zst" -C "$tmp/unpacked"
    check "who unpacks is found" test -s "$tmp/unpacked/ZZVENDOR"
    check_exit 1 "by its open" opens_none "$tmp/calls"
else
    skip "what is opened: only without sanitizers, with strace"
fi

# What the program can ask of its libraries at all: of those that read what others made, and of libc
# what starts programs, opens sockets or loads code, nothing but tests/data/asked.
kinds='^(archive_|git_|MHD_|cmark_|cJSON_|EVP_|CRYPTO_|OpenSSL|OPENSSL|cblas_|openblas_|jpeg_|png_)|exec|^v?fork$|spawn|^system$|^popen$|^dl(m?open|sym|vsym)$|^(socket|connect|bind|listen|accept4?|ptrace|setuid|setreuid|chroot|mount|unshare|setns|kill|tgkill|mprotect|syscall|getaddrinfo|gets|mktemp|tmpnam)$'
not_listed() { grep -E "$kinds" "$1" | grep -vxFf tests/data/asked; }
nm -D --undefined-only "$FPREPORT" | sed 's/.* [Uw] //; s/@.*//' >"$tmp/asked"
# Of a library that is opened when it is used, what its header lists: nobody else asks for a function by its name.
libraries='base/sealed/archive_library.h base/git/repo_git.h cli/serve/microhttpd_library.h'
sed -n 's/^#define \([A-Za-z0-9_]*\) \(LIBARCHIVE\|GIT2\|MICROHTTPD\)(.*/\1/p' $libraries >>"$tmp/asked"
check_exit 1 "no function is asked for beside those headers" grep -rnE 'library_function\(' base collector verifier renderer trainer cli --include='*.[ch]' \
    --exclude=library.h --exclude=archive_library.h --exclude=repo_git.h --exclude=microhttpd_library.h
check "the names are there" grep -qx archive_read_next_header "$tmp/asked"
: >"$tmp/more"
[ "$VARIANT" = asan ] || not_listed "$tmp/asked" >"$tmp/more" # a sanitizer asks for more
check_same "nothing is asked but what is listed" /dev/null "$tmp/more"
for name in archive_write_disk_new archive_read_support_format_all archive_read_extract git_clone git_checkout_tree \
    git_remote_fetch git_submodule_update system popen execl cJSON_GetObjectItem cJSON_Parse cmark_markdown_to_html; do
    echo $name >"$tmp/planted"
    [ "$(not_listed "$tmp/planted")" = $name ] || not_ok "$name is not listed"
done
plan_done
