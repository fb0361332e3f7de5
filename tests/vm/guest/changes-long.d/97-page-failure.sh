# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A real failure of memory, after which the kernel brings no page back in this boot: QEMU puts a deferred machine check for a page
# into a bank of the processor, the kernel finds it when it polls, and takes the page out. That page and one of before stay out. The last test of
# its boot.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program cxl-spa
needs_program jq
needs_program run_change

work=$RESULTS/page-failure
# shellcheck disable=SC2034 # of page()
state=/run/failure-state
mkdir -p "$work"
insmod /lib/modules/pages/*hwpoison-inject.ko 2>/dev/null
region=$(create "$(window first)" ram 1 "$(memdev 1)")
dax_of "$region"
same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
free=$(frames_with "$BUDDY" "$dax" 200 | tail -n 1)
failing=$((free + 300))
check "hwpoison-inject is there" test -e /sys/kernel/debug/hwpoison/unpoison-pfn
same "a page is taken out hard, which is no failure" "done" "$(page "offline --hard" "$free" | cut -d ' ' -f 1)"
same "it comes back" "done" "$(page online "$free" | cut -d ' ' -f 1)"
same "and is taken out" "done" "$(page offline "$free" | cut -d ' ' -f 1)"

# Valid, enabled, with an address; deferred (bit 44), poison (bit 43).
status=$((1 << 63 | 1 << 60 | 1 << 58 | 1 << 44 | 1 << 43))
is_failed() {
	[ "$(frame_has "$failing" "$HWPOISON")" = 1 ]
}
echo 1 >/sys/devices/system/machinecheck/machinecheck0/check_interval
qmp_open
check "a machine check is put into a bank" qmp human-monitor-command \
	"\"command-line\": \"mce 0 1 $(printf 0x%x $status) 0 $(printf 0x%x $((failing * 4096))) 0\""
qmp_close
check "the kernel takes its page out" wait_for is_failed
for pfn in $free $failing; do
	same "page $pfn: it is not brought back" "refused" "$(page online "$pfn" | cut -d ' ' -f 1)"
	same "page $pfn: the reason is said, and what does it" \
		"the kernel brings no page back after the first failure of memory of this boot: page $(frame "$pfn") comes back with a new dax device, or a restart" \
		"$(why reason)"
	same "page $pfn: it is still out" 1 "$(frame_has "$pfn" "$HWPOISON")"
done
same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
check "the region is destroyed" cxl-spa region destroy "$region"
