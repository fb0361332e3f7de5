# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Last: the kernel has no warnings caused by this project.
# shellcheck source=/dev/null
. /lib/vm/lib.sh

dmesg | grep -E 'BUG:|WARNING:|Oops|refcount_t|sleeping function|RIP:.*\[cxl_prm\]' >"$RESULTS/warnings.txt"
case $VM_FAULT in
no-execute | hold)
	# The kernel warns about the firmware; the fault must not be in cxl_prm.
	check "no warning from cxl_prm in dmesg" sh -c "! grep -F '[cxl_prm]' $RESULTS/warnings.txt"
	;;
*)
	same "no BUG or WARNING in dmesg" "" "$(cat "$RESULTS/warnings.txt")"
	;;
esac
