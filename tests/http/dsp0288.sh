#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# All rows of DSP0288's tables, each on a host that shows it: dsp0288.py. Captured hosts have no action that changes
# something; those are looked at on hosts built in memory.
. "${0%/*}/functions"
. "${0%/*}/odd_hosts"
need_odd_hosts
needs_memory

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
	start_memory "$@"
	look "$name"
	stop_memory
}
serve memory-built
serve switch-built switch
python3 -B "$srcdir/tests/http/dsp0288.py" judge "$srcdir/docs/mapping.md" "$scratch/states-host.json" \
	"$scratch/switch-host.json" "$scratch/memory-built.json" "$scratch/switch-built.json" || fail "rows of DSP0288"
finish
