#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# capture --mask: the archive says nothing of the machine, and translates as before.
. "${0%/*}/functions"
need_python
helper=$srcdir/tests/cli/mask.py

# same WHAT HOST: masks it, and compares the translations; the archive is in $masked.
same() {
	masked=$scratch/$1.masked.tar.zst
	run 0 capture --host "$2" --mask "$masked"
	silent
	python3 "$helper" same "$spa" "$2" "$masked" || fail "$1: the masked host differs"
}

# unmask: unpacks $masked to $tree.
unmask() {
	command -v zstd >/dev/null || skip "zstd is missing, which unpacks captured hosts here (Debian package: zstd)"
	tree=$scratch/unmasked
	[ ! -e "$tree" ] || chmod -R u+rwX "$tree"
	rm -rf "$tree"
	mkdir "$tree"
	tar --zstd -xf "$masked" -C "$tree" || exit 99
	chmod -R u+rwX "$tree"
}

# Every bundled host. Their small serial numbers are replaced where the format says so.
for host in "$hosts"/*.tar.zst; do
	same "$(basename "$host" .tar.zst)" "$host"
	says "files"
done

# A machine with an identity in every place.
unpack normalized-7.3
serial=5ec4e7a1b2c3d4e5
other=0c1dd2e3f4a5b6c7
put() {
	mkdir -p "$copy/$(dirname "$1")"
	cat >"$copy/$1"
}
mem() {
	find "$copy/sys/devices" -type d -name "$1" | head -n 1
}
echo 0x$serial >"$(mem mem0)/serial"
echo 0x$other >"$(mem mem1)/serial"
echo "DSN 5e-c4-e7-a1-b2-c3-d4-e5, 0X5EC4E7A1B2C3D4E5" >"$(mem mem0)/other"
echo secret-host.example.com | put proc/sys/kernel/hostname
echo 11111111-2222-3333-4444-0123456789ab | put proc/sys/kernel/random/boot_id
echo "Linux version 7.3.4 (builder@secret-builder) (gcc) #1 SMP" | put proc/version
echo "BOOT_IMAGE=/secret-image root=UUID=secret-root ip=10.9.8.7 memhp_default_state=offline" | put proc/cmdline
dmi=sys/devices/virtual/dmi/id
echo 0A1B2C3D-2222-3333-4444-0123456789ab | put $dmi/product_uuid
echo SecretId | put sys/devices/virtual/dmi/id/product_uuid.old
echo SecretProduct | put $dmi/product_name
echo SecretSerial | put $dmi/product_serial
echo SecretVendor | put $dmi/sys_vendor
echo SecretBios | put $dmi/bios_vendor
echo SecretAsset | put $dmi/chassis_asset_tag
region=$(find "$copy/sys/devices" -type d -name region1 | head -n 1)
echo 99999999-8888-4777-8666-abcdefabcdef >"$region/uuid"
nmem=sys/devices/platform/ACPI0017:00/root0/nvdimm-bridge0/ndbus0/nmem0
printf '%d\n' 0x$serial | put $nmem/cxl/id
echo secret-nfit-serial | put $nmem/nfit/serial
echo secret-name | put $nmem/alt_name
echo secret | put events/trace.txt
echo secret | put secret.txt
# Bytes in both orders, in payloads of the mailbox and in the configuration space.
python3 - "$copy" $serial "$(mem mem0)/../config" <<-'PYTHON'
	import os, sys, uuid
	top, serial = sys.argv[1], bytes.fromhex(sys.argv[2])
	os.makedirs(top + "/mbox/mem0", exist_ok=True)
	with open(top + "/mbox/mem0/identify.bin", "wb") as f:
	    f.write((b"\0" * 5 + serial + serial[::-1] + uuid.UUID("99999999-8888-4777-8666-abcdefabcdef").bytes).ljust(67, b"\0"))
	config = bytearray(4096)
	config[0x100:0x104] = (0x0001 | 1 << 16 | 0x140 << 20).to_bytes(4, "little")
	config[0x140:0x144] = (0x0003 | 1 << 16).to_bytes(4, "little")
	config[0x144:0x14c] = serial[::-1]
	with open(sys.argv[3], "wb") as f:
	    f.write(config)
PYTHON
sed -i "s/^# mem0 serial .*/# mem0 serial 0x$serial at 0000:e0:00.0/" "$copy/prm/pairs.txt"
same identities "$copy"
unmask
python3 "$helper" clean "$spa" "$copy" "$tree" serial:$serial serial:$other secret SecretId SecretProduct SecretSerial BXPC \
	11111111-2222-3333-4444-0123456789ab 0a1b2c3d-2222-3333-4444-0123456789ab \
	99999999-8888-4777-8666-abcdefabcdef memhp_secret 10.9.8.7 chassis BOCHS || fail "an identity is left"
