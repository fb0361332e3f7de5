#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# TLS as clients see it: versions, certificates of both sides, and what plain HTTP still does.
. "${0%/*}/functions"
command -v openssl >/dev/null || skip "openssl is missing (Debian package: openssl)"
needs_python
state=$scratch/state

# ask STATUS URL [CURL ARGUMENT...]: $body and $head hold the answer, as with request().
ask() {
	wanted=$1 what=$2
	shift
	: >"$scratch/body"
	status=$(curl -s --max-time 180 -o "$scratch/body" -D "$scratch/head" -w '%{http_code}' "$@") || :
	body=$(cat "$scratch/body")
	head=$(tr -d '\r' <"$scratch/head")
	[ "$status" = "$wanted" ] || fail "$*: status $status instead of $wanted"
}

# made NAME DAYS ISSUER EXTENSION...: a key and a certificate that is valid from yesterday on.
made() {
	name=$1 days=$2 issuer=$3
	shift 3
	openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" \
		-keyout "$scratch/$name.key" -out "$scratch/$name.csr" 2>/dev/null
	printf '%s\n' "$@" >"$scratch/extensions"
	mkdir -p "$scratch/ca-$name"
	: >"$scratch/ca-$name/index.txt"
	printf '[ca]\ndefault_ca=x\n[x]\ndatabase=%s/index.txt\nnew_certs_dir=%s\nrand_serial=yes\n' \
		"$scratch/ca-$name" "$scratch/ca-$name" >"$scratch/ca.conf"
	printf 'default_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n' >>"$scratch/ca.conf"
	if [ "$issuer" = "$name" ]; then
		set -- -selfsign -keyfile "$scratch/$name.key"
	else
		set -- -cert "$scratch/$issuer.pem" -keyfile "$scratch/$issuer.key"
	fi
	openssl ca -batch -notext -config "$scratch/ca.conf" "$@" -in "$scratch/$name.csr" \
		-out "$scratch/$name.pem" -extfile "$scratch/extensions" \
		-startdate "$(date -u -d '-2 days' +%Y%m%d%H%M%SZ)" \
		-enddate "$(date -u -d "$days days" +%Y%m%d%H%M%SZ)" 2>"$scratch/said" ||
		fail "$(cat "$scratch/said")"
}

# The certificate that the service made is valid for its addresses, and stays over a restart.
start plain-7.3 --listen https://127.0.0.1:0 --password-file "$scratch/password" --state "$state"
own=$state/tls-certificate.pem
[ "$(stat -c %a "$state/tls-key.pem")" = 600 ] || fail "the mode of the key"
grep -q "^cxl-redfishd: $tls: open to accounts" "$scratch/err" || fail "the log does not say what is open"
fingerprint=$(openssl x509 -in "$own" -noout -fingerprint -sha256 | sed 's/.*=//')
grep -q "SHA-256 $fingerprint" "$scratch/err" || fail "the fingerprint is not in the log"
ask 200 "$tls/redfish/v1/Systems" --cacert "$own" -u admin:secret
ask 200 "https://localhost:${tls##*:}/redfish/v1/Systems" --cacert "$own" -u admin:secret
ask 401 "$tls/redfish/v1/Systems" --cacert "$own"
ask 401 "$tls/redfish/v1/Systems" --cacert "$own" -u admin:wrong
ask 000 "$tls/redfish/v1/Systems" -u admin:secret

# Versions. OpenSSL's own limit is lowered, so that the server refuses.
for version in tls1 tls1_1; do
	! openssl s_client "-$version" -cipher DEFAULT@SECLEVEL=0 -connect "${tls#https://}" \
		</dev/null 2>&1 | grep -q "BEGIN CERTIFICATE" || fail "$version is spoken"
done
for version in tls1_2 tls1_3; do
	openssl s_client "-$version" -CAfile "$own" -connect "${tls#https://}" </dev/null 2>&1 |
		grep -q "Verify return code: 0 (ok)" || fail "$version is not spoken"
done
mkfifo "$scratch/to"
timeout 180 openssl s_client -tls1_2 -connect "${tls#https://}" <"$scratch/to" >"$scratch/said" 2>&1 &
client=$!
exec 3>"$scratch/to"
until_said() {
	for _ in $tries; do
		! grep -q "$1" "$scratch/said" || break
		sleep 0.1
	done
}
until_said "Verify return code"
echo R >&3
until_said RENEGOTIATING
(printf 'GET /redfish HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' >&3) 2>/dev/null || : # the program may have ended
exec 3>&-
wait "$client"
grep -q RENEGOTIATING "$scratch/said" || fail "the client did not renegotiate: $(cat "$scratch/said")"
! grep -q "HTTP/1.1 200" "$scratch/said" || fail "a renegotiation was accepted"

