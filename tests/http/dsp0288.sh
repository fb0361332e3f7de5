#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# All rows of DSP0288's tables, each on a host that shows it: dsp0288.py. Captured hosts have no action that changes
# something; those are looked at on hosts built in memory.
. "${0%/*}/functions"
. "${0%/*}/odd_hosts"
need_odd_hosts
[ -x ./serve_memory ] || skip "no serve_memory: it needs libcheck (Debian package: check)"

look() { # NAME
	python3 -B "$srcdir/tests/http/dsp0288.py" keep "$socket" "$scratch/$1.json" || fail "the resources of $1"
}

# Devices are read after the start.
until_read() { # URI WORD
	for _ in $tries; do
		request_as_is 200 GET "$1"
		case $body in *"$2"*) return ;; esac
		sleep 0.1
	done
	fail "$1 has no $2"
}

make_odd states
start_with_log "$scratch/states"
mem0=$(cat "$scratch/states/sys/bus/cxl/devices/mem0/serial")
until_read "/redfish/v1/Chassis/cxl-$(printf %016x "$mem0")/PCIeDevices/1" StagedVersion
look states-host
stop
start switch-model-7.3 --listen "unix:$socket"
look switch-host
stop

serve() { # NAME [switch]
	name=$1
	shift
	rm -f "$scratch/stdin"
	mkfifo "$scratch/stdin" || fail "mkfifo"
	: >"$scratch/said"
	./serve_memory "$socket" "$@" <"$scratch/stdin" >"$scratch/said" 2>&1 &
	pid=$!
	exec 3>"$scratch/stdin"
	for _ in $tries; do
		! grep -q ready "$scratch/said" || break
		sleep 0.1
	done
	look "$name"
	exec 3>&-
	wait "$pid" || fail "serve_memory: $(tail -n 5 "$scratch/said")"
	pid=
}
serve memory-built
serve switch-built switch
python3 -B "$srcdir/tests/http/dsp0288.py" judge "$srcdir/docs/mapping.md" "$scratch/states-host.json" \
	"$scratch/switch-host.json" "$scratch/memory-built.json" "$scratch/switch-built.json" || fail "rows of DSP0288"
finish
