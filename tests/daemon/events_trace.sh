#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# cxl-redfish-trace on a directory that looks like tracefs; tests/vm runs it on a kernel.
set -euo pipefail

trace=${srcdir:-$(dirname "$0")/..}/daemon/cxl-redfish-trace
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# It shall load no module here.
mkdir "$scratch/bin"
printf '#!/bin/sh\necho "$*" >>%s/modprobe\n' "$scratch" >"$scratch/bin/modprobe"
chmod +x "$scratch/bin/modprobe"
PATH=$scratch/bin:$PATH
tracefs=$scratch/tracefs
instance=$tracefs/instances/cxl-redfish
n_failed=0

fail() {
	echo "FAIL: $*"
	n_failed=$((n_failed + 1))
}

# is FILE TEXT
is() {
	[ "$(cat "$1")" = "$2" ] || fail "${1#"$scratch/"} is '$(cat "$1")', not '$2'"
}

# Another instance's directory is never looked at.
mkdir -p "$tracefs/instances/rasdaemon" "$tracefs/events/cxl" "$instance/events/cxl"
for file in tracing_on events/cxl/enable; do
	echo 0 >"$instance/$file"
done
echo 50 >"$instance/buffer_percent"
echo local >"$instance/trace_clock"
"$trace" "$tracefs" "$scratch/run" || fail "an instance that is there: status $?"
is "$instance/tracing_on" 1
is "$instance/events/cxl/enable" 1
is "$instance/buffer_percent" 0
# Another clock would empty the ring.
is "$instance/trace_clock" local
is "$scratch/modprobe" "-q cxl_core"
[ ! -e "$scratch/run" ] || fail "the ring of all CPUs was saved without a request"

# Before 5.0.
rm "$instance/buffer_percent"
"$trace" "$tracefs" "$scratch/run" || fail "without buffer_percent: status $?"
[ ! -e "$instance/buffer_percent" ] || fail "buffer_percent was made"

# A kernel without CXL events is no failure, and gets no instance; one is not looked at.
mv "$tracefs/events/cxl" "$tracefs/events/moved"
rm -r "$instance"
mkdir "$scratch/bus"
"$trace" "$tracefs" "$scratch/run" "$scratch/bus" 2>"$scratch/log" || fail "without CXL events: status $?"
grep -q 'This kernel has no CXL trace events; Linux 6.3 or newer records them' "$scratch/log" || fail "it said: $(cat "$scratch/log")"
"$trace" "$tracefs" "$scratch/run" "$scratch/none" 2>"$scratch/log" || fail "without CXL: status $?"
grep -q 'its module cxl_core is not loaded' "$scratch/log" || fail "it said: $(cat "$scratch/log")"
[ ! -e "$instance" ] || fail "an instance was made for nothing"
mv "$tracefs/events/moved" "$tracefs/events/cxl"

touch "$instance"
! "$trace" "$tracefs" "$scratch/run" 2>"$scratch/log" || fail "without a directory: status 0"
grep -q 'cannot create .*/instances/cxl-redfish' "$scratch/log" || fail "it said: $(cat "$scratch/log")"

[ $n_failed -eq 0 ]
