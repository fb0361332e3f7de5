#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# list, explain and graph: switches by their mailboxes, from the recorded answers of a model.
. "${0%/*}/functions"
need_python
[ -x ./record_switch ] || skip "no ./record_switch: Check is not installed"

unpack switch-7.3
./record_switch "$copy" 0000:0d:00.1 >/dev/null || exit 99

# ---- list ----
run 0 --host "$copy" list
silent
says "switch switch-00000000000004d2  port2  mailbox 0000:0d:00.1  1e98:a123  serial 0x5a17  recorded, model"
says "switch-00000000000004d2/U1  port 0  upstream  0000:0d:00.0  32 GT/s x16"
says "switch-00000000000004d2/D0  port 1  downstream  0000:0e:00.0  32 GT/s x8, up to 32 GT/s x16"
says "SLD  serial 0xabc0  mem0"
says "MLD  serial 0x5555  80 GiB in 4 LDs  16 GiB free  backpressure 7 %"
says "switch-00000000000004d2/P3/ld0  16 GiB  bandwidth 128/256  limit 255/256  switch-00000000000004d2/vcs1/vppb1"
says "switch-00000000000004d2/P3/ld2  16 GiB  bandwidth 64/256  limit 255/256  unbound"
says "switch-00000000000004d2/P4  port 4  downstream  no device"
says "switch-00000000000004d2/P6  port 6  downstream  link down"
says "switch-00000000000004d2/vcs0  enabled  at switch-00000000000004d2/U1  of this host"
says "switch-00000000000004d2/vcs0/vppb1  switch-00000000000004d2/D0  0000:0e:00.0"
says "switch-00000000000004d2/vcs1/vppb2  switch-00000000000004d2/P3/ld1"
says "switch-00000000000004d2/vcs1/vppb3  unbound"
[ -z "$(sed -n '/^switch /,$p' "$scratch/out" | grep -E '^.{121}')" ] || fail "$what: a line is too long"

# Every name in the list is an object of list and of explain.
for name in 0000:0d:00.1 $(grep -o 'switch-00000000000004d2[^ ]*' "$scratch/out" | sort -u); do
	run 0 --host "$copy" list "$name"
	says "$(basename "$name" 0000:0d:00.1)"
	run 0 --host "$copy" explain "$name"
	run 0 --host "$copy" --json list "$name"
	json "isinstance(a, dict) and a['name']"
done
run 2 --host "$copy" list switch-00000000000004d2/P9
refused "no such object"

run 0 --host "$copy" --json list
json "[s['name'] for s in a['switches']] == ['switch-00000000000004d2']"
json "(a['switches'][0]['mailbox'], a['switches'][0]['port'], a['switches'][0]['origin']) == ('0000:0d:00.1', 'port2', 'model')"
json "[p['id'] for p in a['switches'][0]['ports']] == [0, 1, 2, 3, 4, 5, 6]"
json "[p['link'] for p in a['switches'][0]['ports']] == ['up', 'up', 'up', 'up', 'empty', 'up', 'down']"
json "[p['width'] for p in a['switches'][0]['ports']] == [16, 8, 8, 8, None, 16, None]"
json "a['switches'][0]['ports'][1]['device']['memdev'] == 'mem0'"
json "[(l['size'], l['bandwidth_256ths'], l['vppb']) for l in a['switches'][0]['ports'][3]['device']['lds']][:2] == [(16 << 30, 128, 'switch-00000000000004d2/vcs1/vppb1'), (16 << 30, 64, 'switch-00000000000004d2/vcs1/vppb2')]"
json "[p['device']['free'] for p in a['switches'][0]['ports'] if p['device_type'] == 'MLD'] == [16 << 30]"
json "a['switches'][0]['ports'][1]['device']['free'] is None"
json "[v['of_this_host'] for v in a['switches'][0]['virtual_switches']] == [True, False]"
json "a['switches'][0]['virtual_switches'][1]['vppbs'][3] == {'name': 'switch-00000000000004d2/vcs1/vppb3', 'binding': 'unbound', 'port': None, 'ld': None, 'bdf': None}"