# Plain text at the TLS port ends there.
ask 000 "http://127.0.0.1:${tls##*:}/redfish"
ask 200 "$tls/redfish" --cacert "$own"
python3 "$srcdir/tests/http/tls_memory.py" "$tls" "$pid" || fail "64 connections"
stop
start plain-7.3 --listen https://127.0.0.1:0 --password-file "$scratch/password" --state "$state"
grep -q "SHA-256 $fingerprint" "$scratch/err" || fail "another certificate after a restart"
stop

# Files of the administrator.
made authority 100 authority basicConstraints=critical,CA:true keyUsage=keyCertSign,cRLSign
made foreign 100 foreign basicConstraints=critical,CA:true keyUsage=keyCertSign,cRLSign
made server 100 authority extendedKeyUsage=serverAuth subjectAltName=IP:127.0.0.1
made late -1 authority extendedKeyUsage=serverAuth subjectAltName=IP:127.0.0.1
made client 100 authority extendedKeyUsage=clientAuth
made expired -1 authority extendedKeyUsage=clientAuth
made stranger 100 foreign extendedKeyUsage=clientAuth

refused_start 2 --tls-key -- --listen https://127.0.0.1:0 --password-file "$scratch/password" \
	--tls-certificate "$scratch/server.pem"
refused_start 1 "$scratch/server.pem" "$scratch/client.key" -- --listen https://127.0.0.1:0 \
	--password-file "$scratch/password" \
	--tls-certificate "$scratch/server.pem" --tls-key "$scratch/client.key"
refused_start 1 "$scratch/none" -- --listen https://127.0.0.1:0 \
	--password-file "$scratch/password" \
	--tls-certificate "$scratch/server.pem" --tls-key "$scratch/none"
refused_start 1 "TLS servers" -- --listen https://127.0.0.1:0 --password-file "$scratch/password" \
	--tls-certificate "$scratch/client.pem" --tls-key "$scratch/client.key"
refused_start 1 "$scratch/password" -- --listen https://127.0.0.1:0 \
	--password-file "$scratch/password" --client-ca "$scratch/password"

chmod 644 "$scratch/late.key"
start plain-7.3 --listen https://127.0.0.1:0 --password-file "$scratch/password" \
	--tls-certificate "$scratch/late.pem" --tls-key "$scratch/late.key"
grep -q "TLS certificate of CN=late has expired" "$scratch/err" || fail "no warning"
grep -q "TLS key file $scratch/late.key can be read by all users" "$scratch/err" || fail "the key's mode"
ask 000 "$tls/redfish" --cacert "$scratch/authority.pem"
ask 200 "$tls/redfish" -k
stop

# Certificates of clients: valid or none.
start plain-7.3 --listen https://127.0.0.1:0 --password-file "$scratch/password" \
	--tls-certificate "$scratch/server.pem" --tls-key "$scratch/server.key" \
	--client-ca "$scratch/authority.pem"
set -- --cacert "$scratch/authority.pem" -u admin:secret
for version in --tlsv1.3 --tls-max=1.2; do
	version="$(echo "$version" | tr = ' ')"
	# shellcheck disable=SC2086 # an option and its value
	{
		ask 200 "$tls/redfish/v1/Systems" "$@" $version
		ask 200 "$tls/redfish/v1/Systems" "$@" $version \
			--cert "$scratch/client.pem" --key "$scratch/client.key"
		ask 000 "$tls/redfish/v1/Systems" "$@" $version \
			--cert "$scratch/expired.pem" --key "$scratch/expired.key"
		ask 000 "$tls/redfish/v1/Systems" "$@" $version \
			--cert "$scratch/stranger.pem" --key "$scratch/stranger.key"
	}
done
[ "$(grep -c 'was refused because of its certificate' "$scratch/err")" -eq 1 ] ||
	fail "refused clients have not one line in the log"
stop

# Certificates of clients that their authority revoked, from a reload on.
make_crl() { # AUTHORITY FILE CERTIFICATE...: a revocation list
	cat >"$scratch/ca.conf" <<-END
		[ca]
		default_ca = this
		[this]
		database = $scratch/ca.index
		crlnumber = $scratch/ca.number
		default_md = sha256
		default_crl_days = 30
	END
	: >"$scratch/ca.index"
	echo 01 >"$scratch/ca.number"
	authority=$1 file=$2
	shift 2
	for one; do
		openssl ca -config "$scratch/ca.conf" -cert "$scratch/$authority.pem" -keyfile "$scratch/$authority.key" \
			-revoke "$scratch/$one.pem" 2>/dev/null
	done
	openssl ca -config "$scratch/ca.conf" -cert "$scratch/$authority.pem" -keyfile "$scratch/$authority.key" \
		-gencrl -out "$file" 2>/dev/null
}
make_crl authority "$scratch/crl.pem"
make_crl foreign "$scratch/foreign.crl"
refused_start 1 "$scratch/password has no certificate revocation list" -- --listen https://127.0.0.1:0 \
	--password-file "$scratch/password" --client-ca "$scratch/authority.pem" --client-crl "$scratch/password"
