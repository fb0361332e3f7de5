# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A kernel that is locked down forbids the registers; this cannot be undone.
# shellcheck source=/dev/null
. /lib/vm/switch.sh

mount -t securityfs securityfs /sys/kernel/security
echo integrity >/sys/kernel/security/lockdown
cxl-spa explain --switch-mailbox="$mailbox" "$mailbox" 2>&1 | tr -s ' \n' ' ' >"$work/locked"
contains "lockdown forbids the mailbox" "mailbox cannot be used: " "$work/locked"
contains "lockdown is named as the reason" "lock" "$work/locked"
check "list goes on without it" sh -c "cxl-spa list --json --switch-mailbox=auto | jq -e '.buses | length == 1'"