# The same replacement in each place, and what is needed stays.
new=$(cat "$(find "$tree/sys/devices" -path '*/mem0/serial')")
grep -q "serial $new at" "$tree/prm/pairs.txt" || fail "pairs.txt has another serial number"
[ "$(cat "$tree/$nmem/cxl/id")" = "$(printf '%d' "$new")" ] || fail "cxl/id has another serial number"
python3 - "$tree" "$new" <<-'PYTHON' || fail "a replacement differs in a file of bytes"
	import glob, sys, uuid
	top, new = sys.argv[1], int(sys.argv[2], 16).to_bytes(8, "big")
	payload = open(top + "/mbox/mem0/identify.bin", "rb").read()
	config = [f for f in glob.glob(top + "/sys/devices/*/*/*/config") if "e0:00.0" in f][0]
	region = open(glob.glob(top + "/sys/devices/platform/*/root0/*/region1/uuid")[0]).read().strip()
	assert payload[5:21] == new + new[::-1] and len(payload) == 67, payload
	assert payload[21:37] == uuid.UUID(region).bytes
	assert open(config, "rb").read()[0x144:0x14c] == new[::-1]
PYTHON
[ "$(cat "$tree/proc/version")" = "Linux version 7.3.4" ] || fail "proc/version"
[ "$(cat "$tree/proc/cmdline")" = "memhp_default_state=offline" ] || fail "proc/cmdline"
[ "$(cat "$tree/proc/sys/kernel/hostname")" = masked ] || fail "hostname"
run 0 --host "$masked" explain
says_not "damaged"

# Serial numbers that are zero, or used twice, stay so; small ones that could be sizes do not change sizes.
unpack zen5-doc
echo 0x0 >"$(mem mem0)/serial"
echo 0x2000000000 >"$(mem mem1)/serial"
echo 0x2000000000 >"$(mem mem2)/serial"
echo 0x100 >"$(mem mem3)/serial"
sed -i 's/"serial": *"0x[0-9a-f]*"/"serial": "0x100"/' "$copy/prm/rule.json"
same duplicates "$copy"

# A table that was added as a dump is masked, and stays.
unpack plain-7.3
mv "$copy/sys/firmware/acpi/tables/CEDT" "$copy/cedt.dat"
same dumped "$copy"
unmask
cmp -s "$tree/sys/firmware/acpi/tables/CEDT" "$copy/cedt.dat" && fail "the dumped table is not masked"
[ ! -e "$tree/cedt.dat" ] || fail "the dump is still there"

# Only to mask it is a captured host captured again; this machine can be masked at once.
run 2 --host "$hosts/plain-7.3.tar.zst" capture "$scratch/again.tar.zst"
refused "--host" "--mask"
[ ! -e "$scratch/again.tar.zst" ] || fail "$what: something was written"
run 0 capture --mask "$scratch/this.tar.zst"
masked=$scratch/this.tar.zst
unmask
[ ! -e "$tree/proc/sys/kernel/hostname" ] || [ "$(cat "$tree/proc/sys/kernel/hostname")" = masked ] ||
	fail "the name of this machine is not masked"
python3 - "$tree" "$(uname -n)" <<-'PYTHON' || fail "this machine's name is in the archive"
	import os, re, sys
	name = re.compile(rb"(?<![\w-])" + re.escape(sys.argv[2].encode()) + rb"(?![\w-])")
	for directory, _, files in os.walk(sys.argv[1]):
	    for f in files:
	        path = os.path.join(directory, f)
	        assert os.path.islink(path) or not name.search(open(path, "rb").read()), path
PYTHON
run 2 list --mask
refused "list does not support --mask"
finish
