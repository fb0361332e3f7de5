#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What the service says during and after random traffic, against DMTF's schemas, its registries, the rules of links, and
# those of what may be written: traffic.py. TRAFFIC_SEED=7 does what that seed chose, "random" is any; it is printed.
# TRAFFIC_OPERATIONS=20000 does so many on each host.
. "${0%/*}/../http/functions"
needs_schemas
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"

: "${TRAFFIC_SEED:=1}" "${TRAFFIC_OPERATIONS:=60}"
[ "$TRAFFIC_SEED" != random ] || TRAFFIC_SEED=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')

unpack() { # ARCHIVE DIRECTORY
	mkdir "$2"
	zstd -dc "$1" | tar -x -C "$2"
	chmod -R u+w "$2"
}

# Devices that answer all commands, and say other things later; a switch with a mailbox.
mkdir "$scratch/answering" "$scratch/switch"
"$srcdir/tests/mailbox/make-mailbox-host" "$hosts/plain-7.3.tar.zst" "$scratch/answering/host" || exit 99
unpack "$hosts/switch-model-7.3.tar.zst" "$scratch/switch/host"
for name in answering switch; do
	"$python" -B "$srcdir/tests/redfish/traffic.py" "$daemon" "$scratch/$name/host" "$scratch/$name" "$schemas" \
		"$srcdir/redfish/schemas" "$TRAFFIC_SEED" "$TRAFFIC_OPERATIONS" >"$scratch/said" 2>&1 || fail "$name"
	grep -v '^cxl-redfishd: ' "$scratch/said"
done
finish
