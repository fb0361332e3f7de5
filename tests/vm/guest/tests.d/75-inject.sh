# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Device errors, injected through QEMU: each becomes a log entry with the address by firmware's rule,
# and is sent to the subscribers, a client of the event stream and a push destination. rasdaemon and
# cxl monitor run at the same time and get all events, too.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
for program in cxl-redfishd cxl-redfish-trace cxl-redfish-push curl rasdaemon cxl; do
	needs_program $program
done
case $VM_FAULT in none | unprogrammed) ;; *) exit 0 ;; esac

devices=$RESULTS/devices.txt
cxl_devices >"$devices"
work=$RESULTS/inject
mkdir -p "$work" /var/lib/rasdaemon
socket=/run/redfish
root=http://localhost/redfish/v1

get() {
	curl -s --max-time 20 --unix-socket $socket "$root/$1"
}

# pci_of SERIAL, qemu_of SERIAL: the name of the device in Linux and in QEMU.
pci_of() {
	awk -v serial="$1" '$1 == serial { print $2 }' "$devices"
}
qemu_of() {
	echo "\"path\": \"/machine/peripheral/dev${1#0xabc}\""
}

# unmask_errors BDF: protocol errors are not reported until they are unmasked in the AER capability and
# in the device's CXL RAS capability (component registers, in the first BAR). They are set to non-fatal,
# because a fatal error would remove the device.
unmask_errors() {
	local config=/sys/bus/pci/devices/$1/config at=256 header registers
	while [ $at -ne 0 ]; do
		header=$(hexdump -v -s $at -n 4 -e '/4 "%u"' "$config")
		[ $((header & 0xffff)) -ne 1 ] || break
		at=$((header >> 20))
	done
	[ $at -ne 0 ] || return 1
	for register in 8 12 20; do
		dd if=/dev/zero of="$config" bs=4 count=1 seek=$(((at + register) / 4)) conv=notrunc
	done 2>/dev/null
	registers=$(head -n 1 "/sys/bus/pci/devices/$1/resource" | cut -d ' ' -f 1)
	# uncorrectable mask and severity, correctable mask
	for register in 0x1084 0x1088 0x1090; do
		devmem $((registers + register)) 32 0
	done
}

# The push destination: each request becomes a file.
mkdir -p /run/www/cgi-bin /run/pushed
cat >/run/www/cgi-bin/receive <<'END'
#!/bin/sh
file=$(mktemp /run/pushed/.XXXXXX)
head -c "$CONTENT_LENGTH" >"$file"
mv "$file" "/run/pushed/$(date +%s)-${file##*.}"
printf 'Status: 204 No Content\r\n\r\n'
END
chmod +x /run/www/cgi-bin/receive
httpd -p 127.0.0.1:8099 -h /run/www

rasdaemon -f -r >"$work/rasdaemon" 2>&1 &
rasdaemon=$!
cxl monitor -l "$work/monitor" 2>"$work/monitor.err" &
monitor=$!
check "rasdaemon records" wait_for grep -q "Recording cxl_memory_module" "$work/rasdaemon"
check "cxl-redfish-trace creates the trace instance" cxl-redfish-trace
[ "$VM_FAULT" = unprogrammed ] || check "cxl_prm loads" load_cxl_prm
mkdir -p /run/state
export CXL_REDFISH_PUSH=/usr/bin/cxl-redfish-push
start_redfishd $socket "$work/log" --state /run/state --push-allow 127.0.0.0/8
curl -sN --unix-socket $socket "$root/EventService/SSE" >"$work/stream" 2>"$work/stream.err" &
stream=$!
same "a subscription is created" 201 "$(curl -s --unix-socket $socket -o "$work/subscription" -w '%{http_code}' \
	-H 'Content-Type: application/json' -d '{"Destination": "http://127.0.0.1:8099/cgi-bin/receive",
	"Protocol": "Redfish", "Context": "vm", "EventFormatType": "Event"}' \
	"$root/EventService/Subscriptions")"

qmp_open
same "QEMU's monitor answers" 0 $?

# Media errors: on each device, in four interleave blocks, also at unaligned addresses.
: >"$work/injected"
n=0
while read -r serial bdf _; do
	check "$serial: protocol errors are unmasked" unmask_errors "$bdf"
	for dpa in 0x0 0x1f40 0x4c0 0xfffffc0; do
		n=$((n + 1))
		echo "$bdf $dpa" >>"$work/injected"
		case $dpa in
		0x0 | 0x1f40)
			check "$serial: general media event at $dpa" qmp cxl-inject-general-media-event \
				"$(qemu_of "$serial"), \"log\": \"informational\", \"flags\": 1, \"dpa\": $((dpa)),
				\"descriptor\": 3, \"type\": 3, \"transaction-type\": 192, \"channel\": 3, \"rank\": 17,
				\"device\": 5, \"component-id\": \"DIMM7\""
			;;
		*)
			check "$serial: DRAM event at $dpa" qmp cxl-inject-dram-event \
				"$(qemu_of "$serial"), \"log\": \"failure\", \"flags\": 1, \"dpa\": $((dpa)),
				\"descriptor\": 3, \"type\": 3, \"transaction-type\": 192, \"channel\": 3, \"rank\": 17,
				\"nibble-mask\": 37, \"bank-group\": 7, \"bank\": 11, \"row\": 2, \"column\": 77"
			;;
		esac
	done
