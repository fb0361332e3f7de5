#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# explain: the order of targets below a 3-way window, and of an endpoint's decoders.
. "${0%/*}/functions"
need_python

devices=sys/bus/cxl/devices

# Two devices below each bridge of a 3-way window. In the order of the decoders there is no problem,
# and explain agrees with translate.
python3 -B "$srcdir/tests/cli/six_way.py" "$srcdir/scripts/generate-host" "$scratch/routed" \
	0 3 4 1 2 5 || exit 99
run 0 --host "$scratch/routed" --json translate mem1 0x1234
json "a[0]['exact'] and a[0]['source'] == 'decoder'"
run 0 --host "$scratch/routed" explain region0
says "DPAs are translated by: decoder"
says_not "order" "problem: DPAs"

# In Linux's order, too, the decoders are followed, and the kernel's own address is not to be used.
python3 -B "$srcdir/tests/cli/six_way.py" "$srcdir/scripts/generate-host" "$scratch/linux" \
	0 2 4 1 3 5 || exit 99
for host in routed linux; do
	run 0 --host "$scratch/$host" --json translate mem1 0x1234
	json "a[0]['exact'] and a[0]['source'] == 'decoder' and a[0]['spa'] == '0x1800006f34'"
	run 0 --host "$scratch/$host" --json translate 0x1800006f34
	json "a[0]['exact'] and a[0]['memdev'] == 'mem1' and a[0]['dpa'] == '0x1234'"
done
run 0 --host "$scratch/linux" explain region0
says "problem: do not use the address that the kernel reports with an event of these devices (hpa)" \
	"DPAs are translated by: decoder"
says_not "out of order" "destroy" "trusted" "interval"

# In no order that the decoders explain.
python3 -B "$srcdir/tests/cli/six_way.py" "$srcdir/scripts/generate-host" "$scratch/swapped" \
	2 0 4 1 3 5 || exit 99
run 1 --host "$scratch/swapped" --json translate mem1 0x1234
json "a[0]['source'] == 'estimate' and 'to another device than' in a[0]['reason']"
run 0 --host "$scratch/swapped" explain region0
says "problem: out of order: mem2 is at position 0" "hpa"

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

# Descending SPA, descending DPA, and an idle decoder before it.
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
