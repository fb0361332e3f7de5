#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The service's certificate, requests for another one, and the authorities of clients, by Redfish.
. "${0%/*}/functions"
needs_python
command -v openssl >/dev/null || skip "openssl is missing (Debian package: openssl)"

certificate=/redfish/v1/Managers/Service/NetworkProtocol/HTTPS/Certificates/1
start_tls() {
	start zen5-doc --listen "unix:$socket" --listen https://127.0.0.1:0 --state "$scratch/state" \
		--password-file "$scratch/password" "$@"
	port=$(sed -n 's/^listening on https:.*:\([0-9]*\)$/\1/p' "$scratch/out")
}

start_tls
mkdir "$scratch/files"
python3 "$srcdir/tests/http/certificates.py" "$socket" "$port" "$scratch/files" >"$scratch/said" ||
	fail "$(cat "$scratch/said")"
! grep -q "PRIVATE KEY" "$scratch/err" || fail "a private key is in the log"
stop

# The new certificate is still used after a restart.
start_tls
request 200 GET "$certificate"
has "$(sed -n 's/^\([0-9A-F:]\{95\}\)$/\1/p' "$scratch/said")" own.example
lacks PRIVATE
stop

# A certificate of the options is not replaced.
start_tls --tls-certificate "$scratch/files/other.pem" --tls-key "$scratch/files/other.key"
request 200 GET "$certificate"
has other.example
post 403 /redfish/v1/CertificateService/Actions/CertificateService.GenerateCSR \
	'{"CommonName":"x","CertificateCollection":{"@odata.id":"'"${certificate%/1}"'"}}'
has CertificateRejected
stop

# Without a TLS listener there is nothing to change.
start zen5-doc --listen "unix:$socket" --password-file "$scratch/password"
request 404 GET "$certificate"
post 503 /redfish/v1/CertificateService/Actions/CertificateService.GenerateCSR \
	'{"CommonName":"x","CertificateCollection":{"@odata.id":"'"${certificate%/1}"'"}}'
has ServiceDisabled
finish
