#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The actions on hosts whose answers come from each of the sources.
. "${0%/*}/functions"

dpa=$system/Memory/cxl-000000000000abc0/Actions/Oem/CXLHostMemory.TranslateDPA
spa=$system/Actions/Oem/CXLHostComputerSystem.TranslateSPA

# The answers of this machine's firmware when it was captured, and a rule for all other addresses.
start_usual normalized-7.3
post 200 "$dpa" '{"DevicePhysicalAddress": "0x1040"}'
has '"DevicePhysicalAddress":"0x1040"' '"SystemPhysicalAddress":"0x210002040"' \
	'"SystemPhysicalAddressLast":"0x210002040"' '"Exact":true' \
	'"TranslationSource":"recorded"' "Memory/cxl-000000000000abc0" "MemoryChunks/spa-"
post 200 "$dpa" '{"DevicePhysicalAddress": "0x1234500"}'
has '"SystemPhysicalAddress":"0x212468a00"' '"TranslationSource":"emulated"' '"Exact":true'
post 200 "$spa" '{"SystemPhysicalAddress": "0x210002040"}'
has '"DevicePhysicalAddress":"0x1040"' '"TranslationSource":"recorded"' \
	"Memory/cxl-000000000000abc0"
post 200 "$dpa" '{"DevicePhysicalAddresses": ["0x1040", "0", "0x10000000", "0x1234500"]}'
has '{"Translations":[{"DevicePhysicalAddress":"0x1040"' 'beyond the capacity'

# No answer is an answer.
post 200 "$dpa" '{"DevicePhysicalAddress": "0x10000000"}'
has '"Exact":false' '"Reason":"' "Memory/cxl-000000000000abc0"
lacks SystemPhysicalAddress TranslationSource
post 200 "$spa" '{"SystemPhysicalAddress": "0x1000"}'
has '"Exact":false' '"Reason":"'
lacks DevicePhysicalAddress '"Memory"'

# A text: its records, also quoted, with the doubts of the log; what is not the record's is not
# answered by the present mapping.
text=$system/Actions/Oem/CXLHostComputerSystem.TranslateText
mem2="memdev=mem2 host=0000:0d:00.0 serial=43968"
none=00000000-0000-0000-0000-000000000000
record="cxl_dram: $mem2 log=Fatal : time=1 uuid=$none len=128 flags='' handle=1 related_handle=0 maint_op_class=0 : dpa=1000 dpa_flags='' hpa=ffffffffffffffff region=region1 region_uuid=$none"
post 200 "$text" "{\"Text\": \"one line\\n> $record\\r\\n\"}"
# The boot is not known: then is not exact, now is.
has '"Translations":[{"Line":2,"Form":"kernel trace","DeviceName":"mem2","DevicePhysicalAddress":"0x1000"' \
	'"Exact":false,"Reason":"the record may be older than the present region1' \
	'"Now":{"SystemPhysicalAddress":"0x210002000","SystemPhysicalAddressLast":"0x210002000","PageAddress":"0x210002000"' \
	'"Exact":true,"TranslationSource":"recorded"' "Memory/cxl-000000000000abc0" "MemoryChunks/spa-0000000210000000" \
	'"Provenance":{"Host":"this","Boot":"unknown","Kernel":"unknown"}' \
	'"Truncated":false,"TopologyGeneration":1'
post 200 "$text" "{\"Text\": \"$(printf %s "$record" | sed 's/region=region1/region=region0/')\"}"
has '"Exact":false' 'the record names region0' '"Now":{"SystemPhysicalAddress":"0x210002000"'
post 200 "$text" "{\"Text\": \"$(printf %s "$record" | sed 's/serial=43968/serial=-5/')\"}"
has '"Exact":false' 'mem2 of the record is no longer a device of this host: what has the name now has another serial' \
	'"Now":null,"Provenance":{"Host":"another","Boot":"another","Kernel":"unknown"}'
lacks SystemPhysicalAddress '"Memory"' MemoryChunks
post 200 "$text" "{\"Text\": \"$(printf %s "$record" | sed 's/memdev=mem2/memdev=mem1/')\"}"
has '"Exact":false' 'mem1 of the record is mem2 now' 'SPA 0x210002000' "Memory/cxl-000000000000abc0" \
	'"Now":{"SystemPhysicalAddress":"0x210002000"'
post 200 "$text" "{\"Text\": \"$(printf %s "$record" | sed 's/serial=43968/serial=0/')\"}"
has '"Now":{"SystemPhysicalAddress":"0x210002000"' '"Provenance":{"Host":"unknown"'
lacks '"Exact":true'
post 200 "$text" "{\"Text\": \"${record%%000 dpa_flags*}\"}"
has '"Translations":[{"Line":1,"Form":"CXL event","Exact":false,"Reason":"it ends in its field dpa'
# No hpa confirms that lines are of one record.
post 200 "$text" "{\"Text\": \"> $(printf %s "$record" | cut -c1-60)\\r\\n> $(printf %s "$record" | cut -c61-)\"}"
has '"Translations":[{"Line":1,"Form":"CXL event","Exact":false,"Reason":"' 'give the record as one line'
# Lines of the host name a system address, or a page of several devices; an error of a link has no address.
post 200 "$text" '{"Text": "EDAC MC0: 1 UE x (page:0x210002 offset:0x0 grain:1 syndrome:0x0)\nMemory failure: 0x210002: x\nMemory failure: 0x21"}'
has '"Translations":[{"Line":1,"Form":"EDAC"' '"SystemPhysicalAddress":"0x210002000"' \
	'"Now":{"SystemPhysicalAddressLast":"0x210002000"' 'whether the report is of this host is not known' \
	'{"Line":2,"Form":"memory failure","SystemPhysicalAddressLast":"0x210002fff"' \
	'{"Line":3,"Form":"memory failure","Exact":false,"Reason":"the line ends in its number: digits may be missing"'
