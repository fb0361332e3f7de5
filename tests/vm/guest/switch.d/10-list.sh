# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# cxl-spa shows the switch of the machine that was asked for, by its mailbox, and what it captured is the
# same.
# shellcheck source=/dev/null
. /lib/vm/switch.sh

spa() {
	cxl-spa "$@" 2>"$work/errors"
}

# facts FILE: one line for each physical port of the switch in the JSON of list: Id, configuration, link,
# speed and width, those that the port supports, and the connected device with its serial number and memdev.
facts() {
	jq -r '.switches[0].ports[] | [.id, .state, .link, .speed, .width, .max_speed, .max_width,
		.device.serial, .device.memdev] | map(if . == null then "-" else tostring end) | join(" ")' "$1"
}

check "without --switch-mailbox there is no switch" \
	sh -c "cxl-spa list --json | jq -e '.switches == []'"
spa list --json --switch-mailbox=auto >"$work/list.json"
same "cxl-spa list says nothing on standard error" "" "$(cat "$work/errors")"
same "there is one switch, and it is the kernel's" "$switch $mailbox $port 0x19e5 0xa128 0x5a17 false" \
	"$(jq -r '.switches[] | [.name, .mailbox, .port, .vendor, .device, .serial, .recorded] | join(" ")' "$work/list.json")"
cat >"$work/expected" <<-END
	0 upstream up 32 GT/s 8 32 GT/s 8 - -
	1 downstream up 32 GT/s 8 64 GT/s 16 0xabc1 $(memdev_with 0xabc1)
	2 downstream up 16 GT/s 4 64 GT/s 16 0xabc2 $(memdev_with 0xabc2)
	3 downstream empty - - 64 GT/s 16 - -
	4 downstream empty - - 64 GT/s 16 - -
END
facts "$work/list.json" >"$work/ports"
check "ports, links and devices are those of the machine" same_lines "$work/expected" "$work/ports"
jq -r '.switches[0].ports[] | "\(.id) \(.bdf)"' "$work/list.json" | grep -v null >"$work/bridges"
check "the bridges of the host are its physical ports" sh -c "
	grep -qx '0 0000:0d:00.0' $work/bridges && grep -qx '1 0000:0e:00.0' $work/bridges &&
		grep -qx '2 0000:0e:01.0' $work/bridges"
spa list --switch-mailbox="$mailbox" >"$work/list.txt"
contains "the address of the function is the same switch" "switch $switch  $port  mailbox $mailbox" \
	"$work/list.txt"
spa explain --switch-mailbox=auto >"$work/explain.txt"
contains "explain has the link of a port" "its link is up: 16 GT/s x4; the port supports 64 GT/s x16" \
	"$work/explain.txt"
spa graph --switch-mailbox=auto >"$work/graph.dot"
contains "graph has the device behind a port" "\" -> \"$(memdev_with 0xabc1)\" [style=solid];" "$work/graph.dot"

check "cxl-spa captures the switch" cxl-spa capture --switch-mailbox=auto "$RESULTS/switch-mailbox.tar.zst"
cxl-spa --host "$RESULTS/switch-mailbox.tar.zst" list --json >"$work/replayed.json" 2>"$work/errors"
facts "$work/replayed.json" >"$work/replayed"
check "the capture has the same ports, links and devices" same_lines "$work/expected" "$work/replayed"
same "its answers are called recorded" "true" "$(jq -r '.switches[0].recorded' "$work/replayed.json")"
