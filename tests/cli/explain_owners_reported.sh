#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Owners of the addresses of windows in the shapes of /proc/iomem that people have reported: explain START-END, the
# verdict about the window, and region plan say the same.
. "${0%/*}/functions"
need_python

# has_windows NAME: a copy of a bundled host; standard input is what /proc/iomem has of its three windows
has_windows() {
	unpack "$1"
	{
		sed '/^110000000-/,$d' "$copy/proc/iomem"
		cat
		sed -n '/^440000000-/,$p' "$copy/proc/iomem"
	} >"$scratch/iomem"
	rm -f "$copy/proc/iomem"
	cp "$scratch/iomem" "$copy/proc/iomem"
}

# owners PYTHON...: conditions on `o`, the owners of the three windows
owners() {
	run 0 --host "$copy" --json explain 0x110000000-0x40fffffff
	for condition; do
		json "(lambda o: $condition)(a['owners'])"
	done
}

# no_plan WINDOW WORDS...: refused, and the same verdict is in explain
no_plan() {
	window=$1 && shift
	run 1 --host "$copy" --json region plan "$window"
	for word; do
		json "'''$word''' in a['reason']"
	done
	run 0 --host "$copy" explain "$window"
	says "no region can be made in it: " "$@"
}

# Soft Reserved around a window, and around two: regions can be made, and be made again.
has_windows plain-7.3 <<'END'
110000000-20fffffff : Soft Reserved
  110000000-20fffffff : CXL Window 0
    110000000-14fffffff : region0
      110000000-14fffffff : dax0.0
        110000000-14fffffff : System RAM (kmem)
210000000-30fffffff : CXL Window 1
310000000-40fffffff : CXL Window 2
END
owners "'System RAM (kmem) of dax0.0 of region0' in o[0]['what'] and o[0]['last'] == '0x14fffffff'" \
	"'made here again' in o[0]['after_release']" \
	"[x['what'] for x in o[1:]] == ['free in CXL window decoder0.%d' % n for n in range(3)]"
run 0 --host "$copy" explain region0
says_not "Linux keeps these addresses"
run 0 --host "$copy" explain decoder0.0
says "firmware marks 0x110000000-0x20fffffff as Soft Reserved"
has_windows idle-7.3 <<'END'
110000000-30fffffff : Soft Reserved
  110000000-20fffffff : CXL Window 0
  210000000-30fffffff : CXL Window 1
310000000-40fffffff : CXL Window 2
END
owners "[x['what'] for x in o] == ['free in CXL window decoder0.%d' % n for n in range(3)]" \
	"['Soft Reserved > CXL Window' in x['made_by'] for x in o] == [True, True, False]"
for window in 0 1; do
	run 0 --host "$copy" --json region plan decoder0.$window
	json "a['possible'] and not a['notes']"
done

# Inside of a window, above the region or below it: it keeps the addresses of the region after its end.
for order in 'region0:Soft Reserved' 'Soft Reserved:region0'; do
	has_windows plain-7.3 <<END
110000000-20fffffff : CXL Window 0
  110000000-14fffffff : ${order%:*}
    110000000-14fffffff : ${order#*:}
      110000000-14fffffff : dax0.0
        110000000-14fffffff : System RAM (kmem)
210000000-30fffffff : CXL Window 1
310000000-40fffffff : CXL Window 2
END
	owners "'before the next boot' in o[0]['after_release'] and o[0]['usable'] is True" \
		"o[1]['what'] == 'free in CXL window decoder0.0' and o[1]['first'] == '0x150000000'"
	run 0 --host "$copy" explain region0
	says "0x110000000-0x14fffffff as Soft Reserved, inside of the window: once the region is destroyed, Linux keeps these addresses"
done

# PCI addresses in a window, with the BAR.
has_windows idle-7.3 <<'END'
110000000-20fffffff : CXL Window 0
  110000000-13fffffff : PCI Bus 0000:00
  140000000-1401fffff : PCI Bus 0000:0c
    140000000-1401fffff : PCI Bus 0000:0d
  140200000-20fffffff : PCI Bus 0000:00
    140200000-140203fff : 0000:00:03.0
      140200000-140203fff : virtio-pci-modern
210000000-30fffffff : CXL Window 1
310000000-40fffffff : CXL Window 2
END
owners "[x['what'].split(' in ')[0] for x in o[:4]] == ['PCI Bus 0000:00', 'PCI Bus 0000:0d', '0000:00:03.0', 'PCI Bus 0000:00']" \
	"all(x['usable'] is False and x['releasable'] is False and 'by an error' in x['made_by'] for x in o[:4])" \
	"o[2]['first'] == '0x140200000' and o[2]['last'] == '0x140203fff'"
json "a['problems'] == 4"
no_plan decoder0.0 "addresses of PCI devices are in the window"
run 0 --host "$copy" --json region plan decoder0.1
json "a['possible']"

# Firmware marks the windows themselves Reserved.
has_windows idle-7.3 <<'END'
110000000-20fffffff : CXL Window 0
  110000000-20fffffff : Reserved
210000000-30fffffff : CXL Window 1
  210000000-30fffffff : Reserved
310000000-40fffffff : CXL Window 2
  310000000-40fffffff : Reserved
END
owners "len(o) == 3 and all('Reserved in CXL window' in x['what'] and 'must not list' in x['made_by'] for x in o)" \
	"all(x['usable'] is False and x['releasable'] is False for x in o)"
for window in 0 1; do
	no_plan decoder0.$window "firmware must not list addresses of a window as Reserved"
	says_not "destroy"
done

# A kernel that makes no regions gave all to a dax device, which encloses two windows.
has_windows idle-7.3 <<'END'
110000000-30fffffff : dax0.0
  110000000-30fffffff : System RAM (kmem)
    110000000-20fffffff : CXL Window 0
    210000000-30fffffff : CXL Window 1
310000000-40fffffff : CXL Window 2
END
owners "['System RAM (kmem) of dax0.0 in CXL window decoder0.%d' % n for n in range(2)] == [x['what'] for x in o[:2]]" \
	"all('driver kmem' in x['made_by'] and 'dax0.0 keeps' in x['after_release'] for x in o[:2])" \
	"all(x['releasable'] is None and x['release_reason'] == 'sysfs does not show dax0.0' for x in o[:2])" \
	"o[2]['what'] == 'free in CXL window decoder0.2'"
run 0 --host "$copy" explain 0x110000000-0x20fffffff
says "can be released: not known because: sysfs does not show dax0.0"
for window in 0 1; do
	no_plan decoder0.$window "is in use as System RAM of dax0.0"
done
finish
