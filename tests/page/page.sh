#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The page in Debian's Chromium, on three captured hosts, of which one has incidents of findings, one without firmware, one with an
# Id of its own, a host of 64 devices with 20,000 entries and one whose log grows; with CXL_PAGE_HOSTS=all on all captured hosts,
# and 1,024 devices with 1,000,000 entries.
# CXL_PAGE_SHOTS names a directory for screenshots.
. "$(dirname "$0")/../http/functions"
command -v chromium >/dev/null || skip "chromium is missing (Debian package: chromium)"
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"
command -v chromedriver >/dev/null || skip "chromedriver is missing (Debian package: chromium-driver)"
python=
for candidate in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import selenium' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || skip "selenium is missing (Debian package: python3-selenium)"

for program in ./make_log ./make_ring; do
	[ -x "$program" ] || skip "$program was not built: Check is missing"
done

. "$(dirname "$0")/../http/odd_hosts"
need_odd_hosts

limit=900
CXL_PAGE_DEVICES=64 CXL_PAGE_ENTRIES=20000
names="normalized-7.3 switch-model-7.3 mock-7.3"
if [ "${CXL_PAGE_HOSTS:-}" = all ]; then
	limit=1800
	CXL_PAGE_DEVICES=1024 CXL_PAGE_ENTRIES=1000000
	# The first one is also that of sessions, limits and restarts, and has events.
	names="normalized-7.3 $(cd "$hosts" && ls -- *.tar.zst | sed 's/\.tar\.zst$//' | grep -vx normalized-7.3)"
	# Hosts that are broken in each way.
	for odd_name in $odd_hosts; do
		make_odd "$odd_name"
		names="$names $scratch/$odd_name"
	done
fi
export CXL_PAGE_DEVICES CXL_PAGE_ENTRIES
# A large host with a long log, and a host whose events take a while to be read.
"$srcdir/scripts/generate-host" "$CXL_PAGE_DEVICES" "$scratch/scale" >"$scratch/said" 2>&1 ||
	fail "generate-host: $(cat "$scratch/said")"
mkdir -p "$scratch/state-scale" "$scratch/live"
./make_log "$scratch/state-scale/events.db" "$CXL_PAGE_ENTRIES" || fail "make_log"
zstd -dc "$hosts/plain-7.3.tar.zst" | tar -x -C "$scratch/live"
chmod -R u+w "$scratch/live"
# Firmware that answers nothing: addresses are intervals.
mkdir -p "$scratch/interval"
zstd -dc "$hosts/normalized-7.3.tar.zst" | tar -x -C "$scratch/interval"
chmod -R u+w "$scratch/interval"
rm -r "$scratch/interval/prm"
# Devices without serial numbers, whose Ids have that of the host.
unpack_odd named normalized-7.3
for memdev in mem0 mem1 mem2 mem3; do
	set_attribute "$memdev" serial 0x0
done
./make_ring "$scratch/live" 200000 || fail "make_ring"
# Chromium keeps its files below HOME and TMPDIR.
# shellcheck disable=SC2086 # several names
HOME=$scratch TMPDIR=$scratch timeout "$limit" "$python" "$(dirname "$0")/page.py" "$daemon" "$hosts" \
	"$scratch" $names || {
	status=$?
	[ "$status" -ne 77 ] || exit 77
	fail "page.py ended with status $status"
}
finish
