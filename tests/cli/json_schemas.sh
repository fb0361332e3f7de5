#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The JSON of each subcommand is that of its published schema: on all bundled hosts, without a key that
# the schema or the manual page does not have; and outputs of earlier versions still are.
. "${0%/*}/functions"
need_python
python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null ||
	skip "jsonschema is missing, which reads schemas here (Debian package: python3-jsonschema)"
export srcdir

check() {
	python3 "$srcdir/tests/cli/json_schemas.py" "$@" || fail "$*"
}

# record SCHEMA ARGUMENT...: adds an output, whatever its exit status.
record() {
	echo "$1 cxl-spa $*"
	shift
	"$spa" --host "$archive" "$@" --json 2>/dev/null
	echo .
}

for archive in "$hosts"/*.tar.zst; do
	record list list
	record explain explain
	record health health
	record translate translate mem0 0x0 0x100-0x2fff 0xffffffffffffffff
	record page page show mem0 0x0 0xffffffffffffffff
	record page page show 0x0 pfn:0x110000 0x210000000
	record page page offline mem0 0x0
	record translate translate 0x0 0x110000000 0x210000000-0x210000fff
	record verify verify --samples 3
	record events events
	record triage triage
	record triage triage mem0
	record events events --summary
	for region in $("$spa" --host "$archive" graph 2>/dev/null | sed -n 's/^  "\(region[0-9]*\)" \[.*/\1/p'); do
		record map map "$region"
		record explain explain "$region"
	done
	for window in $("$spa" --host "$archive" graph 2>/dev/null | sed -n 's/^  "\(decoder[0-9.]*\)" \[.*/\1/p'); do
		record region-plan region plan "$window"
	done
done >"$scratch/records"
# Each kind of object; lines of a trace and malformed ones.
archive=$hosts/switch-model-7.3.tar.zst
for object in root0 decoder0.0 decoder3.0 region0 port1 port2 endpoint3 mem0 dax0.0 switch-00000000000004d2 switch-00000000000004d2/P1 switch-00000000000004d2/P1/ld0 \
	switch-00000000000004d2/vcs0 switch-00000000000004d2/vcs0/vppb0 0000:0e:00.0; do
	record list list $object
done >>"$scratch/records"
archive=$hosts/normalized-7.3.tar.zst
printf '0x210006040\nx\n\n' >"$scratch/lines"
record translate translate - <"$scratch/lines" >>"$scratch/records"
printf 'x cxl_poison: memdev=mem2 dpa=0x3040 dpa_length=0x400\nnot a trace\nmemdev=mem2 dpa=1000\n' >"$scratch/trace"
record translate translate --trace "$scratch/trace" >>"$scratch/records"

for masks in '' ', "position_masks": ["0xfffffffffffffffe"]'; do
	printf '[{"serial": "0xabc0", "base": "0x210000000", "ways": 2, "granularity": 256, "position": 0%s},' "$masks"
	printf '{"serial": "0xabc1", "base": "0x210000000", "ways": 2, "granularity": 256, "position": 1%s}]' "$masks"
done >"$scratch/model"
sed 's/\]\[.*/]/' "$scratch/model" >"$scratch/model.right"
sed 's/.*\]\[/[/' "$scratch/model" >"$scratch/model.wrong"
record verify-inject verify --inject region1 --model "$scratch/model.right" >>"$scratch/records"
record verify-inject verify --inject region1 --model "$scratch/model.wrong" >>"$scratch/records"

check strict <"$scratch/records"
check same
check fields "$srcdir/events/record.c"
check old "$srcdir/tests/cli/json-v1"
check keys "$srcdir/docs"
finish
