#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Reads, writes, streams, hot-plug and reloads together, for LOAD_SECONDS (10); not part of make check, but of
# scripts/check --long.
. "${0%/*}/functions"
needs_python
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"

mkdir "$scratch/host"
zstd -dc "$hosts/normalized-7.3.tar.zst" | tar -x -C "$scratch/host"
chmod -R u+w "$scratch/host"
cat >"$scratch/conf" <<END
listen = https://127.0.0.1:0
listen = unix:$socket
END
# The program may be one that unpacks captured hosts.
"$daemon" --host "$scratch/host" --config "$scratch/conf" --state "$scratch/state" \
	--password-file "$scratch/password" >"$scratch/out" 2>"$scratch/err" &
pid=$!
for _ in $(seq 300); do
	url=$(sed -n 's/^listening on \(https:[^ ]*\).*/\1/p' "$scratch/out" | head -n 1)
	[ -z "$url" ] || break
	sleep 0.1
done
before=$(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status")
python3 "$srcdir/tests/http/mixed_load.py" "${LOAD_SECONDS:-10}" "$pid" "$url" secret "$scratch/host" "$scratch/conf" \
	>"$scratch/said" || fail "mixed_load.py: $(grep FAIL "$scratch/said")"
cat "$scratch/said"
echo "RSS in KiB: $before before, $(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status") after"
kill "$pid"
ended=0
wait "$pid" || ended=$?
pid=
[ $ended -eq 0 ] || {
	fail "the daemon ended with status $ended"
	tail -n 100 "$scratch/err"
}
finish
