# SPDX-License-Identifier: LGPL-2.1-or-later
#
# For other programs: rules and a scrape configuration for Prometheus, dashboards for Grafana; of a host and of many. An
# interoperability profile (docs/protocol.md). A role for Ansible, a spec for rpm (docs/rollout.md), and findings for Linux (upstream/)
# stay in the sources.
prometheusdir = $(pkgdatadir)/prometheus
dist_prometheus_DATA = \
	%D%/prometheus/cxl-redfish.fleet.rules.yml \
	%D%/prometheus/cxl-redfish.rules.yml \
	%D%/prometheus/prometheus.yml
grafanadir = $(pkgdatadir)/grafana
dist_grafana_DATA = %D%/grafana/cxl-redfish-fleet.json %D%/grafana/cxl-redfish.json
interopdir = $(pkgdatadir)/interop
dist_interop_DATA = %D%/interop/CXLHost.v1_0_0.json
EXTRA_DIST += %D%/ansible %D%/rpm/cxl-redfish.spec %D%/rpm/macros.systemd %D%/rpm/rpmlint.toml %D%/upstream