done <"$devices"

one=$(qemu_of 0xabc0)
check "memory module event" qmp cxl-inject-memory-module-event \
	"$one, \"log\": \"warning\", \"flags\": 1, \"type\": 3, \"health-status\": 3, \"media-status\": 7,
	\"additional-status\": 33, \"life-used\": 3, \"temperature\": 25, \"dirty-shutdown-count\": 137,
	\"corrected-volatile-error-count\": 1400, \"corrected-persistent-error-count\": 1800"
check "poison" qmp cxl-inject-poison "$one, \"start\": 16384, \"length\": 64"
echo "$(pci_of 0xabc0) 0x4000" >>"$work/injected"
echo 1 >"$(dirname "$(grep -lx 0xabc0 /sys/bus/cxl/devices/mem*/serial)")/trigger_poison_list"
check "correctable error" qmp cxl-inject-correctable-error "$one, \"type\": \"physical\""
check "correctable error is recorded" wait_for grep -q cxl_aer_correctable_error "$work/rasdaemon"
check "uncorrectable error" qmp cxl-inject-uncorrectable-errors \
	"$one, \"errors\": [{\"type\": \"cache-address-parity\", \"header\": [3, 4]}]"
check "uncorrectable error is recorded" wait_for grep -q cxl_aer_uncorrectable_error "$work/rasdaemon"
qmp_close
all=$((n + 4))

# entries: one line for each entry of the host's log.
entries() {
	get 'Systems/Host/LogServices/CXL/Entries?$top=100' >"$work/entries"
	sed 's/{"@odata.id":"[^"]*\/LogServices\/CXL\/Entries\/[^"]*","@odata.type"/\n&/g
		s/":/": /g' "$work/entries" | grep '"EntryType": "'
}
all_entries() {
	[ "$(entries | wc -l)" -ge "$all" ]
}
check "every error is a log entry" wait_for all_entries
same "and there is no other" "$all" "$(entries | wc -l)"
entries >"$work/lines"

# "BDF DPA SPA SOURCE" of every entry that has a DPA; its Memory's Id gives the device.
while read -r serial bdf _; do
	grep -F "cxl-$(printf '%016x' "$serial")" "$work/lines" |
		fields DevicePhysicalAddress SystemPhysicalAddress TranslationSource |
		grep -v '^-' | sed "s/^/$bdf /"
done <"$devices" | sort >"$work/logged"
source=prm
[ "$VM_FAULT" = none ] || source=kernel
rule "$VM_RULE" spa "$devices" <"$work/injected" | sed "s/\$/ $source/" | sort >"$work/right"
check "each has the address of firmware's rule" same_lines "$work/right" "$work/logged"

# event_ids FILE...: the EventIds of log entries in the files, without those of changed resources and of incidents.
event_ids() {
	cat "$@" | grep -oE '"EventId": ?"[0-9]+"[^{}]*"MessageId": ?"CXLHost[^"]*' |
		grep -vE '[.]Incident[A-Za-z]*$' | sed -E 's/^"EventId": ?"([0-9]+).*/\1/' | sort -n
}
stream_has_all() {
	[ "$(event_ids "$work/stream" | wc -l)" -ge "$all" ]
}
pushed_all() {
	[ "$(event_ids /run/pushed/* | uniq | wc -l)" -ge "$all" ]
}
ids=$(fields Id <"$work/lines" | sort -n)
check "the stream has all events" wait_for stream_has_all
same "each of them once" "$ids" "$(event_ids "$work/stream")"
check "the push destination gets all events" wait_for pushed_all
same "and no others" "$ids" "$(event_ids /run/pushed/* | uniq)"
cp -r /run/pushed "$work/"

# rasdaemon, cxl monitor and the service read trace instances of their own.
has_lines() { # N PATTERN FILE
	[ "$(grep -cE -- "$2" "$3")" -ge "$1" ]
}
check "rasdaemon has all events" wait_for has_lines "$all" \
	'cxl_(general_media|dram|memory_module|poison|aer_(un)?correctable_error) ' "$work/rasdaemon"
check "cxl monitor has all events" wait_for has_lines "$all" '"system": *"cxl"' "$work/monitor"
kill $rasdaemon $monitor $stream
killall httpd

stop_redfishd $socket
start_redfishd $socket "$work/log-again" --state /run/state --push-allow 127.0.0.0/8
same "after a restart the log has the same entries" "$(sed 's/"DateTime[^,]*,//g' "$work/lines" | md5sum)" \
	"$(entries | sed 's/"DateTime[^,]*,//g' | md5sum)"
stop_redfishd $socket
