#!/bin/busybox sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# vm-tests.service: what init does on the machines without systemd.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb RESULTS=/run/results
mkdir -p "$RESULTS"
# shellcheck disable=SC2034 # for run_tests.sh
tests=/lib/vm/$VM_SYSTEMD.d
# shellcheck source=/dev/null
. /lib/vm/run_tests.sh
systemctl poweroff --force --force
