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

# A region that firmware, or its driver, puts at another address of its window at the second boot.
chunks=$system/MemoryDomains/window-0000000110000000/MemoryChunks
uuid=f3a0d1c2-0000-4000-8000-000000000001

# move: all of the region, but not the window, which begins at the same address
move() {
	find "$scratch/moved/sys/" -type f \( -name start -o -name resource \) ! -path '*/decoder0.0/start' \
		-exec grep -lx 0x110000000 {} + | while read -r file; do
		echo 0x150000000 >"$file"
	done
}

# region STATUS ID ADDRESS: the region with that Id, and where it is
region() {
	request_as_is "$1" GET "$chunks/$2"
	case $1,$body in
	404,* | 200,*'"BaseAddress":"'"$3"'"'*) ;;
	*) fail "the region $2 is not at $3: $body" ;;
	esac
}

echo "a region that moves:"
mkdir "$scratch/moved"
zstd -dc "$hosts/plain-7.3.tar.zst" | tar -x -C "$scratch/moved"
chmod -R u+w "$scratch/moved"
for id in "$uuid" ''; do
	find "$scratch/moved" -path '*/region0/uuid' -exec sh -c 'echo "$0" >"$1"' "$id" {} \;
	start "$scratch/moved" --listen "unix:$socket"
	region 200 "${id:-spa-0000000110000000}" 0x110000000
	stop
	cp -a "$scratch/moved" "$scratch/before"
	move
	start "$scratch/moved" --listen "unix:$socket"
	region 200 "${id:-spa-0000000150000000}" 0x150000000
	region 404 spa-0000000110000000
	request_as_is 200 GET "/redfish/v1/Fabrics/CXL/Connections/${id:-spa-0000000150000000}"
	stop
	rm -rf "$scratch/moved"
	mv "$scratch/before" "$scratch/moved"
done
finish
