# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# What the sandbox of the service forbids is tried from inside of it: a unit with the same settings runs
# probe.sh instead of the service, with directories of its own.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh

probe=cxl-redfish-probe.service
mkdir -p /run/systemd/system
systemctl cat $service | sed -e '/^\[Install\]/,$d' -e '/^ExecStart/d' -e '/^ExecReload=/d' -e '/^Type=/d' \
	-e '/^Restart/d' -e '/^WatchdogSec=/d' -e 's/^\(State\|Runtime\|Configuration\)Directory=.*/\1Directory=cxl-redfish-probe/' \
	-e '/^\[Service\]/a Type=oneshot\nExecStart=/bin/busybox sh /lib/vm/probe.sh\nStandardOutput=journal' \
	>/run/systemd/system/$probe
systemctl daemon-reload
check "the probe runs in the sandbox of the service" systemctl start $probe
journalctl --no-pager --output cat --unit $probe | grep -E '^(ok|not ok) ' >"$RESULTS/probe.txt"
cat "$RESULTS/probe.txt"
check "it came to its end" grep -q '^ok the probe has ended' "$RESULTS/probe.txt"
