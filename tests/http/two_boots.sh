#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Two boots of one machine, of which the second found all devices in the opposite order: each URI of the first is the same object in the
# second, and a URI with a name of the kernel leads to nothing.
. "${0%/*}/functions"
needs_python
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"
two_boots="python3 -B $srcdir/tests/http/two_boots.py"

boot() { # NAME: the resources of $scratch/NAME as $scratch/NAME.json
	start "$scratch/$1" --listen "unix:$socket"
	for old in "$system/MemoryDomains/decoder0.0" "$system/MemoryDomains/decoder0.0/MemoryChunks" \
		"/redfish/v1/Fabrics/CXL/Connections/region0" /redfish/v1/Fabrics/CXL/Switches/switch2 /redfish/v1/Chassis/switch2; do
		request_as_is 404 GET "$old"
	done
	$two_boots walk "$socket" >"$scratch/$1.json" || fail "$1: it cannot be walked"
	stop
}

for name in normalized-7.3 plain-7.3 three-bridges-7.3 switch-7.3 switch-mailbox-7.3 switch-model-7.3 mock-7.3; do
	echo "$name:"
	for boot in first second; do
		mkdir "$scratch/$boot"
		zstd -dc "$hosts/$name.tar.zst" | tar -x -C "$scratch/$boot"
		chmod -R u+w "$scratch/$boot"
	done
	$two_boots rename "$scratch/second" >"$scratch/names" || fail "$name: its devices cannot be renamed"
	boot first
	boot second
	cmp -s "$scratch/first.json" "$scratch/second.json" && fail "$name: nothing was renamed"
	$two_boots compare "$scratch/first.json" "$scratch/second.json" "$scratch/names" || fail "$name"
	rm -rf "${scratch:?}/first" "${scratch:?}/second"
done
finish
