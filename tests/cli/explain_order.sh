#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# explain: out of order, of regions below a 3-way window and of an endpoint's decoders.
. "${0%/*}/functions"
need_python

devices=sys/bus/cxl/devices

# Two devices below each bridge of a 3-way window. In the order of the decoders all is well, and
# explain agrees with translate.
python3 -B "$srcdir/tests/cli/six_way.py" "$srcdir/scripts/generate-host" "$scratch/routed" \
	0 3 4 1 2 5 || exit 99
run 0 --host "$scratch/routed" --json translate mem1 0x1234
json "a[0]['exact'] and a[0]['source'] == 'decoder'"
run 0 --host "$scratch/routed" explain region0
says "DPAs are translated by: decoder"
says_not "order" "problem: DPAs"

# In Linux's order the decoders lead elsewhere.
python3 -B "$srcdir/tests/cli/six_way.py" "$srcdir/scripts/generate-host" "$scratch/linux" \
	0 2 4 1 3 5 || exit 99
run 1 --host "$scratch/linux" --json translate mem1 0x1234
json "a[0]['source'] == 'estimate'"
run 0 --host "$scratch/linux" explain region0
says "problem: Linux's order of positions and the routing of the decoders disagree" \
	"below a 3-, 6- or 12-way window (decoder0.0 is 3-way): an address can be given as an interval only"
says_not "out of order" "destroy" "trusted"

# commit DECODER START DPA: of plain-7.3, as one way of 256 MiB
commit() {
	decoder=$copy/$devices/$1
	echo 0x10000000 >"$decoder/size"
	echo "$2" >"$decoder/start"
	echo 1 >"$decoder/interleave_ways"
	echo "$3" >"$decoder/dpa_resource"
	echo 0x10000000 >"$decoder/dpa_size"
	echo ram >"$decoder/mode"
}

unpack plain-7.3
echo 0x20000000 >"$copy/$devices/mem0/ram/size"
commit decoder5.1 0x310000000 0x10000000
for object in mem0 decoder5.0 decoder5.1; do
	run 0 --host "$copy" explain $object
	says_not "out of order"
done

# Below in SPA, below in DPA, and with an idle one in front.
commit decoder5.1 0x100000000 0x10000000
for object in mem0 decoder5.1; do
	run 0 --host "$copy" explain $object
	says "problem: out of order: decoder5.1 decodes SPA 0x100000000-0x10fffffff, which is below SPA" \
		"of decoder5.0"
	says_not "maps DPA 0x0-0xfffffff, which"
done
run 0 --host "$copy" explain decoder5.0
says_not "out of order"
echo 0x10000000 >"$copy/$devices/decoder5.0/dpa_resource"
commit decoder5.1 0x310000000 0x0
run 0 --host "$copy" explain
says "problem: out of order: decoder5.1 maps DPA 0x0-0xfffffff, which is below DPA 0x10000000-0x1fffffff of decoder5.0"
says_not "which is below SPA"

unpack plain-7.3
echo 0x20000000 >"$copy/$devices/mem0/ram/size"
commit decoder5.3 0x310000000 0x10000000
run 0 --host "$copy" explain mem0
says "problem: out of order: decoder5.3 is committed, but decoders with lower numbers are not: decoder5.1, decoder5.2."
finish
