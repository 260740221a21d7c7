#!/bin/sh
# fpreport publish --push over ssh and https: who the host is, who we are, what is refused, what hangs,
# and that the three outcomes are told apart. Against servers of this script's own.
place=memory; . "$(dirname "$0")/../../lib.sh"
sshd=/usr/sbin/sshd
if ! [ -x $sshd ] || ! command -v ssh-agent >/dev/null || ! command -v python3 >/dev/null || ! [ -x "$(git --exec-path)/git-http-backend" ]; then
    skip "needs sshd, ssh-agent, python3 and git http-backend"; plan_done; exit 0
fi
export HOME="$tmp/home" GIT_CONFIG_NOSYSTEM=1 && mkdir -p "$HOME/.ssh"
unset GIT_DIR GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL XDG_CONFIG_HOME GIT_SSL_CAINFO GIT_ASKPASS SSH_ASKPASS SSH_AUTH_SOCK
mkdir -p "$tmp/usr/bin" "$tmp/usr/share/fpreport" && cp "$FPREPORT" "$tmp/usr/bin/fpreport" && FPREPORT=$tmp/usr/bin/fpreport
ln -s "$top/templates" "$top/records" "$tmp/usr/share/fpreport/"
mkdir "$tmp/project" && cd "$tmp/project" || exit 1
# ssh takes its home from the list of users, not from HOME: here it reads what its user would have in ~/.ssh.
mkdir "$tmp/bin" && printf '#!/bin/sh\nexec %s -F "%s/.ssh/config" "$@"\n' "$(command -v ssh)" "$HOME" >"$tmp/bin/ssh"
chmod +x "$tmp/bin/ssh" && export PATH="$tmp/bin:$PATH"
printf 'UserKnownHostsFile %s/.ssh/known_hosts\nGlobalKnownHostsFile /dev/null\nIdentityFile none\n' "$HOME" >"$HOME/.ssh/config"
servers=''
at_end='kill $servers 2>/dev/null'
git config --global user.name 'Ann Other' && git config --global user.email ann@example.org
git init -q -b main . && printf '/site\n' >.gitignore && cp -R "$top/tests/golden/build/records" . && rm -r records/results/acme
git add -A && git commit -qm records && "$FPREPORT" build -q
# No terminal: whoever asks on one fails here.
pub() { setsid -w timeout 300 "$FPREPORT" publish -q --accept "$@" </dev/null; }
says() { if grep -qF -- "$2" "$tmp/.out"; then ok "$1"; else not_ok "$1"; sed 's/^/# /' "$tmp/.out" | head -n 20; fi; }
ours() { git rev-parse -q --verify gh-pages; }
there() { git -C ../remote.git rev-parse -q --verify gh-pages; }
same() { if [ "$(there)" = "$(ours)" ]; then ok "$1"; else not_ok "$1"; fi; }
other_site() { # another site each time, without a build: a host name
    echo "h$1.example" >site/CNAME
}
gone() { git -C ../remote.git update-ref -d refs/heads/gh-pages; }
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
# --- Someone who listens and says nothing.
python3 -c '
import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(9); print(s.getsockname()[1], flush=True); time.sleep(1200)' >../silent &
servers="$servers $!"

# --- ssh.
ssh-keygen -q -t ed25519 -N '' -f ../host && ssh-keygen -q -t ed25519 -N '' -f ../user && ssh-keygen -q -t ed25519 -N '' -f ../other
git init -q --bare ../remote.git && cp ../user.pub ../authorized && port=$(free_port)
cat >../sshd.conf <<X
Port $port
ListenAddress 127.0.0.1
HostKey $tmp/host
PidFile $tmp/sshd.pid
AuthorizedKeysFile $tmp/authorized
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
X
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
$sshd -D -f ../sshd.conf -E ../sshd.log & servers="$servers $!"
eval "$(ssh-agent -s -a "$tmp/agent")" >/dev/null && servers="$servers $SSH_AGENT_PID"
await sh -c 'ssh-keyscan -p "$1" 127.0.0.1 2>/dev/null | grep -q .' - "$port"; await test -s ../silent
url=ssh://$(id -un)@127.0.0.1:$port$tmp/remote.git
known() { echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$1")" >"$HOME/.ssh/known_hosts"; }
ssh-add -q ../user
check_exit 4 "ssh: a host that is not known: exit 4" pub "--push=$url"
says "with its fingerprint" "$(ssh-keygen -l -f ../host.pub | cut -d' ' -f2)"
known ../other.pub
check_exit 4 "a host with another key than the known one: exit 4" pub "--push=$url"
says "says so" 'known_hosts, or another one is'
check "and nothing was committed for it" test -z "$(ours)"
known ../host.pub && ssh-add -q -D && ssh-add -q ../other
check_exit 4 "a key that is not accepted: exit 4" pub "--push=$url"
says "says so" "none of the ssh-agent's keys"
ssh-add -q -D
check_exit 4 "an agent without keys" pub "--push=$url"
check_exit 4 "no agent" env -u SSH_AUTH_SOCK setsid -w timeout 300 "$FPREPORT" publish -q "--push=$url"
says "says so" 'there is no ssh-agent (SSH_AUTH_SOCK)'
ssh-add -q ../user
check "pushes over ssh" pub "--push=$url"
same "the remote has it"
ssh-keygen -q -H -f "$HOME/.ssh/known_hosts" 2>/dev/null && gone
check "hashed names in known_hosts" pub "--push=$url"
same "the remote has it"
check_exit 4 "no such repository there: exit 4" pub "--push=${url%remote.git}none.git"
check_exit 4 "a server that says nothing: exit 4" env FPREPORT_REMOTE_TIMEOUT=1 "$FPREPORT" publish -q "--push=ssh://git@127.0.0.1:$(cat ../silent)/x"
says "says for how long" 'it said nothing for 1 s'
was=$(ours)
git -C ../remote.git update-ref refs/heads/gh-pages "$(git -C ../remote.git commit-tree -p gh-pages -m x 'gh-pages^{tree}')"
other_site 1
check_exit 1 "a remote that moved: refused, exit 1" pub "--push=$url"
says "what to do" "git fetch $url"
check "before anything is committed" test "$(ours)" = "$was"
git -C ../remote.git update-ref refs/heads/gh-pages "$was"
hook=../remote.git/hooks/pre-receive
printf '#!/bin/sh\nexit 1\n' >$hook && chmod +x $hook
check_exit 1 "a hook that refuses: exit 1" pub "--push=$url"
says "committed here only" 'committed here only'
check "it is" test "$(there)" = "$was"
printf '#!/bin/sh\nsleep 60\n' >$hook
check_exit 4 "a hook that hangs, and the remote says that it has not moved: exit 4" env FPREPORT_REMOTE_TIMEOUT=10 "$FPREPORT" publish -q "--push=$url"
says "committed here only" 'did not take gh-pages'
rm $hook
hook=../remote.git/hooks/post-receive
printf '#!/bin/sh\nmv "$PWD" "%s/gone.git"; kill -9 $PPID\n' "$tmp" >$hook && chmod +x $hook
check_exit 5 "an answer that is lost, and a remote that cannot be asked: exit 5" pub "--push=$url"
mv ../gone.git ../remote.git && rm $hook
check "publishing again tells" pub "--push=$url"
same "the remote has it"