post 200 "$text" "{\"Text\": \"cxl_aer_correctable_error: $mem2: status: 'CRC Threshold Hit'\"}"
has '"DeviceName":"mem2","Exact":false,"Reason":"a report of this kind has no address"' "Memory/cxl-000000000000abc0"
# The user may say that it is of this boot; a serial number of another host prevails.
post 200 "$text" "{\"ThisBoot\": true, \"Text\": \"$record\\nMemory failure: 0x210002: x\"}"
has '"Provenance":{"Host":"this","Boot":"this","Kernel":"this"}}]' '"Line":2,"Form":"memory failure"'
lacks '"Boot":"unknown"' 'is not known'
post 200 "$text" "{\"ThisBoot\": true, \"Text\": \"$(printf %s "$record" | sed 's/serial=43968/serial=-5/')\"}"
has '"Now":null,"Provenance":{"Host":"another","Boot":"another","Kernel":"unknown"}'
post 200 "$text" "{\"ThisBoot\": false, \"Text\": \"$record\"}"
has '"Boot":"unknown"'
post 400 "$text" '{"Text": "", "ThisBoot": "yes"}'
has ActionParameterValueTypeError
post 200 "$text" '{"Text": "no record"}'
has '{"Translations":[],"Truncated":false'
printf '{"Text":"%s"}' "$(for i in $(seq 65); do printf 'cxl_dram: %s dpa=1000\\n' "$mem2"; done)" >"$scratch/many"
request 200 POST "$text" -H 'Content-Type: application/json' --data-binary "@$scratch/many"
has '{"Line":64,' '"Truncated":true'
lacks '"Line":65,'
post 400 "$text" '{}'
has ActionParameterMissing '"Text"'
post 400 "$text" '{"Text": 5}'
has ActionParameterValueTypeError
post 400 "$text" '{"Text": "", "Line": 1}'
has ActionParameterUnknown
printf '{"Text":"%65537s"}' x >"$scratch/many"
request 400 POST "$text" -H 'Content-Type: application/json' --data-binary "@$scratch/many"
has StringValueTooLong '65536'

# The message names a malformed address.
post 400 "$dpa" '{"DevicePhysicalAddress": "1040"}'
has ActionParameterValueFormatError '"1040: 0x1040 (hexadecimal) or 0x410 (decimal 1040)?"' '"DevicePhysicalAddress"' CXLHostMemory.TranslateDPA
post 400 "$dpa" '{"DevicePhysicalAddresses": ["0x0", "0x1", "0x2", "0xg"]}'
has ActionParameterValueFormatError '"DevicePhysicalAddresses/3"'
post 400 "$dpa" '{"DevicePhysicalAddress": 4160}'
has ActionParameterValueTypeError
post 400 "$dpa" '{"DevicePhysicalAddress": "0x0", "DevicePhysicalAddresses": []}'
has ActionParameterValueConflict
post 400 "$dpa" '{}'
has ActionParameterMissing DevicePhysicalAddress
post 400 "$dpa" '{"Address": "0x0"}'
has ActionParameterUnknown '"Address"'
post 400 "$dpa" '{"DevicePhysicalAddress": "0x0"'
has MalformedJSON
post 400 "$dpa" ''
has MalformedJSON
post 400 "$dpa" '["0x0"]'
has UnrecognizedRequestBody
post 400 "$spa" '{"DevicePhysicalAddress": "0x0"}'
has ActionParameterUnknown
post 404 "$system/Memory/mem0/Actions/Oem/CXLHostMemory.TranslateDPA" '{}'

# 10,000 addresses are answered, one more is not.
addresses() {
	printf '{"DevicePhysicalAddresses":["0x0"'
	seq "$1" | sed '1d;s/.*/,"0x&"/'
	printf ']}'
}
addresses 10000 >"$scratch/many"
request 200 POST "$dpa" -H 'Content-Type: application/json' --data-binary "@$scratch/many"
[ "$(grep -o '"Exact":true' "$scratch/body" | wc -l)" -eq 10000 ] || fail "not 10,000 answers"
addresses 10001 >"$scratch/many"
request 400 POST "$dpa" -H 'Content-Type: application/json' --data-binary "@$scratch/many"
has ArraySizeTooLong '"DevicePhysicalAddresses","10000"'
stop

# Ordinary decoders need no firmware.
start_usual plain-7.3
post 200 "$dpa" '{"DevicePhysicalAddress": "0x100"}'
has '"TranslationSource":"decoder"' '"Exact":true' '"NUMANode"'
stop

# A kernel that shows no region for Normalized addressing: only the handler knows.
start_usual normalized-6.12
post 200 "$dpa" '{"DevicePhysicalAddress": "0x1040"}'
has '"SystemPhysicalAddress":"0x210002040"' '"Exact":true'
lacks MemoryChunks
stop

# No source: no answer and no estimate.
start_usual normalized-no-prm-7.3
post 200 "$dpa" '{"DevicePhysicalAddress": "0x1040"}'
has '"Exact":false' '"Reason":"'
finish
