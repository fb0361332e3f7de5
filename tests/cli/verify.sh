#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# verify, on captured handlers; and what it refuses.
. "${0%/*}/functions"
need_python

run 0 --host "$hosts/normalized-7.3.tar.zst" verify --samples 50
silent
says "50 of 50 samples agree with 2-way interleaving at 256 B"
run 0 --host "$hosts/normalized-7.3.tar.zst" --json verify --samples=50
json "len(a) == 4"
json "all(d['sampled'] == d['answered'] == d['agree'] == d['in_block'] == 50 for d in a)"
json "all(d['ways'] == 2 and d['granularity'] == 256 and d['geometry'] == 'region' for d in a)"
json "all(d['first_disagreement'] is None and d['reason'] is None for d in a)"
json "sorted(d['position'] for d in a) == [0, 0, 1, 1]"
json "all(d['repeated'] == d['changed'] == 0 and d['first_change'] is None for d in a)"
# The default number.
run 0 --host "$hosts/normalized-7.3.tar.zst" verify
says "1000 of 1000 samples agree"

# A handler that has the two devices of a region in the other order.
unpack normalized-7.3
sed -i 's/"position": 0/"position": 9/; s/"position": 1/"position": 0/; s/"position": 9/"position": 1/' \
	"$copy/prm/rule.json"
rm "$copy/prm/pairs.txt"
run 1 --host "$copy" --json verify --samples 20
json "all(d['answered'] == d['in_block'] == 20 and d['agree'] == 0 for d in a)"
json "all(int(d['first_disagreement']['spa'], 16) ^ int(d['first_disagreement']['expected'], 16) == 0x100 for d in a)"
run 1 --host "$copy" verify --samples 20
says "0 of 20 samples agree" "first disagreement: DPA 0x0 is at SPA" "only firmware knows the order"

# No handler to query, and no decoder to query it about.
rm "$copy/prm/rule.json"
run 1 --host "$copy" --json verify --samples 20
json "len(a) == 4 and all(d['agree'] == 0 and d['reason'] for d in a)"
run 1 --host "$hosts/normalized-6.12.tar.zst" verify --samples 20
says "no address was sampled" "the kernel created no region"
run 0 --host "$hosts/plain-7.3.tar.zst" verify --samples 20
says "no decoder uses Normalized addressing"
run 0 --host "$hosts/plain-7.3.tar.zst" --json verify --samples 20
json "a == []"

for number in 0 -1 0x10 100001 1x; do
	run 2 verify --samples "$number"
	refused "--samples requires a number from 1 to 100000"
done
run 2 verify --samples
refused "--samples requires an argument"
run 2 verify --samples ""
refused "the argument N of --samples is empty"
run 2 verify --samples 1 0x0
refused "unexpected operand '0x0'"
run 2 list --samples 1
refused "list does not support --samples"
run 2 translate --verify 1
refused "--verify"
finish
