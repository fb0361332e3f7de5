#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The network interfaces of the Manager: those with an address that is listened on, as `ip` configures them, also after a reload.
own_network=yes
. "${0%/*}/functions"
needs_python

all=/redfish/v1/Managers/Service/EthernetInterfaces
ip link add dev br0 address 02:00:00:00:00:01 mtu 1400 type bridge 2>"$scratch/said" &&
	ip link add dev br1 address 02:00:00:00:00:02 type bridge 2>>"$scratch/said" ||
	skip "no bridge can be made here: $(cat "$scratch/said")"
ip address add 192.0.2.1/24 dev br0
ip address add 198.51.100.7/25 dev br0 label br0:two
ip address add 203.0.113.1/24 dev br1
if [ -e /proc/net/if_inet6 ]; then
	ip -6 address add 2001:db8::1/64 dev br0 nodad
	v6=yes
fi
ip link set br0 up
ip link set br1 up
ip route add default via 192.0.2.254 dev br0

# shown NAME...: these are the members of the collection, in this order.
shown() {
	members=
	for name; do
		members=$members'{"@odata.id":"'$all/$name'"},'
	done
	members='"Members":['${members%,}']'
}

# wait_shown NAME...: the same, once it is so.
wait_shown() {
	shown "$@"
	for _ in $tries; do
		request_as_is any GET "$all"
		case $body in
		*"$members"*) return ;;
		esac
		kill -0 "$pid" || break
		sleep 0.1
	done
	fail "instead of '$*' is shown: $body"
}

conf=$scratch/conf
write() { # LISTENER...
	echo "listen = unix:$socket" >"$conf"
	for listener; do
		echo "listen = $listener" >>"$conf"
	done
}

# The loopback interface is no Ethernet; its listener alone shows none.
write http://127.0.0.1:0
start idle-7.3 --config "$conf" --password-file "$scratch/password"
wait_shown
write http://127.0.0.1:0 https://192.0.2.1:0
kill -HUP "$pid"
wait_shown br0
request_as_is 404 GET "$all/br1"
request_as_is 200 GET "$all/br0"
printf '%s' "$body" >"$scratch/br0"
python3 -B - "$scratch/br0" "${v6:-}" <<'END' || fail "br0: $(cat "$scratch/br0")"
import json
import sys

body = json.load(open(sys.argv[1]))
wanted = {"Id": "br0", "Name": "br0", "InterfaceEnabled": True, "MACAddress": "02:00:00:00:00:01", "MTUSize": 1400}
wrong = ["%s is %s" % (k, body.get(k)) for k, v in wanted.items() if body.get(k) != v]
ipv4 = [(a["Address"], a["SubnetMask"], a["Gateway"], a["AddressOrigin"]) for a in body["IPv4Addresses"]]
if ipv4 != [("192.0.2.1", "255.255.255.0", "192.0.2.254", None), ("198.51.100.7", "255.255.255.128", None, None)]:
    wrong.append(ipv4)
ipv6 = {a["Address"]: (a["PrefixLength"], a["AddressOrigin"]) for a in body["IPv6Addresses"]}
if sys.argv[2] and ipv6.get("2001:db8::1") != (64, None):
    wrong.append(ipv6)
# A bridge without ports has a link or none, by the kernel's version.
if (body["LinkStatus"], body["Status"]) not in (("LinkUp", {"State": "Enabled", "Health": "OK"}),
                                                ("NoLink", {"State": "Enabled"})):
    wrong.append((body["LinkStatus"], body["Status"]))
print("\n".join(map(str, wrong)))
sys.exit(bool(wrong))
END
request_as_is 405 PATCH "$all/br0" -H 'Content-Type: application/json' --data '{"MTUSize": 1500}'

# All addresses of a family.
write https://0.0.0.0:0
kill -HUP "$pid"
wait_shown br0 br1
if [ -n "${v6:-}" ]; then
	write 'https://[2001:db8::1]:0'
	kill -HUP "$pid"
	wait_shown br0
fi

# It is taken down, by which it keeps its addresses of IPv4.
write https://192.0.2.1:0
ip link set br0 down
kill -HUP "$pid"
for _ in $tries; do
	request_as_is any GET "$all/br0"
	case $body in
	*'"LinkStatus":"LinkDown"'*) break ;;
	esac
	sleep 0.1
done
case $body in
*'"InterfaceEnabled":false,"LinkStatus":"LinkDown"'*'"Status":{"State":"Disabled"}'*) ;;
*) fail "br0 is down: $body" ;;
esac
stop
finish
