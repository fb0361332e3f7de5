#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Clients that others wrote, over HTTPS on every captured host; docs/clients.md says what works.
. "${0%/*}/functions"
# Debian's, whose modules the clients are.
python=/usr/bin/python3
clients="curl flows"
[ -x $python ] || skip "$python is missing (Debian package: python3)"
for one in redfishtool:redfishtool sushy:python3-sushy ansible:ansible; do
	if command -v "${one%:*}" >/dev/null || $python -c "import ${one%:*}" 2>/dev/null; then
		clients="$clients ${one%:*}"
	elif [ -n "${CHECK_CLIENTS:-}" ]; then
		fail "${one%:*} is missing (Debian package: ${one#*:})"
	else
		echo "${one%:*} is missing (Debian package: ${one#*:}) and was not run"
	fi
done

for archive in "$hosts"/*.tar.zst; do
	name=$(basename "$archive" .tar.zst)
	rm -rf "$scratch/state"
	start "$name" --listen https://127.0.0.1:0 --state "$scratch/state" --password-file "$scratch/password"
	url=$(sed -n 's/^listening on \(https:[^ ]*\).*/\1/p' "$scratch/out" | head -n 1)
	# shellcheck disable=SC2086 # the names
	$python "$srcdir/tests/http/clients.py" "$url" "$scratch/state/tls-certificate.pem" secret \
		"$srcdir/docs/clients.md" $clients >"$scratch/said" 2>&1 ||
		fail "$name: $(cat "$scratch/said")"
	stop
done
finish
