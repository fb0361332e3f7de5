#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Clients that others wrote, over HTTPS on every captured host; docs/clients.md says what works.
. "${0%/*}/functions"
# Debian's, whose modules the clients are.
python=/usr/bin/python3
clients="curl flows"
[ -x $python ] || skip "$python is missing (Debian package: python3)"
for one in ansible:ansible sushy:python3-sushy redfishtool:redfishtool; do
	if command -v "${one%:*}" >/dev/null || $python -c "import ${one%:*}" 2>/dev/null; then
		clients="${one%:*} $clients"
	elif [ -n "${CHECK_CLIENTS:-}" ]; then
		fail "${one%:*} is missing (Debian package: ${one#*:})"
	else
		echo "${one%:*} is missing (Debian package: ${one#*:}) and was not run"
	fi
done

# run_clients HOST: all of them on a service of its own; what they say is shown if it is not as documented.
run_clients() {
	start "$1" --listen https://127.0.0.1:0 --state "$scratch/$1" --password-file "$scratch/password"
	# shellcheck disable=SC2086 # the names
	$python "$srcdir/tests/http/clients.py" "${tls%% *}" "$scratch/$1/tls-certificate.pem" secret \
		"$srcdir/docs/clients.md" $clients >"$scratch/said" 2>&1 || fail "$1: $(cat "$scratch/said")"
	finish
}

# Two at a time: a client and its service wait for each other.
everything=$scratch
for archive in "$hosts"/*.tar.zst; do
	name=$(basename "$archive" .tar.zst)
	scratch=$everything/$name
	mkdir "$scratch"
	cp -p "$everything/password" "$scratch/password"
	(
		trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || :' EXIT
		run_clients "$name"
	) >"$everything/$name.log" 2>&1 &
	running="${running:-} $name:$!"
	# shellcheck disable=SC2086 # one word per process
	set -- $running
	[ $# -lt 2 ] || {
		wait "${1#*:}" || fail "$(cat "$everything/${1%:*}.log")"
		running=$2
	}
done
for one in ${running:-}; do
	wait "${one#*:}" || fail "$(cat "$everything/${one%:*}.log")"
done
scratch=$everything
finish
