#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Reads, writes, streams, hot-plug and reloads together, for LOAD_SECONDS (20); not part of make check, but of
# scripts/check --long.
own_network=yes
. "${0%/*}/functions"
needs_python
command -v openssl >/dev/null || skip "openssl is missing (Debian package: openssl)"
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"

mkdir "$scratch/host"
zstd -dc "$hosts/normalized-7.3.tar.zst" | tar -x -C "$scratch/host"
chmod -R u+w "$scratch/host"
cat >"$scratch/conf" <<END
listen = https://127.0.0.1:0
listen = unix:$socket
push-allow = 127.0.0.0/8
END
mkdir "$scratch/certificates"
for name in a b ca; do
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" -days 30 \
		-keyout "$scratch/certificates/$name.key" -out "$scratch/certificates/$name.pem" 2>/dev/null
done
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=admin \
	-keyout "$scratch/certificates/client.key" 2>/dev/null |
	openssl x509 -req -CA "$scratch/certificates/ca.pem" -CAkey "$scratch/certificates/ca.key" -CAcreateserial \
		-days 30 -out "$scratch/certificates/client.pem" 2>/dev/null
# So that clearing the log takes more than a second.
mkdir -m 700 "$scratch/state"
./make_log "$scratch/state/events.db" 200000 >"$scratch/said" || fail "make_log: $(cat "$scratch/said")"

# The address sanitizer keeps freed memory only for a while, so that growth is seen.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=16"
# The program may be one that unpacks captured hosts.
"$daemon" --host "$scratch/host" --config "$scratch/conf" --state "$scratch/state" --max-events 1000000 \
	--password-file "$scratch/password" >"$scratch/out" 2>"$scratch/err" &
pid=$!
for _ in $tries; do
	url=$(sed -n 's/^listening on \(https:[^ ]*\).*/\1/p' "$scratch/out" | head -n 1)
	[ -z "$url" ] || break
	sleep 0.1
done
python3 "$srcdir/tests/http/mixed_load.py" "${LOAD_SECONDS:-20}" "$pid" "$url" "$socket" secret "$scratch/host" \
	"$scratch/conf" "$scratch/certificates" >"$scratch/said" 2>&1 || fail "mixed_load.py"
cat "$scratch/said"
kill "$pid"
ended=0
wait "$pid" || ended=$?
pid=
[ $ended -eq 0 ] || {
	fail "the daemon ended with status $ended"
	tail -n 100 "$scratch/err"
}
finish
