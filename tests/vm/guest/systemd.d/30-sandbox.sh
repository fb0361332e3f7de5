# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Operations that the sandboxes of the units forbid are tried from inside of them: a unit with the same settings
# runs probe.sh instead of the program, with directories of its own.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh

probe=cxl-redfish-probe.service

# probe_unit NAME UNIT: without what is about the life of the program. A shell needs pipes, which the
# helper may not have.
probe_unit() {
	systemctl cat "$2" | sed -E -e '/^\[Install\]/,$d' \
		-e '/^(Type|Exec[A-Za-z]*|Restart[A-Za-z]*|WatchdogSec|Requires|Wants|After|PartOf|PropagatesReloadTo)=/d' \
		-e 's/^(State|Runtime)Directory=.*/\1Directory=cxl-redfish-probe/' \
		-e 's,^BindPaths=/(run|var/lib)/cxl-redfish-change$,BindPaths=/\1/cxl-redfish-probe,' \
		-e "/^\[Service\]/a Type=oneshot\nEnvironment=VM_BDF=$bdf VM_MAILBOX=$mailbox\nExecStart=/bin/busybox sh /lib/vm/probe.sh $1\nStandardOutput=journal\nSystemCallFilter=pipe pipe2" \
		>/run/systemd/system/$probe
	systemctl daemon-reload
	check "the probe runs in the sandbox of the $1" systemctl start $probe
	journalctl --sync
	journalctl --no-pager --output cat --unit $probe | grep -E "^(ok|not ok) $1" >"$RESULTS/probe-$1.txt"
	cat "$RESULTS/probe-$1.txt"
	check "the probe of the $1 came to its end" grep -q '^ok .*the probe has ended' "$RESULTS/probe-$1.txt"
	systemctl reset-failed $probe 2>/dev/null
}

touch /root/file /home/file $configuration
sh /lib/vm/probe.sh outside

# The rest of a device's configuration space, which the kernel shows to no ordinary user.
bdf=$(cxl_devices | awk 'NR == 1 { print $2 }')
mailbox=$(mailbox_function)
mkdir -p /run/systemd/system
probe_unit service $service
probe_unit helper $helper
probe_unit switch-helper $switch_helper
probe_unit change-helper $change_helper
rm -f /run/systemd/system/$probe $configuration
systemctl daemon-reload

# Without sandboxing it is 9.6.
for unit in $service $helper $switch_helper $change_helper; do
	systemd-analyze security --no-pager $unit >"$RESULTS/security-$unit.txt" 2>&1
	figure "exposure of $unit" "$(tail -n 1 "$RESULTS/security-$unit.txt" | grep -o '[0-9.]* [A-Z]* ')"
done
check "the exposure of the service is 1.2 at most" systemd-analyze security --threshold=12 $service
check "that of the switch's helper is 1.6 at most" systemd-analyze security --threshold=16 $switch_helper
check "that of the change helper is 1.6 at most" systemd-analyze security --threshold=16 $change_helper