# ---- explain ----
run 0 --host "$copy" explain switch-00000000000004d2
says "its answers are recorded ones, of this origin: model"
says "it is port2 of this host"
says "problem: its link is 32 GT/s x8, but both ends support 32 GT/s x16"
says "problem: 16 GiB of the 80 GiB of its device is allocated to no LD"
says "problem: no vPPB is bound to it, so no host can use its memory"
says "problem: its link is down: the LTSSM is in Polling"
run 1 --host "$copy" --check explain switch-00000000000004d2/P3/ld2
says "1 problem: switch-00000000000004d2/P3/ld2"
run 0 --host "$copy" --check explain switch-00000000000004d2/P3/ld0
says "bound to switch-00000000000004d2/vcs1/vppb1"
run 0 --host "$copy" explain switch-00000000000004d2/vcs0
says "vPPB, bound to a port: switch-00000000000004d2/D1; this host sees it as 0000:0e:01.0"
run 1 --host "$copy" --check --json explain
json "{'LD_UNBOUND', 'MLD_UNALLOCATED', 'SWITCH_PORT_LINK_DOWN', 'SWITCH_PORT_LINK_SLOW'} <= {f['code'] for f in a['findings']}"

# ---- graph ----
run 0 --host "$copy" graph
says '"port2" -> "switch-00000000000004d2" [style=dotted, label="0000:0d:00.1"];'
says '"switch-00000000000004d2/D0" -> "mem0" [style=solid];'
says '"dev-0000000000005555" -> "switch-00000000000004d2/P3/ld0" [style=solid];'
says '"switch-00000000000004d2/vcs1/vppb1" -> "switch-00000000000004d2/P3/ld0" [style=dashed];'
says 'label="switch-00000000000004d2/vcs1\nenabled\n1 vPPB unbound"'

# ---- what is not known ----
# A switch that the host does not see otherwise.
mv "$copy/mbox/switch-0000:0d:00.1" "$copy/mbox/switch-0000:44:00.0"
run 0 --host "$copy" list
says "switch switch-0000000000005a17  mailbox 0000:44:00.0"
says "switch-0000000000005a17/P1  port 1  downstream  32 GT/s x8"
run 0 --host "$copy" explain switch-0000000000005a17
says "which CXL port of this host it is, if any, is not known"

# Without virtual switches nothing is unbound.
rm -r "$copy/mbox/switch-0000:44:00.0/"5200*
run 0 --host "$copy" explain 0000:44:00.0
says_not "no vPPB is bound"
run 0 --host "$copy" list
says_not "unbound"

# A mailbox without any answer.
find "$copy/mbox/switch-0000:44:00.0" -name '*.bin' -delete
run 0 --host "$copy" explain 0000:44:00.0
says "problem: the switch's mailbox cannot be used"

# ---- the option ----
run 2 --host "$copy" --switch-mailbox auto list
refused "--switch-mailbox is for this machine"
run 2 --switch-mailbox 0d:00 list
refused "neither 'auto' nor the address of a PCI function"
run 2 --switch-mailbox auto translate mem0 0
refused "translate does not support --switch-mailbox"

# ---- a captured machine ----
machine=$hosts/switch-mailbox-7.3.tar.zst
run 0 --host "$machine" list
silent
says "mailbox 0000:0d:00.1  19e5:a128  serial 0x5a17  recorded, emulated"
says "port 0  upstream  0000:0d:00.0  32 GT/s x8"
says "port 2  downstream  0000:0e:01.0  16 GT/s x4, up to 64 GT/s x16"
says "port 3  downstream  no device"
says_not "unbound"
run 0 --host "$machine" --json list
json "[p['device'] and p['device']['serial'] for p in a['switches'][0]['ports']] == [None, '0xabc1', '0xabc2', None, None]"
json "all(p['device']['memdev'] for p in a['switches'][0]['ports'][1:3])"

unpack switch-7.3
run 0 --host "$copy" list
says_not "switch-00000000000004d2"
run 0 --host "$copy" --json list
json "a['switches'] == []"
finish
