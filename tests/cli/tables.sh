#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# --tables: ACPI tables as acpidump and acpixtract write them, for a host that shows none.
. "${0%/*}/functions"
need_python
for tool in acpidump acpixtract; do
	command -v $tool >/dev/null || skip "$tool is missing (Debian package: acpica-tools)"
done
unpack plain-7.3
own=$copy/sys/firmware/acpi/tables
tables=$scratch/tables
mkdir "$tables"
cp "$own/CEDT" "$own/SRAT" "$own/HMAT" "$own/DSDT" "$tables"
unpack normalized-7.3
cp "$copy/sys/firmware/acpi/tables/PRMT" "$tables"
copy=$scratch/plain-7.3

# What Debian's tools make of what we write: the raw tables of a capture.
(cd "$tables" && acpidump -f DSDT -f CEDT -f SRAT -f HMAT >dump.txt && acpixtract -a dump.txt >/dev/null 2>&1)
for name in CEDT SRAT HMAT; do
	file=$tables/$(echo $name | tr A-Z a-z).dat
	cmp "$own/$name" "$file" || fail "acpixtract: $name differs from the capture"
done

# A host without its tables: two ways are an interval, as long as no tables are handed in.
rm "$own/CEDT" "$own/SRAT" "$own/HMAT"
run 1 --host "$copy" --json translate mem2 0x1000
json "not a[0]['exact'] and 'cedt' not in a[0]"
for file in dump.txt cedt.dat; do
	run 0 --host "$copy" --tables "$tables/$file" --json translate mem2 0x1000
	silent
	json "a[0]['spa'] == '0x110004000' and a[0]['exact'] and a[0]['source'] == 'decoder'"
	json "a[0]['cedt'] == '$tables/$file'"
	run 0 --host "$copy" --tables "$tables/$file" translate mem2 0x1000
	says "exact, decoder arithmetic by the CEDT in $tables/$file"
	run 0 --host "$copy" --tables "$tables/$file" translate 0x110004000
	says "mem2 DPA 0x1000" "by the CEDT in"
done
run 0 --host "$copy" --tables "$tables/dump.txt" explain
says "the ACPI table CEDT is that of $tables/dump.txt" "the ACPI table SRAT is that of" "the ACPI table HMAT is that of" \
	"its interleave arithmetic is that of the CEDT in"
run 0 --host "$copy" --tables "$tables/cedt.dat" --tables "$tables/srat.dat" --tables "$tables/PRMT" explain
says "the ACPI table PRMT is that of $tables/PRMT" "the ACPI table SRAT is that of $tables/srat.dat"
run 0 --host "$copy" --tables "$tables/dump.txt" list
run 0 --host "$copy" --tables "$tables/dump.txt" graph

# Inside of the captured host, at the two places.
for file in acpidump.txt cedt.dat sys/firmware/acpi/tables/acpidump.txt sys/firmware/acpi/tables/cedt.dat; do
	case $file in
	*.txt) cp "$tables/dump.txt" "$copy/$file" ;;
	*) cp "$tables/cedt.dat" "$copy/$file" ;;
	esac
	run 0 --host "$copy" translate mem2 0x1000
	says "by the CEDT in $file)"
	# An archive with it is read likewise.
	tar --zstd -cf "$scratch/with.tar.zst" -C "$copy" .
	run 0 --host "$scratch/with.tar.zst" translate mem2 0x1000
	says "by the CEDT in $file)"
	rm "$scratch/with.tar.zst"
	echo "damage" >>"$copy/$file"
	run 2 --host "$copy" list
	refused "$file: "
	rm "$copy/$file"
done

# Damage, contradictions, and files that are not tables.
line=$(grep -n "^CEDT" "$tables/dump.txt" | cut -d : -f 1)
sed "$((line + 3))d" "$tables/dump.txt" >"$scratch/damaged.txt"
run 2 --host "$copy" --tables "$scratch/damaged.txt" list
refused "damaged.txt: line $((line + 3)): offset 0x30 instead of 0x20"
run 2 --host "$copy" --tables "$tables/dsdt.dat" list
refused "dsdt.dat" "CEDT, PRMT, SRAT and HMAT"
run 2 --host "$copy" --tables "$scratch/no-such-file" list
refused "no-such-file: cannot be read"
run 2 --host "$hosts/switch-7.3.tar.zst" --tables "$tables/dump.txt" list
refused "dump.txt: its ACPI table CEDT differs from the one that this host itself shows"
# The same addresses, but two ways: windows of another machine, whose arithmetic says nothing about this one.
other=$scratch/other
mkdir "$other"
tar -C "$other" --zstd -xf "$hosts/switch-7.3.tar.zst"
rm -r "$other/sys/firmware/acpi/tables"
run 0 --host "$other" --tables "$tables/cedt.dat" explain
says "the CEDT in $tables/cedt.dat is that of another machine" "interleave arithmetic: modulo"
says_not "the ACPI table CEDT has" "its interleave arithmetic is that of the CEDT"
run 0 --host "$hosts/plain-7.3.tar.zst" --tables "$tables/cedt.dat" translate mem2 0x1000
says_not "cedt.dat"
run 2 capture --tables "$tables/cedt.dat" "$scratch/out.tar.zst"
refused "capture does not support --tables"
finish
