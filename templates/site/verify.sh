#!/bin/sh
# verify.sh [-s SIGNERS] [-r REVOKED] [-I VENDOR] [-t TIME] SUBMISSION.tar.zst
#
# Checks that a submission is intact, and who signed it. It uses only coreutils, GNU tar, zstd and
# ssh-keygen, and comes to the same verdict as
#
#     fpreport verify --only FP4002,FP4015 --signers SIGNERS SUBMISSION.tar.zst
#
#     0  intact; with -s also signed by an accepted key          good, or: intact
#        the same, but files that WITHHELD lists are missing    redacted
#     1  altered, or with -s not signed by an accepted key       altered, unsigned, refused
#     2  wrong arguments                                         usage
#     3  the submission or the signers cannot be read            unreadable
#     4  this machine fails: no permission, full disk, a tool    cannot
#        that is missing or gives a wrong answer to a test
#
#   -s SIGNERS  allowed_signers as in ssh-keygen(1); times in it count as UTC
#   -r REVOKED  revoked public keys
#   -I VENDOR   the vendor that must have signed; without it, anyone in SIGNERS
#   -t TIME     the key must be valid at this time, YYYYMMDD[HHMM[SS]][Z]; default: now
#   -h, --help  print these lines
#
# Read it before you trust it: each step is independent, and the last lines call the steps. Each tool
# must first give a known answer. Before a submission is called altered, it is checked twice, with a
# known good submission in between. So a failing tool never accuses a vendor. No output means no verdict.
# Every name in the archive is checked before it is unpacked, into one new folder, which is removed at
# the end. The archive may use a window of 8 MiB and have 256 MiB of contents. The folder, in TMPDIR,
# takes twice the size of the archive and twice that of its contents.
set -u
LC_ALL=C TZ=UTC0 && export LC_ALL TZ
unset CDPATH TAR_OPTIONS POSIXLY_CORRECT _POSIX2_VERSION ZSTD_CLEVEL ZSTD_NBTHREADS
unset line name names word value rest option # what is exported is handed to every tool
umask 077
# Tools are not looked for in the folder at hand.
path=$PATH PATH=''
while [ -n "$path" ]; do
    case $path in /*) PATH=$PATH${PATH:+:}${path%%:*} ;; esac
    case $path in *:*) path=${path#*:} ;; *) path='' ;; esac
done
[ -n "$PATH" ] || PATH=/nonexistent # an empty one is the folder at hand
newline='
' tab=$(printf '\t') return=$(printf '\r')
blanks=" $tab"
namespace=fpreport-submission-v1
packed_max=268435456 contents_max=268435456 files_max=20000 statement_max=1048576 signers_max=1048576 floor=16777216

# A full disk accuses nobody: what is said against a submission is said where there was room to look at it.
tmp=''
finish() { # CODE WHAT: is said, and ends it
    code=$1 && shift
    case $tmp,$code in ?*,[13])
        { head -c 65536 /dev/zero >"$tmp/room"; } 2>/dev/null || { code=4 && set -- "cannot: no room in $(shown "$tmp")"; }
        ;;
    esac
    [ -z "$tmp" ] || [ ! -e "$tmp/failed" ] || { code=4 && read -r tool <"$tmp/failed" && set -- "cannot: use ${tool-}"; }
    printf '%s\n' "$*" || code=4
    exit "$code"
}
altered() { finish 1 "altered: $*"; }
refused() { finish 1 "refused: $*"; }
unreadable() { finish 3 "unreadable: $*"; }
cannot() { finish 4 "cannot: $*"; }
usage() { finish 2 "usage: verify.sh [-s SIGNERS] [-r REVOKED] [-I VENDOR] [-t TIME] SUBMISSION.tar.zst${1:+; $1}"; }
help() { # the lines above, of this file
    while IFS= read -r line; do
        case $line in '#!'*) continue ;; '#'*) line=${line#?} && printf '%s\n' "${line# }" ;; *) break ;; esac
    done <"$0" || exit 4
    exit 0
}
bytes() { od -An -v -tx1 -j"$2" -N"$3" "$1" | tr -d ' \n'; } # FILE FROM COUNT: as hex digits
# A tool that ends otherwise than it may, and be it killed, accuses nobody: finish() looks for the file.
failed() { # TOOL MOST STATUS: above MOST it has not done what it was asked; 141: nobody reads on
    [ "$3" -le "$2" ] || [ "$3" -eq 141 ] || [ -z "$tmp" ] || printf '%s\n' "$1" >"$tmp/failed"
    return "$3"
}
keygen() { # 1 where ssh-keygen says no, which it ends with 255
    command ssh-keygen "$@"
    set -- $?
    case $1 in 255) return 1 ;; *) failed ssh-keygen 1 "$1" ;; esac
}
shown() { printf %s "$1" | tr -c ' -~' '?'; } # what others wrote, for a terminal
moment() { # YYYYMMDD[HHMM[SS]][Z], of a real day
    case ${1%Z} in
    *[!0-9]*) return 1 ;;
    ???????? | ???????????? | ??????????????) set -- "${1%Z}000000" ;;
    *) return 1 ;;
    esac
    set -- "${1%"${1#??????????????}"}"
    day=${1%??????} hour=${1#????????} then=$1
    minute=${hour#??} second=${hour#????}
    [ "$(date -d "$day ${hour%????}:${minute%??}:$second" +%Y%m%d%H%M%S 2>/dev/null)" = "$1" ] && [ "$1" -gt 19700101000000 ]
}
word() { printf '%08x' ${#1} && printf %s "$1" | od -An -v -tx1 | tr -d ' \n'; } # TEXT: as in SSH
is_list() { # patterns with commas between, none of them empty, or too long or too slow for ssh-keygen
    case $1 in '' | ,* | *, | *,,*) return 1 ;; esac
    (
        set -f && IFS=,
        for pattern in $1; do
            case $pattern in *\**\**\**\**\**) exit 1 ;; esac
            [ ${#pattern} -le 1022 ] || exit 1
        done
    )
}
is_key() { # TYPE KEY
    case $1 in
    ssh-ed25519)
        case $2 in AAAAC3NzaC1lZDI1NTE5AAAAI[A-P]*) ;; *) return 1 ;; esac
        case $2 in *[!A-Za-z0-9+/]*) return 1 ;; esac
        [ ${#2} -eq 68 ]
        ;;
    *)
        [ "$(printf %s "$2" | base64 -d 2>/dev/null | base64 -w 0)" = "$2" ] &&
            [ "$(printf %s "$2" | base64 -d | head -c $((4 + ${#1})) | od -An -v -tx1 | tr -d ' \n')" = "$(word "$1")" ]
        ;;
    esac
}
is_type() {
    case $1 in
    *-cert-v01@openssh.com) set -- "${1%-cert-v01@openssh.com}" ;;
    sk-*) set -- "${1%@openssh.com}" "${1##*@}" && [ "$2" = openssh.com ] || return 1 ;;
    esac
    case $1 in
    ssh-ed25519 | ssh-rsa | ssh-dss | ecdsa-sha2-nistp256 | ecdsa-sha2-nistp384 | ecdsa-sha2-nistp521) ;;
    sk-ssh-ed25519 | sk-ecdsa-sha2-nistp256) ;;
    *) return 1 ;;
    esac
}
is_name() { # what a file may be called: 12 deep and 240 bytes at most
    case $1 in
    '' | [./-]* | *//* | */ | */[.-]* | *[!A-Za-z0-9._+:/-]*) return 1 ;;
    */*/*/*/*/*/*/*/*/*/*/*/*) return 1 ;;
    esac
    [ ${#1} -le 240 ]
}
is_sum() { # a line of SHA256SUMS
    line=$1 digits=${1%%  *} name=${1#*  }
    [ "$digits  $name" = "$line" ] && [ ${#digits} -eq 64 ] && is_name "$name" || return 1
    case $digits in *[!0-9a-f]*) return 1 ;; esac
    case $name in SHA256SUMS | statement.json | statement.json.sig | WITHHELD) return 1 ;; esac
}
# A sum that could not be made is like no other.
sum() {
    found=$(sha256sum <"$1") && [ ${#found} -eq 67 ] || failed sha256sum 0 1 || return
    printf %s "${found%%  *}"
}
same() { # is standard input this file?
    found=$(sha256sum) && [ ${#found} -eq 67 ] && other=$(sha256sum <"$1") || failed sha256sum 0 1 || return
    [ "$found" = "$other" ]
}
frames() { # FILE: "<zstd frames>+<skippable ones>"
    zstd -l "$1" 2>/dev/null | while read -r n skips rest; do
        case $n in [0-9]*) printf '%s+%s' "$n" "$skips" ;; esac
    done
}
listed() { tar -t -v -f - --quoting-style=escape --numeric-owner --full-time; }

# The bytes of a tar, without tar: 1.35 writes other headers than those before it.
ascii='+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`abcdefghijklmnopqrstuvwxyz' # from 43
z8='\000\000\000\000\000\000\000\000' z64=$z8$z8$z8$z8$z8$z8$z8$z8
z100=$z64$z8$z8$z8$z8'\000\000\000\000' z155=$z100$z8$z8$z8$z8$z8$z8'\000\000\000\000\000\000\000'
field() { # TEXT ZEROS: $field is the text and as many of the zeros as it leaves room for; $sum grows by its bytes
    rest=$1 field=$2
    while [ -n "$rest" ]; do
        behind=${rest#?}
        before=${ascii%%"${rest%"$behind"}"*}
        sum=$((sum + 43 + ${#before})) rest=$behind field=${field#????}
    done
    field=$1$field
}
header() { # NAME SIZE: the block before a file
    base=$1 prefix='' left=$2 octal=''
    if [ ${#base} -gt 100 ]; then
        prefix=${base%/*}
        while [ ${#prefix} -gt 155 ]; do
            case $prefix in */*) prefix=${prefix%/*} ;; *) return 1 ;; esac
        done
        base=${base#"$prefix"/}
        [ ${#base} -le 100 ] || return 1
    fi
    while [ ${#octal} -lt 11 ]; do octal=$((left % 8))$octal left=$((left / 8)); done
    sum=3181 && field "$octal" '' && field "$prefix" "$z155" && end=$field && field "$base" "$z100"
    printf "$field"'0000644\0000000000\0000000000\000'"$octal"'\00000000000000\000%06o\000 0'"$z100"'ustar\00000'"$z64"'0000000\0000000000\000'"$end$z8"'\000\000\000\000' $sum
}
packed() { # lines "SIZE NAME": a tar of those files in the folder run
    while read -r bytes name; do
        header "$name" "$bytes" || return
        pad=pad.$(((512 - bytes % 512) % 512))
        [ -e $pad ] || head -c ${pad#pad.} /dev/zero >$pad || return
        [ "$bytes" -eq 0 ] || cat "run/$name" $pad || return
    done && head -c 1024 /dev/zero
}

# What stands between names and key type in $line: options with commas between, none twice.
options() {
    seen=' ' after=0 before=99999999999999
    while :; do
        option=$(printf %s "${line%%[=,$blanks]*}" | tr A-Z a-z)
        line=${line#"${line%%[=,$blanks]*}"}
        case $option,$line in
        cert-authority,[,$blanks]*) ;;
        namespaces,'="'*'"'* | valid-after,'="'*'"'* | valid-before,'="'*'"'*)
            case $seen in *" $option "*) wrong "found $option twice" ;; esac
            line=${line#=\"} seen="$seen$option "
            value=${line%%\"*} line=${line#*\"}
            case $value in *[!\ -~]* | *\\*) wrong "found characters that an option may not contain" ;; esac
            ;;
        *) wrong "expected cert-authority, namespaces=, valid-after= or valid-before=" ;;
        esac
        case $option in
        namespaces) is_list "$value" || wrong "expected namespaces" ;;
        valid-*) moment "$value" || wrong "found the time '$(shown "$value")', expected YYYYMMDD[HHMM[SS]][Z]" ;;
        esac
        case $option in # without a Z, which OpenSSH 9.0 does not know
        valid-after) after=$then value=$then ;;
        valid-before) before=$then value=$then ;;
        esac
        [ $option = cert-authority ] || option=$option="\"$value\""
        options=$options,$option
        case $line in ,*) line=${line#,} ;; [$blanks]*) break ;; *) wrong "expected a key after the options" ;; esac
    done
    [ "$after" -le "$before" ] || wrong "valid-before is before valid-after"
}

known() { # TOOLS FOUND EXPECTED
    [ "$2" = "$3" ] || cannot "use $1: found '${2%%[!\ -~]*}', expected '${3%%[!\ -~]*}'"
}
known_date() { known date "$(date -d '20260102 03:04:05' +%Y%m%d%H%M%S 2>&1)" 20260102030405; }

# 0. Copies, so that what is looked at does not change, and what is known.
copied() { # FILE
    head -c $((packed_max + 1)) <"$1" >"$tmp/packed" || cannot "copy the file"
    [ -z "$signers" ] || head -c $((signers_max + 1)) <"$signers" >"$tmp/signers" || cannot "copy the signers"
    [ -z "$revoked" ] || head -c $((signers_max + 1)) <"$revoked" >"$tmp/revoked" || cannot "copy the revoked keys"
}
known_answers() {
    known_date
    known printf "${#tab} ${#return}" "1 1"
    known 'base64, od or tr' "$(printf 'AGEK\n' | base64 -d 2>&1 | base64 -w 0 | od -An -v -tx1 -j1 -N2 2>&1 | tr -d ' \n')" 4745
    known 'head or tail' "$(printf '%s\n' a b c d 2>&1 | head -n -1 2>&1 | tail -n +2 2>&1 | tail -c 4 | head -c 3)" "b${newline}c"
    known 'sha256sum or cut' "$(printf abc | sha256sum 2>&1 | cut -c1-66)" 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  '
    printf '%s\n' 'b  1' 'a  2' 'B  0' >known && mkdir run/known || cannot "write"
    known 'sort or wc' "$(sort known 2>&1 | sort -k 2 | tr '\n' , && { sort -c -u -k 2 known || wc -c <known; } 2>/dev/null)" 'B  0,b  1,a  2,15'
    # 8.25 MiB of zeros in 66 blocks, for which it needs the whole window of 8 MiB.
    block='\002\000\020\000' eight=''
    for _ in 1 2 3 4 5 6 7 8; do eight=$eight$block; done
    for _ in 1 2 3 4 5 6 7 8; do block=$block$eight; done
    printf "\\050\\265\\057\\375\\000\\150$block\\003\\000\\020\\000" >known.zst || cannot "write"
    known zstd "$(zstd -q -d -c -M8MB known.zst 2>/dev/null | wc -c) $(frames known.zst)" '8650752 1+0'
    # As much at once as is done in any step.
    printf known >run/known/file && printf '%s\n' '5 known/file' >sizes && packed <sizes >known || cannot "write"
    rm run/known/file || cannot "remove"
    listed <known >listing 2>/dev/null && read -r mode owner bytes rest <listing || cannot "use tar"
    known tar "$mode $owner $bytes $rest" '-rw-r--r-- 0/0 5 1970-01-01 00:00:00 known/file'
    tar -x -f - -C run --no-same-owner --no-same-permissions <known 2>/dev/null || cannot "use tar"
    known 'tar or cat' "$(cat run/known/file 2>&1)" known
    { packed <sizes || printf '' >broken; } | same known && [ ! -e broken ] || cannot "use cat, head or tar"
    rm -r run/known || cannot "remove"
}

# Who may sign, as $admitted has it in three lines each: the key, the names, the line for ssh-keygen. What
# counts no longer is in $all-gone, if there is any.
read_keys() { # signers or revoked
    file=$1 n=0 keys=0
    [ "$(wc -c <"$file")" -le $signers_max ] || unreadable "$file: more than 1 MiB"
    tr -d '\000' <"$file" | same "$file" || unreadable "$file: found a NUL"
    wrong() { unreadable "$file: line $n: $*"; }
    next() { line=${line#"${line%%[!$blanks]*}"} word=${line%%[$blanks]*}; } # the next word, and what begins with it
    while IFS= read -r line || [ -n "$line" ]; do
        n=$((n + 1))
        line=${line%"$return"} && next
        case $line in '' | '#'*) continue ;; esac
        whole=$line options=''
        if [ "$file" = signers ]; then
            case $line in
            '"'*'"'*) line=${line#\"} names=${line%%\"*} line=${line#*\"} ;;
            *) names=$word line=${line#"$word"} ;;
            esac
            case $names in *[!\ -~]* | *[\"\\]*) wrong "found names with invalid characters" ;; esac
            is_list "$names" || wrong "expected names, a key type and a key"
            case $line in [$blanks]*) start=${whole%"$line"} && next ;; *) wrong "expected a key after the names" ;; esac
            case $line in '"'*) wrong "expected a key type" ;; esac
            is_type "$word" || options
            next
        fi
        is_type "$word" || wrong "expected a key type such as ssh-ed25519"
        type=$word line=${line#"$word"} && next
        is_key "$type" "$word" || wrong "the key does not have the type that precedes it"
        [ "$file" != revoked ] || printf '%s\n' "$word" >>all-gone || cannot "write"
        [ "$file" = revoked ] || printf '%s\n' "$word" "$names" "$start ${options#,} $type $word" >>admitted || cannot "write"
        keys=$((keys + 1))
        [ $keys -le 10000 ] || unreadable "$file: more than 10000 keys"
    done <"$file" || cannot "read"
}

# 1. One zstd frame with a window of 8 MiB at most, and behind it the SHA-256 of the frame in a
#    skippable one (older submissions, which are not signed, have none).
one_frame() {
    size=$(wc -c <packed)
    [ "$size" -le $packed_max ] || unreadable "more than 256 MiB"
    [ "$(bytes packed 0 4)" = 28b52ffd ] || unreadable "not a zstd file"
    sealed=0 # bytes of it
    [ "$size" -lt 48 ] || [ "$(bytes packed $((size - 40)) 8)" != 502a4d1820000000 ] || sealed=40
    head -c $((size - sealed)) packed >frame.zst || cannot "write"
    [ $sealed -eq 0 ] || [ "$(sum frame.zst)" = "$(bytes packed $((size - 32)) 32)" ] ||
        unreadable "the SHA-256 after the zstd frame does not match the frame"
    flags=$(bytes frame.zst 4 1)
    case $flags in ?[0-7]) ;; *) unreadable "the zstd frame uses a reserved bit" ;; esac
    [ $((0x$flags & 3)) -eq 0 ] || unreadable "the zstd frame needs a dictionary"
    # zstd -M looks at no window of a frame whose contents are small. 0x68 stands for 8 MiB.
    descriptor=$(bytes frame.zst 5 1)
    [ $((0x$flags & 32)) -ne 0 ] || [ $((0x${descriptor:-ff})) -le $((0x68)) ] ||
        unreadable "the zstd frame needs a window of more than 8 MiB"
    [ "$(frames frame.zst)" = 1+0 ] || unreadable "not exactly one zstd frame"
}

# 2. The tar inside.
tar_inside() {
    most=$((contents_max + files_max * 1024 + 1024))
    ended=$({ { zstd -q -d -c -M8MB frame.zst 2>/dev/null && echo whole >&3; } | head -c $((most + 1)) >tar; } 3>&1) ||
        cannot "write"
    plain=$(wc -c <tar) frame=$(wc -c <frame.zst)
    [ "$plain" -le $most ] || unreadable "holds more than 256 MiB"
    [ "$frame" -le $((plain + plain / 16 + 65536)) ] || unreadable "the zstd frame is larger than its contents"
    [ "$ended" = whole ] || unreadable "the zstd frame is damaged, or needs a window of more than 8 MiB"
}

# 3. What it lists: regular files with plain names, each once, not too many, not too large, with the
#    mode, owner and time that all have. From standard input, so that tar does not look for a
#    compressed archive in it.
plain_names() {
    tar -t -f - --quoting-style=escape <tar >names 2>/dev/null &&
        listed <tar >listing 2>/dev/null ||
        unreadable "not a readable tar"
    [ "$(wc -l <names)" -le $files_max ] || unreadable "more than $files_max entries"
    # Of names there are 240 bytes at most; a shell would read longer lines byte by byte.
    cut -c1-1024 names | same names && cut -c1-2048 listing | same listing || unreadable "a name of more than 240 bytes"
    total=0
    printf '' >files && printf '' >sizes || cannot "write"
    while IFS= read -r name <&3 && read -r mode owner bytes day time rest <&4; do
        [ "$mode $owner $day $time" = "-rw-r--r-- 0/0 1970-01-01 00:00:00" ] ||
            unreadable "'$name' is not a regular file in the canonical form"
        is_name "$name" || unreadable "invalid name: '$name'"
        case $bytes in *[!0-9]* | ??????????*) unreadable "'$name' is larger than 256 MiB" ;; esac
        total=$((total + bytes))
        [ "$bytes" -le $contents_max ] && [ $total -le $contents_max ] || unreadable "holds more than 256 MiB"
        [ $total -le $floor ] || [ $total -le $((size * 1000)) ] || unreadable "holds more than 1000 times its packed size"
        printf '%s\n' "$name" >>files && printf '%s\n' "$bytes $name" >>sizes || cannot "write"
    done 3<names 4<listing || cannot "read"
    below=$(printf '\001') before=$below
    tr 'A-Z/' 'a-z\001' <files | sort >folded && sort files >sorted || cannot "write"
    while IFS= read -r name; do
        case $name in "$before" | "$before$below"*) unreadable "two files have the same name or place" ;; esac
        before=$name
    done <folded || cannot "read"
}

# 4. Unpacked, and packed again, by name: the same bytes.
same_bytes() {
    same sorted <files || unreadable "the names are not sorted"
    tar -x -f - -C run --no-same-owner --no-same-permissions --no-wildcards --verbatim-files-from \
        -T sorted <tar >/dev/null 2>&1 || unreadable "not a readable tar"
    { packed <sizes || printf '' >broken; } | same tar || unreadable "the tar inside is not in the canonical form"
    [ ! -e broken ] || unreadable "a name is too long for a tar header"
}

# 5. SHA256SUMS has every file but four, by name, with its SHA-256. WITHHELD, where it is, has the
#    lines of those that are not there: nobody can say more of them than their SHA-256.
every_sum() {
    [ -f run/SHA256SUMS ] || altered "contains no SHA256SUMS: not a sealed run"
    good=good intact=intact withheld=''
    printf '' >left || cannot "write"
    if [ -f run/WITHHELD ]; then
        [ -s run/WITHHELD ] || altered "WITHHELD lists no file"
        cat run/WITHHELD >left || cannot "write"
        # A shell takes minutes for lines that are longer than any may be, as for names.
        tr -d '\000' <left | same left && [ "$(tail -c 1 left | wc -l)" -eq 1 ] && cut -c1-512 left | same left &&
            sort -c -k 2 left 2>/dev/null || altered "WITHHELD is not a part of SHA256SUMS"
        n=$(wc -l <left)
        [ "$n" -le $files_max ] || altered "WITHHELD lists more than $files_max files"
        while IFS= read -r line; do
            is_sum "$line" || altered "WITHHELD has a line that is not 64 hex digits, two spaces and a name"
        done <left || cannot "read"
        files=files && [ "$n" -ne 1 ] || files=file
        good=redacted intact=redacted withheld=", $n $files withheld: the file WITHHELD says so, and nobody signed that"
    fi
    (
        cd run && set -- || exit
        while IFS= read -r name; do
            case $name in SHA256SUMS | statement.json | statement.json.sig | WITHHELD) continue ;; esac
            set -- "$@" "$name"
            [ $# -lt 500 ] || { sha256sum -- "$@" && set --; } || exit
        done
        [ $# -eq 0 ] || sha256sum -- "$@"
    ) <sorted >sums || cannot "write"
    cat left >>sums && sort -k 2 sums >all || cannot "write"
    sort -c -u -k 2 all 2>/dev/null || altered "WITHHELD lists a file twice, or a file that is not missing"
    [ "$(wc -l <all)" -le $files_max ] || altered "SHA256SUMS lists more than $files_max files"
    same run/SHA256SUMS <all && return
    # In the lines of both each is there twice, up to that of the first file that differs.
    head -c 8388608 run/SHA256SUMS | head -n $((files_max + 1)) | cut -c1-512 | sort -k 2 - all >both || cannot "write"
    while IFS= read -r line && IFS= read -r other && [ "$line" = "$other" ]; do :; done <both
    altered "the files do not match SHA256SUMS${line:+, first '$(shown "${line#*  }")'}"
}

# 6. The statement, one line, is about this SHA256SUMS.
the_statement() {
    id=$(sum run/SHA256SUMS) || cannot "use sha256sum"
    if [ -f run/statement.json ]; then
        printf '%s' '{"_type": "https://in-toto.io/Statement/v1", "subject": [{"name": "SHA256SUMS", ' \
            '"digest": {"sha256": "'"$id"'"}}], "predicateType": "https://slsa.dev/provenance/v1", ' \
            '"predicate": {' >head || cannot "write"
        [ "$(wc -c <run/statement.json)" -le $statement_max ] || altered "a statement of more than 1 MiB"
        head -c "$(wc -c <head)" run/statement.json | same head &&
            [ "$(wc -l <run/statement.json)" -eq 1 ] && [ "$(tail -c 1 run/statement.json | wc -l)" -eq 1 ] ||
            altered "the statement is not about this SHA256SUMS"
        [ $sealed -gt 0 ] || altered "the SHA-256 after the zstd frame is missing"
    elif [ -f run/statement.json.sig ]; then
        altered "a signature without a statement"
    fi
    [ -f run/statement.json.sig ] || [ -z "$signers" ] || finish 1 "unsigned: intact, $id, but not signed"
    [ -f run/statement.json.sig ] || finish 0 "$intact: $id, not signed$withheld"
}

# 7. The signature: a key that can sign, SHA-512, our namespace, in the one form that ssh-keygen writes. What is
#    read here is hex; `string` takes the next string of it, as SSH writes strings, from $hex to $value.
string() {
    length=${hex%"${hex#????????}"}
    [ ${#length} -eq 8 ] && length=$((0x$length * 2)) && [ $length -le $((${#hex} - 8)) ] || return 1
    hex=${hex#????????} value=''
    [ $length -eq 0 ] || value=$(printf %s "$hex" | cut -c1-$length)
    hex=${hex#"$value"}
}
positive() { # the next string is a number above 0 in its shortest form, which $value is then
    string || return 1
    case $value in 00[89a-f]*) value=${value#00} ;; [1-7]* | 0[1-9a-f]*) ;; *) return 1 ;; esac
}
is_text() { [ "$(printf %s "$1" | od -An -v -tx1 | tr -d ' \n')" = "$value" ]; } # TEXT: is it $value?
the_key() { # of $hex: its $type, and what its signatures are like
    string || return 1
    for type in ssh-ed25519 sk-ssh-ed25519@openssh.com ssh-rsa ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 \
        ecdsa-sha2-nistp521 sk-ecdsa-sha2-nistp256@openssh.com ''; do
        [ -z "$type" ] || ! is_text "$type" || break
    done
    case $type in
    *ed25519*) string && [ ${#value} -eq 64 ] || return 1 ;;
    ssh-rsa)
        positive && exponent=${#value} && positive && modulus=$value && [ $exponent -le ${#value} ] || return 1
        case ${#value}:$value in 512:[89a-f]* | 4096:*) ;; *) [ ${#value} -gt 512 ] && [ ${#value} -lt 4096 ] || return 1 ;; esac
        ;;
    *nistp*)
        curve=${type##*-} && string && is_text "${curve%@*}" && string || return 1
        case ${curve%@*}:${#value}:$value in nistp256:130:04* | nistp384:194:04* | nistp521:266:04*) ;; *) return 1 ;; esac
        ;;
    *) return 1 ;;
    esac
    case $type in sk-*) string || return 1 ;; esac
    [ -z "$hex" ]
}
its_numbers() { # of $hex: is it a signature as this type's are?
    string || return 1
    case $type in ssh-rsa) is_text rsa-sha2-512 || is_text rsa-sha2-256 ;; *) is_text $type ;; esac && string || return 1
    numbers=$value
    case $type in sk-*) [ ${#hex} -eq 10 ] ;; *) [ -z "$hex" ] ;; esac || return 1
    case $type in
    ssh-rsa) [ ${#numbers} -eq ${#modulus} ] ;;
    *nistp*) hex=$numbers && positive && positive && [ -z "$hex" ] ;;
    *) [ ${#numbers} -eq 128 ] ;;
    esac
}
below_the_order() { # as in RFC 8032; ssh-keygen takes some others, too
    order=1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed scalar='' left=${numbers#"${numbers%????????????????????????????????????????????????????????????????}"}
    while [ -n "$left" ]; do
        scalar=${left%"${left#??}"}$scalar left=${left#??}
    done
    [ ${#scalar} -eq 64 ] || cannot "use od"
    printf '%s\n' "$scalar" $order | sort -c -u 2>/dev/null
}
one_signature() {
    begin='-----BEGIN SSH SIGNATURE-----' end='-----END SSH SIGNATURE-----'
    [ "$(wc -c <run/statement.json.sig)" -le 16384 ] || refused "not an SSH signature"
    head -n -1 run/statement.json.sig | tail -n +2 | base64 -d >blob 2>/dev/null || refused "not an SSH signature"
    { printf '%s\n' "$begin" && base64 -w 70 <blob && printf '%s\n' "$end"; } | same run/statement.json.sig ||
        refused "not an SSH signature in the form of ssh-keygen"
    hex=$(od -An -v -tx1 blob | tr -d ' \n')
    magic=$(printf SSHSIG | od -An -v -tx1 | tr -d ' \n')00000001
    rest=${hex#"$magic"}
    [ "$rest" != "$hex" ] && hex=$rest && string && key=$value && rest=$hex || refused "not an SSH signature"
    hex=${rest#"$(word $namespace)00000000$(word sha512)"}
    [ "$hex" != "$rest" ] && string && [ -z "$hex" ] && signature=$value ||
        refused "not a signature with SHA-512, for $namespace"
    hex=$key && the_key || refused "made by a key that is not Ed25519, ECDSA, RSA of 2048 bits or more, or FIDO"
    hex=$signature && its_numbers || refused "not a signature of its key's type, $type"
    case $type in *ed25519*) below_the_order || refused "the scalar of the signature is not below the order of its group" ;; esac
    mine=$(tail -c +15 blob | head -c $((${#key} / 2)) | base64 -w 0)
}
# One that is known to hold, by a key that was thrown away, with another key revoked.
known_signature() {
    command -v ssh-keygen >/dev/null || cannot "find ssh-keygen"
    line=ssh-ed25519\ AAAAC3NzaC1lZDI1NTE5AAAAIHLkLb8SFv6etQzk9Bz+3H9meW5rwgBkCSfHCBVfc3sO
    printf '%s\n' "x namespaces=\"$namespace\",valid-after=\"20200101000000\" $line" >line &&
        printf '%s\n' "${line%??}AA" >other &&
        printf '%s\n' "$begin" U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgcuQtvxIW/p61DOT0HP7cf2Z5bm \
            vCAGQJJ8cIFV9zew4AAAAWZnByZXBvcnQtc3VibWlzc2lvbi12MQAAAAAAAAAGc2hhNTEy \
            AAAAUwAAAAtzc2gtZWQyNTUxOQAAAEA3TSzSK4iwZ03w+112Iv6L6gSQZ/bbrXrQ1xlJiV \
            1OTa2UZ1PCcJWMmHvNKbQWX+sVzCWr1jS2ZJcK6LG67jEO "$end" >known || cannot "write"
    said=$(printf '%s\n' 'known answer' | keygen -Y verify -n $namespace -s known -r other -f line -I x -O verify-time=20260101 2>&1)
    known ssh-keygen "${said%% with*}" "Good \"$namespace\" signature for x"
}
# Each line of the signers that has the key, by itself: the first that lets it sign this names who signed.
the_signer() {
    said=$(keygen -Y check-novalidate -n $namespace -s run/statement.json.sig <run/statement.json 2>/dev/null) ||
        refused "the signature does not belong to this statement"
    key=${said##* }
    [ -n "$signers" ] || finish 0 "$intact: $id, signed with the key $key, whose owner was not checked$withheld"
    set -- -Y verify -n $namespace -s run/statement.json.sig -O "verify-time=$at"
    if [ -e all-gone ]; then # ssh-keygen would stumble over a key of a type that it does not read
        while IFS= read -r word <&3; do
            [ "$word" != "$mine" ] || printf '%s\n' "$type $mine" >gone || cannot "write"
        done 3<all-gone || cannot "read"
    fi
    [ ! -e gone ] || set -- "$@" -r gone
    why="is not among the signers"
    while IFS= read -r word <&3 && IFS= read -r names <&3 && IFS= read -r line <&3; do
        [ "$word" = "$mine" ] || continue
        names=$names,
        while [ "${names#!}" != "$names" ]; do names=${names#*,}; done # '!acme' is no name
        name=${names%%,*}
        [ -n "$name" ] || { why="the signers give to nobody" && continue; }
        name=${vendor:-$name} why="does not count for $(shown "${vendor:-$name}")"
        printf '%s\n' "$line" >line || cannot "write"
        if said=$(keygen "$@" -f line -I "$name" <run/statement.json 2>&1); then
            finish 0 "$good: $id, signed by $(shown "$name") with the key $key$withheld"
        fi
        case $said in line:1:\ key\ *) said=${said#line:1: key } && why="$why: it ${said%%[!\ -~]*}" ;; esac
        if [ -e gone ] && keygen "$@" -r /dev/null -f line -I "$name" <run/statement.json >/dev/null 2>&1; then
            why="$why: it is revoked"
        fi
    done 3<admitted || cannot "read"
    refused "signed with the key $key, which $why"
}

# Only the first time tools are asked by themselves: of those behind it the one that is known shows more.
look() { # FOLDER FILE: the steps, in a new folder; says one verdict and ends with its code
    tmp=$tmp/$1 && mkdir "$tmp" "$tmp/run" && copied "$2" && cd "$tmp" || cannot "make a folder"
    [ "$1" != first ] || known_answers
    printf '' >admitted || cannot "write"
    [ -z "$signers" ] || read_keys signers
    [ -z "$revoked" ] || read_keys revoked
    one_frame
    tar_inside
    plain_names
    same_bytes
    every_sum
    the_statement
    one_signature
    known_signature 3<admitted || cannot "read"
    the_signer
}

# What is known to be good, whatever the steps use: signed by a key that was thrown away, two files of it withheld.
known_submission() {
    printf '%s\n' \
        KLUv/QBoRSIAtry7J+Du5gE49Z3mm2nPqJt22yLKKuYbnUqIHgRctfiaOBNOzzDGOMfwUKAArACuAHvLtMiTlCjqig5eF62VVeWb96s740dq \
        HbX0Xa5XtfhdDx38t5cFX05HJYX3Zvcy3ptGUa/C2Nk4641Vpa5W690KJ52fJ6SRWlM+vSClMP+rUc78YPWqY2ecAvK8XoqyV17ZPpsfvv/Z \
        Tmo5CyO27J3XhE7Ka+tf+hx17unXacU7L6zxRneldA2tdr41HNVwL7oXo7Ms6RqbTGcjIyS4bAIuP6TQ1ogr6uLlnotVfFcrOZ2sIf4gjUV1 \
        PzIi+n0Kuz1SZBPJNCTrWRfYOhKR8FHvoR+Z+gR0Dzo334u+185P75+XsH5QAY8XgXQtG702yg9K8qiiD13+yHjuNSqrihI2GpSEyuXCwXga \
        DlCGQfqWQSxaxSrPOOWFqX3Vm9VBd6vqvnzOyoovpdGy8ZLVPovSSil2subryrdvrY20B22dI65iV+1xtidCkYcDDR0OgcaC2VCXzYbSYCyV \
        iYCclgNpDnGcTqd+N2yynxfiH4lznOcEJHRwK+DvEky9GWnXXrHogbX2HNO1P2VvEqfHrto+ZYBnkau13w+SgCpGWtt4RgXw13c/3j96Epbx \
        1zZ/UdXqAla39r30kr1pAqBdtS6RbG3bme566/wUjOnN/t11PynTRhHSY0jlGOd8r1fj10YSp9PjkhPbHK9sM63sw9He+eq9l1Z4c7UCEUIs \
        ivMMowIeNfrOoxUjhA2KpuK4gAiuzYfyyRec4kJzsFgQxfpQ0ckwmwVEnhwwEHg6x4RggpyFkgVAwWG7ruaCBVOaoM4lpHWlcpvvDD4AuJi0 \
        kIdXQhmfVBRKHY7GxOD5dFC/6DhMFY4mFILXkoFPWxIGLwbmsdqhup1hX9Lk4WOa7I/HerMgO5CsQsKnIIKZboJjck0QLKSpUBkA3I4Fw0DC \
        Gz/AMDuUQRWczOtQZCocPAmZproJGQoDwQVzHYzmdRyVgISgIaFTzMiI0AQikiRJxmBkZG6IVgegCKAfmAQWUWUMlbfbBywnA0uS9BHqRoKq \
        pAFCZSxEaGAGIU5kfIgYTPhISyl+90LFYFZgJsr712Q5dqp5AA8S7tLYAQmraNcLM5H4RSJXifOh2IUVA9y+nsA4cCbaEhCEAXm7oLpFxhGo \
        kxKZ9vQF44nYtgyHB+8MnoTUx0sTYR9+1Q6/1d4KPTwH7G9FIgtL51s8LcgQUmAfaDYtFFkr1Z9pTYZvuyPwyFeyAVFoSZST675X2mLFxRqt \
        bqsO4jOQFg2AgGzALgJbGpkVGFkLb9sxAswBdEEhjFD6B1hmVdAlB2i6Xc3Ve6okwaYOb2fcjX/JGLwiWSrswSzuAJsER7QfHVXZ7VM7ZhWA \
        gDtAp0AhkMFta5bT2AF/bG+oOmceENhRgdkYCEQyFOBBgN+THECk1wg5No1B/AUIiDbxPVAqTRggAAAAlaDj6S7FW6KZVm3BZr/alNlO5nmR \
        dJH1ziwPwVsZFiQ= |
        base64 -d >"$tmp/known.tar.zst" || cannot "write"
    printf '%s\n' 'x,y namespaces="fpreport-*",valid-after="20260101" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH4ZyJSbLnb0CBlHPhdzu7xigfQS3MpfwmSzm71Xwu9e' >"$tmp/known.signers" &&
        printf '%s\n' 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHLkLb8SFv6etQzk9Bz+3H9meW5rwgBkCSfHCBVfc3sO' >"$tmp/known.revoked" || cannot "write"
    signers=$tmp/known.signers revoked=$tmp/known.revoked vendor='' at=20260601000000
    look known "$tmp/known.tar.zst"
}

openable() { # FILE WHOSE: what cannot be opened by its own fault is unreadable; a machine that does not let us accuses nobody
    [ ! -e "$1" ] || [ -f "$1" ] || unreadable "$2not a file"
    said=$(command head -c 1 -- "$1" 2>&1 >/dev/null) && return
    case $said in
    *': No such file or directory' | *': Not a directory' | *': File name too long') unreadable "$2no such file" ;;
    *) cannot "read $2$(shown "$1"): $(shown "${said##*: }")" ;;
    esac
}

signers='' revoked='' vendor='' at=''
case $#,${1-} in 1,-h | 1,--help) help ;; esac
while getopts s:r:I:t: option; do
    [ -n "${OPTARG-}" ] || usage
    case $option in s) signers=$OPTARG ;; r) revoked=$OPTARG ;; I) vendor=$OPTARG ;; t) at=$OPTARG ;; *) usage ;; esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
[ -n "$signers" ] || [ -z "$revoked$vendor$at" ] || usage
for tool in base64:1 cat:0 cut:0 date:1 head:0 mkdir:0 mktemp:0 od:0 rm:0 sha256sum:0 sort:1 tail:0 tar:2 tr:0 wc:0 zstd:1; do
    most=${tool#*:} tool=${tool%:*}
    command -v $tool >/dev/null || cannot "find $tool"
    eval "$tool() { command $tool \"\$@\" || failed $tool $most \$?; }"
done
[ -z "$at" ] || moment "$at" || { known_date && moment "$at"; } || usage "TIME is YYYYMMDD[HHMM[SS]][Z], not '$(shown "$at")'"
[ -n "$at" ] || moment "$(date +%Y%m%d%H%M%S)" || cannot "use date"
at=$then
openable "$1" ''
for file in "$signers" "$revoked"; do
    [ -z "$file" ] || openable "$file" 'signers: '
done
tmp=$(mktemp -d) || tmp=''
case ${tmp##*/} in # all of it is removed at the end
tmp.??????????) tmp=$(cd -- "$tmp" && pwd) || { tmp='' && cannot "make a folder"; } ;;
*) tmp='' && cannot "make a folder" ;;
esac
trap 'rm -rf "$tmp"' EXIT
trap 'exit 4' HUP INT TERM PIPE QUIT ALRM USR1 USR2 XCPU
said=$(look first "$1")
code=$?
case $code in
1 | 3) # who is accused is looked at again, after what is known to be good
    rm -rf "$tmp/first"
    known=$(known_submission)
    case $?,$known in
    "0,redacted: 60763a0e53501095083d5ab282ef04afc2a8c607cca17cb5d1b38fbf95fbd769, signed by x with "*", 2 files withheld: the file WITHHELD says so, and nobody signed that") ;;
    *) code=4 && said="cannot: use the tools: of a good submission they say '$known'" ;;
    esac
    rm -rf "$tmp/known"
    [ $code -ne 4 ] && again=$(look second "$1")
    case $?,$code,${again-} in *,4,* | "$code,$code,$said") ;; *) code=4 && said="cannot: found '$said', and then '${again-}'" ;; esac
    ;;
esac
case $code,$said in
0,good:* | 0,intact:* | 0,redacted:* | 1,altered:* | 1,unsigned:* | 1,refused:* | 3,unreadable:* | 4,cannot:*) ;;
*) code=4 && said="cannot: a shell that ended with $code" ;;
esac
printf '%s\n' "$said" || code=4
exit $code
