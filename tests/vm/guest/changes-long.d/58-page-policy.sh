# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The page policy of the service, from an error that is injected into a device to the flag of the kernel: its limits hold over a
# restart, each step may be the last of the service or its page helper, and a thousand pages of a file go out.
# shellcheck source=/dev/null
. /lib/vm/pages.sh
needs_redfish
needs_program cxl-redfish-page-helper
needs_program cxl-redfish-trace
needs_program run_change

work=$RESULTS/page-policy
state=/run/policy-state
mkdir -p "$work" $state /run/file
region=$(create "$(window second)" ram 2 "$(memdev 2)" "$(memdev 3)")
dax_of "$region"
base=$(($(cat "/sys/bus/dax/devices/$dax/resource")))
same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
check "cxl-redfish-trace" cxl-redfish-trace
qmp_open
same "QEMU's monitor answers" 0 $?

# dpa_of PFN: the device address of its first byte, of both devices; page_of DPA: the reverse.
dpa_of() {
	echo $((($1 * 4096 - base) / 2))
}
page_of() {
	two_way "$base" 0 "$1"
}

# The page helper, for which FAIL_WRITE and the others are set.
helper=/run/failing-page-helper
cat >$helper <<'END'
#!/bin/sh
export LD_PRELOAD=/usr/bin/fail_write.so FAIL_WRITE_LOG=/run/page-writes
[ ! -e /run/failing-by ] || read -r FAIL_WRITE FAIL_WRITE_BY </run/failing-by
export FAIL_WRITE FAIL_WRITE_BY
exec /usr/bin/cxl-redfish-page-helper "$@"
END
chmod +x $helper

# start NAME OPTION...: the service with the policy.
start() {
	log=$work/log-$1
	shift
	CXL_REDFISH_PAGE_HELPER=$helper start_redfishd /run/redfish "$log" --allow=pages,hard-pages --state $state \
		--page-policy soft --page-corrected 3/24 "$@"
	wait_for said "pages are taken out of use by" || not_ok "there is a page helper" "$(tail -n 3 "$log")"
}
no_helper() {
	! pidof cxl-redfish-page-helper
}
# killed: the service, and with it its helper.
killed() {
	kill -9 "$redfishd"
	wait "$redfishd"
	wait_for no_helper
	rm -f /run/redfish
}
# said_of DPA TEXT: about that address.
said_of() {
	grep -F "(device address 0x$(printf %x "$1"))" "$log" | grep -qF "$2"
}
listed() {
	cxl-spa page list --json --state $state | jq -r '.remembered[].state' | sort | uniq -c | xargs
}

# ---- limits
start hour --page-limit-hour 3 --page-limit-block 64
check "the policy begins" wait_for said "are decided about"
for dpa in $((0x10000)) $((0x20000)) $((0x30000)) $((0x40000)); do
	inject 2 "$dpa" $THRESHOLD
done
check "the fourth page of an hour is refused" wait_for said_of $((0x40000)) "page-limit-hour allows"
out="$(page_of $((0x10000))) $(page_of $((0x20000))) $(page_of $((0x30000)))"
same "three are out, and no others" "$out" "$(bad_frames "$dax")"
killed
start again --page-limit-hour 3 --page-limit-block 64
inject 3 0x50000 $THRESHOLD
check "the hour goes on after kill -9 and a restart" wait_for said_of $((0x50000)) "page-limit-hour allows"
same "the same three are out" "$out" "$(bad_frames "$dax")"
stop_redfishd /run/redfish
start block --page-limit-hour 64 --page-limit-block 4
inject 3 0x60000 $THRESHOLD
inject 3 0x70000 $THRESHOLD
check "the fifth page of a block is refused" wait_for said_of $((0x70000)) "page-limit-block allows"
out="$out $(page_of $((0x60000)))"
same "four are out" "$out" "$(bad_frames "$dax")"
inject 3 $(($(block_size) / 2 + 0x10000)) $THRESHOLD
out="$out $(page_of $(($(block_size) / 2 + 0x10000)))"
check "one of another block is not" wait_for is_bad "${out##* }"
same "five are out" "$out" "$(bad_frames "$dax")"
killed

# ---- kill -9
options="--page-limit-hour 64 --page-limit-block 64"
# The service is away when the error comes.
inject 2 0x80000 $THRESHOLD
# shellcheck disable=SC2086 # several
start away $options
out="$(page_of $((0x80000))) $out"
check "an error of the time without service is decided about after its start" wait_for is_bad "${out%% *}"
killed