# --- https.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=ca -keyout ../ca.key -out ../ca.pem 2>/dev/null
certify() { # NAME SUBJECT-ALTERNATIVE-NAME
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" -keyout "../$1.key" -out "../$1.csr" 2>/dev/null
    echo "subjectAltName=$2" >../ext
    openssl x509 -req -days 2 -in "../$1.csr" -CA ../ca.pem -CAkey ../ca.key -CAcreateserial -extfile ../ext -out "../$1.pem" 2>/dev/null
}
certify localhost DNS:localhost
certify elsewhere DNS:elsewhere.example
serve() { python3 "$top/tests/cli/publish/git_https.py" "$tmp" "../$1.pem" "../$1.key" ann:secret >"../$1.port" & servers="$servers $!"; }
serve localhost; serve elsewhere
for f in localhost elsewhere; do await test -s ../$f.port; done
url=https://localhost:$(cat ../localhost.port)/remote.git wrong=https://localhost:$(cat ../elsewhere.port)/remote.git
gone
check_exit 4 "https: a certificate of nobody known: exit 4" pub "--push=$url"
says "says so" 'leads to no authority that is known here'
export GIT_SSL_CAINFO="$tmp/ca.pem"
check_exit 4 "a certificate of another host: exit 4" pub "--push=$wrong"
says "says so" 'or is for another host'
check_exit 4 "no password: exit 4" pub "--push=$url"
says "says so" "git's credential helpers know none"
printf '#!/bin/sh\necho "$1" >>"%s/helped"\n[ "$1" = get ] && printf "username=ann\\npassword=%%s\\n" "$(cat "%s/password")"\nexit 0\n' "$tmp" "$tmp" >../helper && chmod +x ../helper
git config --global credential.helper "$tmp/helper" && echo wrong >../password
check_exit 4 "a password that is refused: exit 4" pub "--push=$url"
says "says so" 'know were refused'
check "the helper was told" grep -qx erase ../helped
echo secret >../password
check "pushes over https, with the credential helper" pub "--push=$url"
same "the remote has it"
check "and the helper was told" grep -qx store ../helped
git config --global --unset credential.helper
other_site 2
check "with a password in the URL" sh -c '"$1" publish --accept "--push=https://ann:secret@${2#https://}" >.said 2>&1 </dev/null' - "$FPREPORT" "$url"
same "the remote has it"
check "which is not printed" sh -c '! grep -q secret .said && grep -q "^pushed to https://localhost" .said'
check_exit 4 "a refused one is not printed either" pub "--push=https://ann:redact_findings-redact_findings@${url#https://}"
check "indeed" sh -c '! grep -q redact_findings-redact_findings "$1"' - "$tmp/.out"
check_exit 4 "a server that says nothing: exit 4" env FPREPORT_REMOTE_TIMEOUT=1 "$FPREPORT" publish -q "--push=https://localhost:$(cat ../silent)/x"
says "says for how long" 'it said nothing for 1 s'
check_exit 4 "one that hangs after the handshake" env FPREPORT_REMOTE_TIMEOUT=1 "$FPREPORT" publish -q "--push=https://localhost:$(cat ../localhost.port)/hang/x"
printf '#!/bin/sh\nexit 1\n' >../remote.git/hooks/pre-receive && chmod +x ../remote.git/hooks/pre-receive
other_site 3
check_exit 1 "a hook that refuses over https: exit 1" pub "--push=https://ann:secret@${url#https://}"
same_not=$(there)
check "it is committed here only" test "$same_not" != "$(ours)"
check "the repository is sound" git fsck --full --strict
plan_done
