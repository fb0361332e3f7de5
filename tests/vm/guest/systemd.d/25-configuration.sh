# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# TLS and metrics are configured, and the service is reloaded: the unit is not edited for them.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh

state=/var/lib/cxl-redfish
tls=https://127.0.0.1:8443
pid=$(main_pid $service)

tls_serves() {
	[ "$(tcp_status_of admin:vm-password Systems/Host/Memory $tls -k)" = 200 ]
}

cat >$configuration <<-END
	listen = unix:$socket
	listen = http://127.0.0.1:8000
	listen = $tls
	metrics = http://127.0.0.1:9100
END
check "a configuration with TLS and metrics is loaded" systemctl reload $service
check "a login over TLS is served" wait_for tls_serves
same "without one it is refused" 401 "$(tcp_status_of '' Systems/Host/Memory $tls -k)"
same "the key that was made is the service's" "600 cxl-redfish" "$(stat -c '%a %U' $state/tls-key.pem)"
cp $state/tls-certificate.pem /run/certificate.pem
same "the certificate is the one of the state directory" 200 \
	"$(tcp_status_of admin:vm-password Systems/Host/Memory https://localhost:8443 --cacert /run/certificate.pem)"
curl -s --max-time 20 http://127.0.0.1:9100/metrics >"$RESULTS/metrics.txt"
contains "metrics are served" cxl_ "$RESULTS/metrics.txt"
same "by the same process" "$pid" "$(main_pid $service)"
same "the Unix socket is still served" 200 "$(status_of Systems/Host/Memory)"
same "and the loopback interface" 200 "$(tcp_status_of admin:vm-password Systems/Host/Memory)"

printf 'listen = unix:%s\nlissten = x\n' $socket >$configuration.d-wrong
mkdir -p $configuration.d
mv $configuration.d-wrong $configuration.d/wrong.conf
systemctl reload $service
logged() {
	journalctl --no-pager --unit $service | grep -q 'wrong.conf:2: lissten'
}
check "a mistake in a file is logged with its line and its key" wait_for logged
check "and the configuration before stays" tls_serves
rm $configuration.d/wrong.conf
systemctl restart $service
check "after a restart it is used, too" tls_serves
printf 'listen = unix:%s\nlisten = http://127.0.0.1:8000\n' $socket >$configuration
systemctl reload $service
closed() {
	[ "$(tcp_status_of '' '' $tls -k)" = 000 ]
}
check "a listener that is no longer configured is closed" wait_for closed
same "the others are not" 200 "$(tcp_status_of admin:vm-password Systems/Host/Memory)"
figure "RSS of the service in KiB after TLS" "$(rss "$(main_pid $service)")"
rm $configuration
