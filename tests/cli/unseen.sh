#!/bin/sh
# What the machine does not let be looked at, or confirmed (stat and fsync fail, as on a disk that breaks), is
# neither absent nor anybody's fault: exit 4, and nothing else is taken in its place.
. "$(dirname "$0")/../lib.sh"
gcc_only "the leak checker cannot be traced"
cd "$tmp" || exit 1
strace -o /dev/null -e inject=newfstatat:error=EIO:when=1000 true 2>/dev/null || left_out "needs strace, and the right to trace"
mkdir own && cd own || exit 1
cp -R "$top/tests/golden/build/records" records
mkdir run && tar -C run --zstd -xf records/evidence/globex/run.tar.zst && rm run/SHA256SUMS
ssh-keygen -q -t ed25519 -N '' -C "" -f key
"$FPREPORT" collect -q run --sign key -o run.tar.zst && "$FPREPORT" -q archive add run.tar.zst 2>/dev/null
object=$(find archive/objects -type f)
"$FPREPORT" collect -q run -o plain.tar.zst && cp archive/log.jsonl before

# unseen EXIT PATH ARGUMENT…: as much of fpreport as a machine lets go on that says nothing about PATH
unseen() {
    want=$1 path=$2; shift 2
    check_exit "$want" "$path is not looked at: $1" strace -f -qq -o calls -P "$path" -e trace=newfstatat -e inject=newfstatat:error=EIO "$FPREPORT" "$@"
    check "that was so" grep -q INJECTED calls
}
unseen 4 "$object" fsck
unseen 4 archive fsck
unseen 4 archive/log.jsonl fsck archive/log.jsonl
unseen 4 archive/lock archive add run.tar.zst
unseen 4 records/cases archive add plain.tar.zst
check "no verdict was entered that was made without records" cmp before archive/log.jsonl
unseen 4 key collect run --sign key -o none.tar.zst
unseen 4 run collect run -o none.tar.zst
unseen 4 "$tmp/own/site" build -q
unseen 4 records build -q
check "nothing was made of it" test ! -e none.tar.zst -a ! -e site
strace -qq -o calls -P "$PWD/archive/head.fpreport-tmp" -e trace=openat -e inject=openat:error=EIO "$FPREPORT" archive add -q plain.tar.zst >said 2>&1
check "who cannot end the entry that he wrote says that it is there" test $? = 4 -a "$(grep -c 'is there for good' said) $(wc -l <archive/log.jsonl)" = "1 2"
check "and what sees to it does" sh -c '"$1" archive repair && "$1" fsck | grep -q ": 0 findings\|record\]"' - "$FPREPORT"
strace -qq -o calls -P "$PWD" -e trace=fsync -e inject=fsync:error=EIO "$FPREPORT" collect -q run -o made.tar.zst >said 2>&1
check "nor does who cannot have it confirmed say that nothing was made" test $? = 4 -a -e made.tar.zst -a "$(grep -c 'is in place, but' said)" = 1
mv records elsewhere && ln -s nowhere records
check_exit 2 "records that are not mounted: those of the program do not come in their place" "$FPREPORT" build
check "no site was made of others" test ! -e site
check "nor is an archive looked for beside those" sh -c '"$1" archive list | grep -q "^[0-9a-f]" && test ! -e "$2/archive"' - "$FPREPORT" "$top"
plan_done
