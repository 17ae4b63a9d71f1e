#!/usr/bin/env bash
# schemathesis against a server of our own: every route of /openapi.json, with examples, edge cases and random requests.
# It ends with 0 if no answer is a mistake of the server (5xx) and every answer matches the document.
#
#     go build -o /tmp/fubini ./cmd/fubini
#     python3 -m venv /tmp/schemathesis && /tmp/schemathesis/bin/pip install -r peers/schemathesis.txt
#     FUBINI=/tmp/fubini SCHEMATHESIS=/tmp/schemathesis/bin/schemathesis peers/schemathesis.sh [EXAMPLES]
#
# EXAMPLES is how many random requests each route gets, 100 unless given. Streams of events are left out: they end when
# their job does. What is found, and what became of it, is in docs/security.md.
set -euo pipefail

fubini=${FUBINI:-fubini}
work=$(mktemp -d)
server=
finish() {
	[[ -z $server ]] || kill "$server" 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT

port=$((20000 + RANDOM % 20000))
"$fubini" demo -o "$work/model.safetensors" --quiet
mkdir "$work/data"
awk 'BEGIN { print "user,item,rating"; for (u = 1; u <= 30; u++) for (i = 1; i <= 40; i++) print u "," i "," 1 + (u * 7 + i * i) % 5 }' >"$work/data/ratings.csv"
key=$("$fubini" key add schemathesis --scope admin --db "sqlite:$work/f.db" --format json --quiet | sed -n 's/.*"token": *"\([^"]*\)".*/\1/p')
"$fubini" serve "$work/model.safetensors" --db "sqlite:$work/f.db" --addr "127.0.0.1:$port" --data-dir "$work/data" --quiet 2>"$work/log" &
server=$!
for _ in $(seq 100); do
	curl -fs "http://127.0.0.1:$port/readyz" >/dev/null && break
	sleep 0.1
done
status=0
"${SCHEMATHESIS:-schemathesis}" --config-file "$(dirname "$0")/schemathesis.toml" run "http://127.0.0.1:$port/openapi.json" --header "Authorization: Bearer $key" --workers 1 --seed 1 \
	--max-examples "${1:-100}" --continue-on-failure --exclude-path '/v1/jobs/{id}/events' --exclude-checks ignored_auth || status=$?
echo "lines of the log that are errors: $(grep -c 'level=ERROR' "$work/log" || true)"
exit "$status"
