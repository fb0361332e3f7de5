# SPDX-License-Identifier: LGPL-2.1-or-later
#
# For other programs: alert rules and a scrape configuration for Prometheus, a dashboard for Grafana.
prometheusdir = $(pkgdatadir)/prometheus
dist_prometheus_DATA = %D%/prometheus/cxl-redfish.rules.yml %D%/prometheus/prometheus.yml
grafanadir = $(pkgdatadir)/grafana
dist_grafana_DATA = %D%/grafana/cxl-redfish.json
