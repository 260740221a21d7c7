#!/bin/sh
# fpreport serve: what is answered, what is refused, builds after changes, several browsers, the end.
. "$(dirname "$0")/../../lib.sh"
# As installed, so that a program from elsewhere (build/asan) finds its templates too.
mkdir -p "$tmp/usr/bin" "$tmp/usr/share/fpreport" && cp "$FPREPORT" "$tmp/usr/bin/fpreport" && FPREPORT=$tmp/usr/bin/fpreport
ln -s "$top/templates" "$top/records" "$tmp/usr/share/fpreport/"
mkdir "$tmp/project" && cd "$tmp/project" || exit 1
cp -R "$top/tests/golden/build/records" . && mkdir templates
if ! command -v curl >/dev/null || ! command -v python3 >/dev/null; then skip "needs curl and python3"; plan_done; exit 0; fi
server=''
at_end='kill $server 2>/dev/null'
start() { # OPTION…: serve on a free port; $url is where
    : >"$tmp/url"
    # A shell starts what runs in the background with SIGINT ignored; a terminal does not.
    python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$FPREPORT" serve --port 0 "$@" >"$tmp/url" 2>"$tmp/said" &
    server=$!
    await test -s "$tmp/url"
    url=$(head -n 1 "$tmp/url") url=${url%/} port=${url##*:}
}
rests() { # PROCESS: it is stopped, or has ended
    state=Z; read -r _ _ state _ <"/proc/$1/stat"
    [ "$state" = T ] || [ "$state" = Z ]
} 2>/dev/null
stop() { kill -INT $server; await rests $server || kill -9 $server; wait $server; code=$?; server=''; }
get() { curl -s --path-as-is "$@"; }
status() { curl -s -o /dev/null --path-as-is -w '%{http_code}' "$@"; }
type_of() { curl -s -o /dev/null -w '%{content_type}' "$url$1"; }
raw() { # TEXT: sent as it is; the first line of the answer
    python3 - "$port" "$1" <<'P'
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
s.sendall(sys.argv[2].encode().decode("unicode_escape").encode("latin-1"))
s.settimeout(5)
print(s.recv(4096).split(b"\r\n")[0].decode())
P
}
is() { # DESCRIPTION EXPECTED ACTUAL
    if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found '$3', expected '$2'"; fi
}

# --- The first build and what it gives.
start
check "says where it is" grep -qx 'http://127.0.0.1:[0-9]*/' "$tmp/url"
check "builds the site" await test -s site/index.html
check "and says what the build says" await grep -q '1 verified, 1 failed, 1 withdrawn' "$tmp/said"
is "the site" 200 "$(status $url/)"
# Where pages are is the site's business.
page_of() { (cd site && find . -path "*$1/index.html" | sort | head -n 1 | sed 's|^\./||; s|index\.html$||'); }
rules=$(page_of rules) toy=$(page_of acme/toy)
is "a page without its slash goes to the one with it" "301 $url/$rules" "$(curl -s -o /dev/null -w '%{http_code} %{redirect_url}' "$url/${rules%/}?x")"
is "a page" "text/html; charset=utf-8" "$(type_of "/$rules")"
is "a style sheet" "text/css; charset=utf-8" "$(type_of /style.css)"
json=$(cd site && find . -name verify.json | head -n 1 | sed 's/^\.//')
is "JSON" "application/json; charset=utf-8" "$(type_of "$json")"
is "Markdown" "text/markdown; charset=utf-8" "$(type_of /pages/README.md)"
is "CSV" "text/csv; charset=utf-8" "$(type_of /references/tiny_llama.csv)"
is "evidence" application/zstd "$(type_of /evidence/globex/run.tar.zst)"
get "$url/evidence/globex/run.tar.zst" >"$tmp/got"
check "evidence is given as it is" cmp "$tmp/got" site/evidence/globex/run.tar.zst
get "$url$json" | cmp -s - "site$json" && same=0 || same=1
is "JSON as well" 0 $same
get "$url/index.html" >"$tmp/got"
check "a page has our script" grep -q '<script src="/.fpreport/reload.js" data-build="[0-9a-f.]*"></script>' "$tmp/got"
check "which its policy allows" grep -q "default-src.*script-src [^;]*'self'; connect-src [^;]*'self'\"" "$tmp/got"
check "no file of the site has it" sh -c '! grep -rq "\.fpreport/" site --include="*.html"'
"$FPREPORT" build -q -o ../built >"$tmp/.out" 2>&1
check "the site is what build writes" diff -r site ../built
is "the script" "text/javascript; charset=utf-8" "$(type_of /.fpreport/reload.js)"
is "HEAD" "200 0" "$(curl -s -I -o /dev/null -w '%{http_code} %{size_download}' $url/)"
is "HEAD has the length" "$(get -D - -o /dev/null $url/style.css | grep -i '^content-length')" "$(curl -s -I $url/style.css | grep -i '^content-length')"
for header in 'Cache-Control: no-store' 'X-Content-Type-Options: nosniff' 'Cross-Origin-Resource-Policy: same-origin'; do
    check "header $header" sh -c 'curl -s -I "$1" | grep -qi "$2"' - $url/ "$header"
done
check "only on 127.0.0.1" python3 -c "
import socket, sys
try: named = {a[4][0] for a in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
except OSError: named = {'127.0.0.2'} # a bare system has no /etc/hosts, and a name that leads nowhere
for host in named - {'127.0.0.1'}:
    try: socket.create_connection((host, $port), 1); sys.exit(host)
    except OSError: pass"

# --- What is not given out.
echo secret >../secret && ln -s ../../secret site/link && ln -s ../records site/folder && mkfifo site/fifo
for path in /none "/${rules}none" /link /folder/ /folder/vendors/acme.json /fifo /.fpreport-build /.fpreport/none /.git/config /style.css/; do
    is "not there: $path" 404 "$(status "$url$path")"
done
for path in /../secret /x/../../secret /%2e%2e/secret /..%2fsecret /%2e%2e%2fsecret /a%00b //etc/passwd /a%5c..%5cb /%c0%ae%c0%ae/secret; do
    is "refused: $path" 400 "$(status "$url$path")"
done
is "another method" 405 "$(status -X POST $url/)"
is "with a body" 413 "$(status -X GET -d x $url/)"
for host in evil.example localhost.evil.example "127.0.0.1.evil.example:$port" '[::1]'; do
    is "the host $host" 403 "$(status -H "Host: $host" $url/)"
done
is "a forwarded port" 200 "$(status -H 'Host: localhost:9' $url/)"
is "no host" "HTTP/1.1 400 Bad Request" "$(raw 'GET / HTTP/1.1\r\n\r\n')"
is "another version" "HTTP/1.1 505 HTTP Version Not Supported" "$(raw 'GET / HTTP/7.1\r\nHost: localhost\r\n\r\n')"
is "nonsense has no answer" "" "$(raw '\x16\x03\x01\x00\r\n\r\n')"
is "and the next one has" 200 "$(status $url/)"
is "a request of 16 KiB" 431 "$(status -H "X: $(head -c 17000 /dev/zero | tr '\0' a)" $url/)"
is "a path of 3 KB" 414 "$(status "$url/$(head -c 3000 /dev/zero | tr '\0' a)")"
rm site/link site/folder site/fifo
get "$url/${rules}none" >"$tmp/got"
check "the page for what is missing leads into the site from any path" sh -c '
    tr " " "\n" <"$1" | sed -n "s/^\(href\|src\)=\"\([^\"]*\)\".*/\2/p" >"$1.links"; grep -qx "/style.css" "$1.links" && ! grep -v "^/" "$1.links"' - "$tmp/got"
for link in $(grep -v '^/\.fpreport' "$tmp/got.links" | sort -u); do is "and there is $link" 200 "$(status "$url$link")"; done
sed 's,\(href\|src\)="\([^":]*\)",\1="https://b.example/sub/\2",' site/404.html >whole && cp whole site/404.html && get "$url/${rules}none" >"$tmp/got2"
check "in a site with an address, too" sh -c 'grep -q "https://b.example" whole && cmp "$1" "$2"' - "$tmp/got" "$tmp/got2"
echo '<h1>ours <a href="x"><a href="/x"><a href="#x"><a href="http://x"><a href="">' >site/404.html
get -D "$tmp/head" $url/none >"$tmp/got"
check "the site's own page for what is missing" grep -q '<h1>ours <a href="/x"><a href="/x"><a href="#x"><a href="http://x"><a href="">' "$tmp/got"
check "with the status" grep -q '^HTTP/1.1 404' "$tmp/head"
rm site/404.html

# --- Slow browsers and many of them do not keep others waiting.
truncate -s 64M site/big.bin
python3 - $port <<'P' >"$tmp/slow" &
import socket, sys, time
all = []
for i in range(200):
    s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
    s.sendall(b"GET / HTTP/1.1\r\nHo" if i % 2 else b"")
    all.append(s)
big = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
big.sendall(b"GET /big.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
print("all are there", flush=True)
time.sleep(1200)
P
slow=$!
await test -s "$tmp/slow"
is "200 slow ones do not keep another waiting" 200 "$(status -m 8 $url/)"
is "nor does a large file" 67108864 "$(curl -s -m 8 -o /dev/null -w '%{size_download}' $url/big.bin)"
kill $slow 2>/dev/null; wait $slow 2>/dev/null
rm site/big.bin

# --- Changes.
state() { get $url/.fpreport/state; }
state_is() { state | grep -q " $1\$"; }
check "a page can ask for the build" sh -c 'printf "%s\n" "$1" | grep -qx "[0-9a-f]*\.[0-9]* good"' - "$(state)"
builds() { grep -c 'files written' "$tmp/said"; }
was=$(state)
sed -i 's/"90.0%"/"80.0%"/' records/results/acme/toy.json
check "a changed record is built" await sh -c 'curl -s "$1" | grep -q "80\.0%"' - "$url/$toy"
differs() { [ "$was" != "$(state)" ]; }
check "and has another number" await differs
n=$(state) was=$(builds)
touch records/results/acme/toy.json; sed -i '' records/results/acme/toy.json
await sh -c '[ "$(grep -c "files written" "$1")" -gt "$2" ]' - "$tmp/said" "$was"
is "one that changes nothing has the same" "$n" "$(state)"
mkdir -p templates/site && echo '/* zebra */' >templates/site/style.css
check "a template that comes is built" await sh -c 'curl -s "$1" | grep -q "zebra"' - $url/style.css
rm -r templates
check "and when it goes" await sh -c '! curl -s "$1" | grep -q "zebra"' - $url/style.css
mkdir -p records/results/newcomer/deep && sed 's/"acme"/"newcomer"/' records/results/acme/toy.json >records/results/newcomer/toy.json
check "a new folder of records is built" await sh -c 'find site -path "*newcomer/toy*" | grep -q .'
rm -r records/results/newcomer
check "and when it goes" await sh -c '! find site -path "*newcomer/toy*" | grep -q .'
await sh -c '! grep -q . "$1"' - "/proc/$server/task/$server/children" # no build
# Once more where the machine was so slow that looks at the records, each 200 ms, found no change between two of them.
for last in 10 20 30 40 50 60 70 80 90; do
    was=$(builds) began=$(date +%s%3N)
    for i in 9 8 7 6 5 4 3 2 1 0; do sed -i "s/\"note\": \"[^\"]*\"/\"note\": \"$i\"/; s/[0-9]*\.0%/6$((last - i)).0%/" records/results/acme/toy.json; sleep 0.02; done
    took=$(($(date +%s%3N) - began))
    await sh -c 'curl -s "$1" | grep -q "6$2\.0%"' - "$url/$toy" $last || break
    sleep 0.5
    [ $took -gt 500 ] || break
done
check "many changes at once" sh -c 'curl -s "$1" | grep -q "6$2\.0%"' - "$url/$toy" $last
check "are built once or twice" test $(($(builds) - was)) -le 3

# --- Builds that go wrong.
cp -R site ../good
mkdir -p templates/site && echo '{{oops' >templates/site/home.html
check "a broken template is told as bad" await state_is bad
check "in the terminal" grep -q 'templates/site/home.html:1:' "$tmp/said"
get $url/.fpreport/build.html >"$tmp/got"
check "in the browser" grep -q '<li class="error">.*templates/site/home.html:1:' "$tmp/got"
check "the page loads itself again, too" grep -q 'reload.js' "$tmp/got"
check "the site before it is served" diff -r site ../good
is "as before" 200 "$(status $url/)"
rm -r templates
check "repaired: told as good" await state_is good
printf '{"<script>alert(1)</script>": "\033[31m"}' >records/models/evil.json
check "a hostile record is told as bad" await state_is bad
get $url/.fpreport/build.html >"$tmp/got"
check "and shown inert" sh -c 'grep -q "models/evil.json:1:" "$1" && ! grep -q "<script>" "$1" && ! grep -q "$(printf "\033")" "$1"' - "$tmp/got"
check "in the terminal, too" sh -c '! grep -q "$(printf "\033")" "$1"' - "$tmp/said"
get $url/.fpreport/errors.txt >"$tmp/got"
check "the errors alone, for the bar on pages" sh -c '[ "$(wc -l <"$1")" = 1 ] && grep -q "^records/models/evil.json:1:.*error:" "$1"' - "$tmp/got"
is "as text" "text/plain; charset=utf-8" "$(type_of /.fpreport/errors.txt)"
rm records/models/evil.json
check "repaired: told as good, again" await state_is good
is "nothing to say" "" "$(get $url/.fpreport/errors.txt)"
cp -R records/results/acme/toy.json toy.json && echo '{broken' >records/results/acme/toy.json && echo '{broken' >records/site.json
check "a broken result and site.json are told as bad" await state_is bad
check "which ones" await sh -c 'curl -s "$1" | grep -q "^records/site.json:1:" && curl -s "$1" | grep -q "^records/results/acme/toy.json:1:"' - $url/.fpreport/errors.txt
check "the site before them is served" diff -r site ../good
mv toy.json records/results/acme/toy.json; rm records/site.json
check "repaired: told as good" await state_is good

# --- The end, and what keeps it from beginning.
check_exit 4 "a port in use: exit 4" "$FPREPORT" serve --port "$port"
cp "$tmp/.out" "$tmp/got"
check "what to do" grep -q -- "--port $((port + 1)), or --port 0" "$tmp/got"
check "waits without work" sh -c 'a=$(cut -d" " -f14 /proc/$1/stat); sleep 1; b=$(cut -d" " -f14 /proc/$1/stat); [ $((b - a)) -le 5 ]' - $server
# A build that is under way then is ended, too, and what was there before it stays. It is held at its
# first step, for it takes some ten milliseconds: one that is over before is not the one.
check "no process is left of those builds" await sh -c '! grep -q . "$1"' - "/proc/$server/task/$server/children"
asked_to_end() { ! grep -q '^ShdPnd:[[:space:]]*0*$' "/proc/$1/status"; } 2>/dev/null
for figure in 2.4 2.3 2.2 2.1; do
    rm -r ../good && cp -R site ../good && was=$(builds) build=''
    sed -i "s/\"2\.[1-5]\"/\"$figure\"/" records/results/acme/toy.json
    while [ -z "$build" ] && [ "$(builds)" = "$was" ]; do
        n=0; while [ -z "$build" ] && [ $n -lt 10000 ]; do n=$((n + 1)); read -r build <"/proc/$server/task/$server/children"; done
    done
    kill -STOP $build 2>/dev/null && await rests $build && [ $state = T ] && break
    await sh -c '[ "$(grep -c "files written" "$1")" -gt "$2" ]' - "$tmp/said" "$was"
done
(await asked_to_end $build; kill -CONT $build) & stop
is "Ctrl-C ends it well" 0 $code
check "beside the site: the cache, and what a killed build leaves" sh -c '! ls -d site.* | grep -vxE "site\.fpreport-(cache|lock|new|previous)"'
check "a build that was under way is ended" sh -c '[ -n "$1" ] && ! kill -0 "$1"' - $build
check "and the site is the one before it" diff -r site ../good
sed -i "s/\"$figure\"/\"2.5\"/" records/results/acme/toy.json
check_exit 1 "the next build finds what it found" "$FPREPORT" build -o site
check "clears that away" sh -c '! ls -d site.* | grep -vE "^site\.fpreport-(cache|previous)$"'
cat "$tmp/url" "$tmp/said" | grep -vE ': (error|warning): ' >"$tmp/lines"
check "what it says fits 80 columns" sh -c '! grep -qE "^.{81}" "$1"' - "$tmp/lines"
for port in -1 65536 x ''; do check_exit 2 "the port '$port'" "$FPREPORT" serve "--port=$port"; done
check_exit 2 "no records: exit 2" "$FPREPORT" serve --port 0 --records nowhere
check_exit 2 "no site to show as it is" "$FPREPORT" serve --port 0 --no-build nowhere

# Without a build, and with one that cannot be.
cp -R ../built ../as-built
start --no-build ../built
is "another folder as it is" 200 "$(status "$url/$rules")"
sed -i 's/"2.5"/"2.6"/' records/results/acme/toy.json; sleep 0.5
check "which is not built" diff -r ../as-built ../built
stop
is "ended" 0 $code
mkdir ../foreign && echo x >../foreign/x
start ../foreign
check "a folder of others is not built into" await grep -q 'was not written by fpreport' "$tmp/said"
is "the browser is told" 503 "$(status $url/)"
check "why" sh -c 'curl -s "$1" | grep -q "was not written by fpreport"' - $url/
check "and nothing is changed" test "$(ls -A ../foreign)" = x
stop
is "ended" 0 $code
plan_done