# The helper, before its write.
echo 1 kill >/run/failing-by
# shellcheck disable=SC2086
start helper $options
inject 2 0x90000 $THRESHOLD
check "the helper is killed before the write: that is said" wait_for said_of $((0x90000)) "is not taken out of use"
same "the page is in use" 0 "$(frame_has "$(page_of $((0x90000)))" "$HWPOISON")"
killed
rm /run/failing-by
# shellcheck disable=SC2086
start helper-again $options
check "after a restart it is out: it was reserved before" wait_for is_bad "$(page_of $((0x90000)))"
killed

# The service, while its helper stands before the write, which is then made and not heard of.
is_stopped() {
	# shellcheck disable=SC2046 # one file for each process
	grep -q '^State:.T' $(pidof cxl-redfish-page-helper | sed 's,[0-9][0-9]*,/proc/&/status,g')
}
rm -f /run/page-writes
echo 1 stop >/run/failing-by
# shellcheck disable=SC2086
start service $options
inject 2 0xa0000 $THRESHOLD
check "the helper stands before the write" wait_for is_stopped
kill -9 "$redfishd"
wait "$redfishd"
# shellcheck disable=SC2046
kill -CONT $(pidof cxl-redfish-page-helper)
check "the helper ends" wait_for no_helper
rm -f /run/failing-by /run/redfish
# shellcheck disable=SC2086
start service-again $options
check "the service is killed before the write: after a restart the page is out" wait_for is_bad "$(page_of $((0xa0000)))"
all=$(echo "$out $(page_of $((0x90000))) $(page_of $((0xa0000)))" | xargs -n 1 | sort -n | xargs)
same "all of these pages are out, and no others" "$all" "$(bad_frames "$dax")"
all_out() {
	[ "$(listed)" = "$(echo "$all" | wc -w) out" ]
}
check "each is remembered once, as out" wait_for all_out

# ---- actions
act() { # ACTION DPA [MEMBERS]
	ask POST "$(memory_of 2)/Actions/Oem/CXLHostMemory.$1" -H 'Content-Type: application/json' \
		-d "{\"DevicePhysicalAddress\": \"$2\"${3:-}}"
}
pfn=$(page_of $((0x100000)))
same "DescribePage" 200 "$(finish "$(act DescribePage 0x100000)")"
cp "$work/body" "$work/describe-free"
same "DescribePage: a free page" "0x$(printf %x $((pfn * 4096)))" "$(answer '.. | objects | .SystemPhysicalAddress? // empty' | head -n 1)"
same "OfflinePage" 200 "$(finish "$(act OfflinePage 0x100000)")"
same "OfflinePage: the outcome" "done 0x$(printf %x "$pfn")" "$(answer '"\(.Outcome) \(.PageFrameNumber)"')"
same "OfflinePage: bit 19 is set" 1 "$(frame_has "$pfn" "$HWPOISON")"
same "OfflinePage again" "200 already" "$(finish "$(act OfflinePage 0x100040)") $(answer .Outcome)"
# A script before this one may have loaded it.
[ ! -d /sys/module/hwpoison_inject ] || rmmod hwpoison_inject
same "OnlinePage without hwpoison-inject" 409 "$(finish "$(act OnlinePage 0x100000)")"
contains "OnlinePage: the next step is named" "modprobe hwpoison-inject" "$work/body"
[ -d /sys/kernel/debug/hwpoison ] || insmod /lib/modules/pages/*hwpoison-inject.ko
same "OnlinePage" "200 done" "$(finish "$(act OnlinePage 0x100000)") $(answer .Outcome)"
same "OnlinePage: bit 19 is clear" 0 "$(frame_has "$pfn" "$HWPOISON")"
same "OfflinePage, hard" "200 done" "$(finish "$(act OfflinePage 0x100000 ', "Mode": "Hard"')") $(answer .Outcome)"
same "OnlinePage brings it back, too" "200 done" "$(finish "$(act OnlinePage 0x100000)") $(answer .Outcome)"
same "OfflinePage of an address that the device does not have" 409 "$(finish "$(act OfflinePage 0xfffffff000)")"
stop_redfishd /run/redfish
qmp_close
same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
check "the region is destroyed" cxl-spa region destroy "$region"