refused_start 1 "$scratch/foreign.crl has 1 revocation lists that no authority of clients has signed" -- \
	--listen https://127.0.0.1:0 --password-file "$scratch/password" --client-ca "$scratch/authority.pem" \
	--client-crl "$scratch/foreign.crl"
start plain-7.3 --listen https://127.0.0.1:0 --password-file "$scratch/password" \
	--tls-certificate "$scratch/server.pem" --tls-key "$scratch/server.key" \
	--client-ca "$scratch/authority.pem" --client-crl "$scratch/crl.pem"
set -- --cacert "$scratch/authority.pem" -u admin:secret --cert "$scratch/client.pem" --key "$scratch/client.key"
ask 200 "$tls/redfish/v1/Systems" "$@"
make_crl authority "$scratch/crl.pem" client
kill -HUP "$pid"
until grep -q "the configuration was reloaded" "$scratch/err"; do
	sleep 0.1
done
ask 000 "$tls/redfish/v1/Systems" "$@"
ask 200 "$tls/redfish/v1/Systems" --cacert "$scratch/authority.pem" -u admin:secret
stop

# Plain HTTP that is not on a loopback address: this listener also has others.
start plain-7.3 --listen http://0.0.0.0:0 --listen https://127.0.0.1:0 --listen http://127.0.0.1:0 \
	--password-file "$scratch/password" --read-only-peer 127.8.0.0/16 --read-only-peer 192.0.2.0/24
wide=http://127.0.0.1:${url##*:}
# One line of the log says who gets in.
grep "^cxl-redfishd: $url: " "$scratch/err" >"$scratch/said"
echo "cxl-redfishd: $url: open for reading without login to 127.8.0.0/16, 192.0.2.0/24; redirects others to https port ${tls##*:}" |
	cmp -s - "$scratch/said" || fail "the log: $(cat "$scratch/said")"
ask 308 "$wide/redfish/v1/Systems?\$top=1&x=%20" -u admin:secret
header "Location: $tls/redfish/v1/Systems?\$top=1&x=%20"
no_header WWW-Authenticate
ask 308 "$wide/redfish/v1/Systems" -H 'Host: host.example:80'
header "Location: https://host.example:${tls##*:}/redfish/v1/Systems"
ask 308 "$wide/redfish/v1/Systems" -H 'Host: a"b'
header "Location: $tls/redfish/v1/Systems"
head -c 3000000 /dev/zero >"$scratch/big"
ask 308 "$wide/redfish/v1/SessionService/Sessions" --data-binary "@$scratch/big"
ask 308 "$wide/redfish/v1/SessionService/Sessions" -H 'Expect:' --data-binary "@$scratch/big"
ask 308 "$wide/redfish/v1/Systems" -u admin:wrong
! grep -q "login failed" "$scratch/err" || fail "a login was looked at: $(cat "$scratch/err")"
ask 200 "$wide/redfish/v1/Systems" --location-trusted -k -u admin:secret
ask 414 "$wide/$(head -c 5000 /dev/zero | tr '\0' a)"
ask 400 "$wide/redfish/v1/Systems" -H 'Content-Length: 3' -H 'Content-Length: 4'

set -- --interface 127.8.0.9
ask 200 "$wide/redfish/v1/Systems/Host/Memory" "$@"
ask 200 "$wide/redfish/v1/Systems" "$@" --head
ask 200 "$wide/redfish/v1/Systems" "$@" -u admin:wrong
ask 404 "$wide/redfish/v1/nonsense" "$@"
for method in POST PATCH DELETE PUT OPTIONS; do
	ask 308 "$wide/redfish/v1/Systems" "$@" -X "$method" -d '{}' -u admin:secret
done
# The same address at the other listeners is like any other.
ask 401 "$tls/redfish/v1/Systems" "$@" -k
ask 401 "$(sed -n 's/^listening on \(http:..127.*\)/\1/p' "$scratch/out")/redfish/v1/Systems" "$@"
stop

start plain-7.3 --listen http://0.0.0.0:0 --listen https://127.0.0.1:0 --password-file "$scratch/password"
grep -q "^cxl-redfishd: $url: only redirects to https port ${tls##*:}$" "$scratch/err" || fail "the log"
stop

# Without a TLS listener there is nowhere to go.
start plain-7.3 --listen http://0.0.0.0:0 --password-file "$scratch/password" \
	--read-only-peer 127.8.0.9
grep -q "^cxl-redfishd: $url: open for reading without login to 127.8.0.9; refuses others$" "$scratch/err" || fail "the log"
ask 403 "http://127.0.0.1:${url##*:}/redfish/v1/Systems" -u admin:secret
ask 200 "http://127.0.0.1:${url##*:}/redfish/v1/Systems" --interface 127.8.0.9
stop
refused_start 2 "--read-only-peer" "https://" -- --listen http://0.0.0.0:0 \
	--password-file "$scratch/password"
refused_start 2 "--read-only-peer" "behind its prefix" -- --listen https://127.0.0.1:0 \
	--password-file "$scratch/password" --read-only-peer 10.0.0.1/8
finish
