#!/bin/sh
# fpreport new: what it makes is accepted at once, the commands that it prints and documents run, and
# nothing that is there is written to.
. "$(dirname "$0")/../../lib.sh"
# As installed, so that a program from elsewhere (build/asan) finds its templates too.
mkdir -p "$tmp/usr/bin" "$tmp/usr/share/fpreport" && cp "$FPREPORT" "$tmp/usr/bin/fpreport" && FPREPORT=$tmp/usr/bin/fpreport
ln -s "$top/templates" "$top/records" "$tmp/usr/share/fpreport/"
mkdir "$tmp/work" "$tmp/home"
export PATH="$tmp/usr/bin:$PATH" HOME="$tmp/home" GIT_CONFIG_NOSYSTEM=1
git config --global user.name T && git config --global user.email t@example.org
cd "$tmp/work" || exit 1
new() { "$FPREPORT" new "$@"; }
says() { # DESCRIPTION TEXT: what the last check_exit printed holds the text
    if grep -qF -- "$2" "$tmp/.out"; then ok "$1"; else
        not_ok "$1"; sed 's/^/# /' "$tmp/.out" | head -n 20
    fi
}
# Every line of a script in one shell; each must end with 0.
run_lines() { # DESCRIPTION FOLDER FILE
    while IFS= read -r line; do
        printf '%s\n' "$line" "code=\$?; [ \$code -eq 0 ] || { echo \"exit \$code of the line: \"'$(printf '%s' "$line" | tr -d "'")'; exit 1; }"
    done <"$3" >"$tmp/script"
    check "$1" sh -c 'cd "$1" && exec timeout 300 sh "$2"' - "$2" "$tmp/script"
}
blocks() { awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$1"; }

# --- A project.
check "a project" new project bench
cp "$tmp/.out" ../said
check "what it prints fits 80 columns" sh -c '! grep -qE "^.{81}" ../said'
sed -n 's/^  //p' ../said >../next
check "it prints what to do" test "$(wc -l <../next)" -eq 3
run_lines "and that can be done" . ../next
check "the site is there" test -s bench/site/index.html
check "its sample is verified" sh -c 'cd bench && fpreport verify --strict records/results/*/*.json | grep -q ": verified ("'
check "no record is loaded with a warning" sh -c 'cd bench && ! fpreport build 2>&1 | grep -q warning'
check "no word is left to fill in" sh -c '! grep -rq "@[A-Z]*@" bench --include="*.md" --include="*.yml" --include="*.json"'
cp -R bench ../named && jq '.url = "https://bench.example/" | .date = "2026-11-22"' bench/records/site.json >../named/records/site.json
check "its website can be given an address and a day" sh -c 'cd ../named && fpreport build -q && grep -q "<loc>https://bench.example/" site/sitemap.xml && ! grep -rq 1970 site --include="*.atom"'
check "files are for others to read, too" test "$(stat -c %a bench)" = "$(umask 022; mkdir ../mode; stat -c %a ../mode)"
blocks bench/README.md >../lines
check "its README shows commands" test "$(wc -l <../lines)" -ge 5
run_lines "which run" bench ../lines
check "and publish it" git -C bench rev-parse -q --verify gh-pages
check "what is built is not under git" sh -c '! git -C bench ls-files | grep -q "^site/"'
check "but the archive is, which cannot be made again" git -C bench ls-files --error-unmatch archive/log.jsonl archive/head
check "without its lock" test -e bench/archive/lock -a -z "$(git -C bench ls-files archive/lock)"
git clone -q bench ../clone
check "a clone has all of it" sh -c 'cd ../clone && fpreport fsck && fpreport build 2>&1 | { ! grep -q warning; }'
check "and can go on with it" sh -c 'cd ../clone && fpreport archive withdraw "$(fpreport archive list --format json | jq -r ".[0].submission")" --reason x'
check "but the example for CI is" git -C bench ls-files --error-unmatch .github/workflows/results.yml
if python3 -c 'import yaml' 2>/dev/null; then
    check "which is YAML" python3 -c 'import yaml; assert yaml.safe_load(open("bench/.github/workflows/results.yml"))["jobs"]'
else
    skip "needs python3-yaml"
fi
grep -oE 'fpreport [a-z]+( --[a-z-]+)*' bench/.github/workflows/results.yml | while read -r _ command options; do
    for option in $options; do fpreport "$command" --help | grep -qe " $option" || echo "$command $option"; done
done >../unknown
check_same "and calls only what there is" /dev/null ../unknown

# --- A submission.
cd bench && check "a submission" new submission globex/tiny_llama
check_same "git leaves out there what it does in a project" .gitignore globex-tiny_llama/.gitignore
cp "$tmp/.out" ../../said
check "what it prints fits 80 columns" sh -c '! grep -qE "^.{81}" ../../said'
check "its draft is accepted at once" sh -c 'cd globex-tiny_llama && fpreport verify records/results/globex/tiny_llama.json'
says "and states nothing" 'unverified (0 errors, 0 warnings'
check "it can be built" sh -c 'cd globex-tiny_llama && fpreport build -q'
python3 - globex-tiny_llama <<'P' >../../unexplained
import json, re, sys
readme = open(sys.argv[1] + "/README.md").read()
r = json.load(open(sys.argv[1] + "/records/results/globex/tiny_llama.json"))
names = [i["label"] for e in r["environments"] for g in e["groups"] for i in g["items"]]
names += [b["symbol"] for b in r["batch"]] + [row[0].strip("*") for row in r["general"]["rows"]]
names += r["performance"][0]["table"]["columns"] + ["title", "evidence"]
table = [line.split("|")[1] for line in readme.splitlines() if line.startswith("| ")]
print("\n".join(n for n in names if not any(n in cell for cell in table)), end="")
cells = r["performance"][0]["table"]["rows"][0]
assert cells[3:] == ["", "", "", ""], cells
assert all(i["value"] == "" for e in r["environments"] for g in e["groups"] for i in g["items"])
P
check_same "every field of the draft is explained" /dev/null ../../unexplained
sed -n 's/^  //p' ../../said >../../next
run_lines "the commands that it prints run, in order" . ../../next
check "after which it is verified" sh -c 'cd globex-tiny_llama && fpreport verify records/results/globex/tiny_llama.json | grep -q ": verified ("'
check "another place" new submission globex/tiny_llama elsewhere/deep
blocks elsewhere/deep/README.md >../../lines
check "its README shows commands" test "$(wc -l <../../lines)" -eq 3
run_lines "which run" elsewhere/deep ../../lines
check "a vendor that is known keeps its record" sh -c '"$1" new submission fpreport/tiny_llama known && cmp known/records/vendors/fpreport.json records/vendors/fpreport.json' - "$FPREPORT"
cd ..
check "outside a project the cases that fpreport comes with" new submission nvidia/llama2_7b-deepspeed
check "with the vendor's cards" test -s nvidia-llama2_7b-deepspeed/records/accelerators/a100-40g.json
check "every case makes a draft that is accepted" sh -c '
for c in "$2"/records/cases/*.json; do
    id=$(basename "$c" .json)
    "$1" new submission -q "acme/$id" "cases/$id" && (cd "cases/$id" && "$1" verify "records/results/acme/$id.json" >out 2>&1 || { cat out; exit 1; }) || exit 1
done' - "$FPREPORT" "$top"

# --- What is refused.
mkdir empty full && echo mine >full/file && echo mine >file && ln -s full link && ln -s nowhere dangling
check "an empty folder is taken" new project empty
for name in full file link dangling . .. / bench; do
    check_exit 2 "there is something already: $name" new project $name
done
check "which is as it was" test "$(cat full/file)$(cat file)$(ls full)" = "minemine""file"
check_exit 2 "the same for a submission" new submission acme/tiny_llama full
tab=$(printf 'a\tb') latin=$(printf 'a\377')
for name in '' -- "$tab" "$latin" 'a\b'; do check_exit 2 "odd: '$name'" new project -- "$name"; done
(mkdir itself && cd itself && "$FPREPORT" new project .) >said 2>&1
check "the folder itself, empty: its name is asked for" sh -c "[ $? -eq 2 ] && grep -q 'expected the name of a new folder' said"
check_exit 2 "odd: begins with a hyphen" new project -- -x
check "a Chinese name with a blank" new project '性能 评测'
sed -n 's/^  //p' "$tmp/.out" >../next
run_lines "is quoted in what it prints" . ../next
for name in acme acme/ /tiny_llama ../tiny_llama acme/.. acme/a/b 'ac me/tiny_llama' '.x/tiny_llama'; do
    check_exit 2 "no VENDOR/CASE: $name" new submission "$name"
done
check_exit 2 "a Chinese name is no id" new submission 北极星/x
says "and which characters make one is said" "found '北极星/x', expected VENDOR/CASE, such as acme/tiny_llama, each an id of letters (a-z, A-Z), digits and . _ + -"
check_exit 2 "an unknown case" new submission acme/tiny_lama
says "names one that may be meant" "did you mean 'tiny_llama'"
check_exit 2 "neither a project nor a submission" new benchmark x
check_exit 2 "no folder" new project
check_exit 2 "two folders" new project a b
check_exit 4 "where nothing can be made" new project /proc/bench
check "nothing is left of what was refused" sh -c '! ls -d ./*.fpreport-* a b x 2>/dev/null'
mkdir -p left.fpreport-unfinished-aB3dE6/records held.fpreport-unfinished-aB3dE6/records left.fpreport-unfinished-of_mine
flock held.fpreport-unfinished-aB3dE6 "$FPREPORT" -q new project held && "$FPREPORT" -q new project left
check "what one left that was killed is cleared away, of one at work and of others nothing" \
    test "$(echo left.fpreport-* held.fpreport-*)" = "left.fpreport-unfinished-of_mine held.fpreport-unfinished-aB3dE6"

# Who takes a folder for a dead one's just before its writer locks it.
cat >rival.c <<'RIVAL'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

int flock(int fd, int how)
{
    static int done;
    char link[64], path[4096] = "", file[4200], gone[4200], ready;
    int ends[2];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (!done && readlink(link, path, sizeof path - 1) > 0 && strstr(path, "-unfinished-") && pipe(ends) == 0) {
        done = 1;
        if (fork() == 0) {
            syscall(SYS_flock, open(path, O_RDONLY), LOCK_EX);
            if (write(ends[1], "x", 1) != 1)
                _exit(1);
            snprintf(file, sizeof file, "%s/README.md", path);
            snprintf(gone, sizeof gone, "%s.gone", path);
            for (int i = 0; i < 200000 && access(file, F_OK) != 0; i++)
                ;
            _exit(rename(path, gone) != 0);
        }
        if (read(ends[0], &ready, 1) != 1)
            return -1;
    }
    return (int)syscall(SYS_flock, fd, how);
}
RIVAL
if [ "$VARIANT" = gcc ] && ${CC:-cc} -shared -fPIC -o rival.so rival.c 2>rival.log; then
    LD_PRELOAD="$PWD/rival.so" "$FPREPORT" -q new submission acme/tiny_llama raced >raced.log 2>&1
    "$FPREPORT" -q new submission acme/tiny_llama calm >/dev/null
    check "one that clears away does not take a folder with it that is being made" diff -r raced calm
else
    skip "one that clears away does not take a folder with it that is being made: no preloading in this variant"
fi

check "another name makes the same" sh -c '"$1" new project -q other && sed "s/^# other$/# bench/" other/README.md | cmp - bench/README.md && diff -r bench/.github other/.github' - "$FPREPORT"
plan_done
