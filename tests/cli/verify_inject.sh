#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# verify --inject on captured hosts with a model of the devices: right and wrong handlers, the report, and
# what is refused.
. "${0%/*}/functions"
need_python

archive=$hosts/normalized-7.3.tar.zst
# model MASKS: the rules of both devices of region1, as the emulated handler has them without masks.
model() {
	for position in 0 1; do
		printf '%s{"serial": "0xabc%s", "base": "0x210000000", "ways": 2, "granularity": 256, "position": %s%s}' \
			"$([ $position = 0 ] && echo '[' || echo ',')" $position $position "$1"
	done
	echo ']'
}
model "" >"$scratch/plain.json"
model ', "position_masks": ["0xfffffffffffffffe"]' >"$scratch/permuted.json"

# A handler that is right.
run 0 --host "$archive" verify --inject region1 --model "$scratch/plain.json" --seed 0x5eed
silent
says "652 of 652 right, 0 wrong, 0 failed" "result: all as expected"
says "captured host" "Linux 7.3.4" "seed 0x5eed"
says "memory and devices: a model by the rules in $scratch/plain.json, not those of the machine"
says "by recorded answers of a captured host's PRM handler" "by an emulated PRM handler"
says "round trip only: not made"
cp "$scratch/out" "$scratch/first"
# The same seed tries the same; only the time of the first line differs.
run 0 --host "$archive" verify --inject region1 --model "$scratch/plain.json" --seed 0x5eed
sed 1d "$scratch/out" >"$scratch/second"
sed 1d "$scratch/first" | cmp -s - "$scratch/second" || fail "the same seed gives another report"

run 0 --host "$archive" --json verify --inject region1 --model "$scratch/plain.json" --samples 10
json "a['as_expected'] and not a['interrupted'] and a['refused'] is None"
json "a['memory'] == a['devices'] == 'model' and a['dax'] is None and a['host']['captured']"
json "a['translations']['samples'] == a['translations']['exact'] == a['markers']['tried'] == a['markers']['right']"
json "sorted(s['source'] for s in a['translations']['sources']) == ['emulated', 'recorded']"
json "a['markers']['failures'] == a['markers']['bits'] == [] and a['round_trip_only']['trips'] == []"
json "[d['serial'] for d in a['region']['devices']] == ['0xabc0', '0xabc1']"

# A device that exchanges positions where the handler does not: each wrong line is named, with its bit.
run 1 --host "$archive" --json verify --inject region1 --model "$scratch/permuted.json" --samples 100
json "not a['as_expected'] and a['markers']['failed'] == a['markers']['disturbed'] == 0"
json "a['markers']['wrong'] > 100 and a['markers']['right'] > 100"
json "a['markers']['bits'] == [{'first_differing_bit': 8, 'lines': a['markers']['wrong']}]"
json "len(a['markers']['failures']) == 32"
json "all(f['result'] == 'elsewhere' and f['difference'] == '0x100' for f in a['markers']['failures'])"
json "all(int(f['spa'], 16) ^ int(f['found'], 16) == 0x100 for f in a['markers']['failures'])"
# The model says which those are: where the block's number without its lowest bit has an odd parity.
json "all(bin((int(f['dpa'], 16) >> 8) & ~1).count('1') % 2 for f in a['markers']['failures'])"
run 1 --host "$archive" verify --inject region1 --model "$scratch/permuted.json"
says "first address bit that differs: bit 8 in" "result: not as expected" "instead; the first address bit"

# A handler that exchanges the devices of a region; and one that answers some addresses only.
unpack normalized-7.3
sed -i 's/"position": 0/"position": 9/; s/"position": 1/"position": 0/; s/"position": 9/"position": 1/' \
	"$copy/prm/rule.json"
mv "$copy/prm/pairs.txt" "$scratch/pairs.txt"
run 1 --host "$copy" --json verify --inject region1 --model "$scratch/plain.json" --samples 10
json "a['markers']['right'] == 0 and a['markers']['bits'][0]['first_differing_bit'] == 8"
rm "$copy/prm/rule.json"
mv "$scratch/pairs.txt" "$copy/prm/pairs.txt"
run 1 --host "$copy" --json verify --inject region1 --model "$scratch/plain.json" --samples 10
json "0 < a['translations']['exact'] == a['markers']['right'] < a['translations']['samples']"
json "a['translations']['first_unanswered']['reason'] and not a['as_expected']"
json "[s['source'] for s in a['translations']['sources']] == ['recorded']"
rm "$copy/prm/pairs.txt"
run 1 --host "$copy" verify --inject region1 --model "$scratch/plain.json" --samples 10
says "translations: 0 of" "has none:" "0 of 0 right" "result: not as expected"

# The arithmetic of decoders, against rules of another writer.
position=0
for serial in 0xabc0 0xabc2 0xabc1 0xabc3; do
	printf '%s{"serial": "%s", "base": "0x110000000", "ways": 4, "granularity": 256, "position": %s}' \
		"$([ $position = 0 ] && echo '[' || echo ',')" $serial $position
	position=$((position + 1))
done >"$scratch/decoder.json"
echo ']' >>"$scratch/decoder.json"
run 0 --host "$hosts/plain-7.3.tar.zst" verify --inject region0 --model "$scratch/decoder.json"
says "by arithmetic over the decoders" "result: all as expected"

# Refused, with nothing on standard output.
run 2 --host "$archive" verify --inject region1
refused "a captured host has no memory to write to" "--model"
run 2 --host "$archive" verify --inject region1 --force
refused "a captured host has no memory to write to"
run 2 --host "$archive" verify --inject region9 --model "$scratch/plain.json"
refused "region9: no such region"
run 2 --host "$archive" verify --inject region2 --model "$scratch/plain.json"
refused "--model: $scratch/plain.json: no rule has the \"bdf\" or \"serial\" of mem3"
run 2 --host "$archive" verify --inject region1 --model "$scratch/none.json"
refused "--model: $scratch/none.json: No such file"
echo '[{"serial": "0xabc0"}]' >"$scratch/bad.json"
run 2 --host "$archive" verify --inject region1 --model "$scratch/bad.json"
refused "rule 1: \"base\" is not an address"
for seed in 1 0x 0xz -1; do
	run 2 --host "$archive" verify --inject region1 --model "$scratch/plain.json" --seed "$seed"
	refused "--seed requires a number like 0x5eed"
done
run 2 verify --force
refused "--force is an option of --inject"
run 2 verify --model "$scratch/plain.json"
refused "--model is an option of --inject"
run 2 verify --seed 0x1
refused "--seed is an option of --inject"
run 2 verify --inject ""
refused "--inject is empty"
finish
