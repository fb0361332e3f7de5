# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Last: nothing of ours upset the kernel.
# shellcheck source=/dev/null
. /lib/vm/lib.sh

dmesg | grep -E 'BUG:|WARNING:|Oops|refcount_t|sleeping function|RIP:.*\[cxl_prm\]' >"$RESULTS/trouble.txt"
case $VM_FAULT in
no-execute | hold)
	# The kernel complains about the firmware; it must not be our module that faulted.
	check "no trouble from cxl_prm in dmesg" sh -c "! grep -F '[cxl_prm]' $RESULTS/trouble.txt"
	;;
*)
	same "no BUG or WARNING in dmesg" "" "$(cat "$RESULTS/trouble.txt")"
	;;
esac
