# SPDX-License-Identifier: LGPL-2.1-or-later
dist_man_MANS += %D%/cxl-redfish-helper.8 %D%/cxl-redfish-switch-helper.8 %D%/cxl-redfish-change-helper.8
dist_man_MANS += %D%/cxl-redfish-page-helper.8 %D%/cxl-redfish-repair.8
dist_man_MANS += %D%/cxl-redfishd.8
dist_man_MANS += %D%/cxl-redfishd.conf.5
dist_man_MANS += %D%/cxl-spa.1
dist_man_MANS += %D%/cxl-spa-capture.1 %D%/cxl-spa-events.1 %D%/cxl-spa-explain.1 %D%/cxl-spa-graph.1
dist_man_MANS += %D%/cxl-spa-health.1 %D%/cxl-spa-list.1 %D%/cxl-spa-map.1 %D%/cxl-spa-offline.1
dist_man_MANS += %D%/cxl-spa-page.1 %D%/cxl-spa-repair.1
dist_man_MANS += %D%/cxl-spa-online.1 %D%/cxl-spa-region.1 %D%/cxl-spa-targets.1
dist_man_MANS += %D%/cxl-spa-translate.1 %D%/cxl-spa-triage.1 %D%/cxl-spa-verify.1
dist_man_MANS += %D%/libcxlspa.3 %D%/cxlspa_open.3 %D%/cxlspa_close.3 %D%/cxlspa_dpa_to_spa.3 %D%/cxlspa_fd.3
dist_man_MANS += %D%/cxlspa_owner.3 %D%/cxlspa_refresh.3 %D%/cxlspa_source_name.3 %D%/cxlspa_spa_to_dpa.3
dist_man_MANS += %D%/cxlspa_strerror.3 %D%/cxlspa_version.3
# Markdown documents as manual pages, where cmark-gfm is there.
if MANUAL_PAGES_7
manual_pages_7 = %D%/cxl-redfish-clients.7 %D%/cxl-redfish-glossary.7 %D%/cxl-redfish-operations.7
man_MANS += $(manual_pages_7)
CLEANFILES += $(manual_pages_7)
$(manual_pages_7): scripts/manual-pages %D%/clients.md %D%/glossary.md %D%/operations.md
	$(AM_V_GEN)$(srcdir)/scripts/manual-pages $(@D) $(srcdir) $(basename $(@F))
endif
# For developers, about files that are not installed.
EXTRA_DIST += %D%/aggregators.md
EXTRA_DIST += %D%/architecture.md
EXTRA_DIST += %D%/attacks.md %D%/figures.md
EXTRA_DIST += %D%/clients.md
EXTRA_DIST += %D%/protocol.md
EXTRA_DIST += %D%/fleet.md %D%/rollout.md
pageimagedir = $(docdir)/images
dist_pageimage_DATA = %D%/images/page-incidents.png %D%/images/page-topology.png %D%/images/page-chunks.png %D%/images/page-map.png %D%/images/page-phone.png
dist_doc_DATA += %D%/accounts.md
dist_doc_DATA += %D%/bad-dimm.md
dist_doc_DATA += %D%/changes-devices.md
dist_doc_DATA += %D%/events.md
dist_doc_DATA += %D%/changes.md
dist_doc_DATA += %D%/fabric.md
dist_doc_DATA += %D%/glossary.md
dist_doc_DATA += %D%/incidents.md
dist_doc_DATA += %D%/mapping.md
dist_doc_DATA += %D%/metrics.md
dist_doc_DATA += %D%/operations.md
dist_doc_DATA += %D%/otlp.md
dist_doc_DATA += %D%/page.md
dist_doc_DATA += %D%/parameters.md
dist_doc_DATA += %D%/privileges.json
dist_doc_DATA += %D%/queries.md
dist_doc_DATA += %D%/refusals.md
dist_doc_DATA += %D%/security.md
dist_doc_DATA += %D%/sunfish.md
dist_doc_DATA += %D%/translation.md

# All of it as one site, in html/ of the build directory.
html-local:
	$(srcdir)/scripts/html html $(srcdir)
clean-html:
	rm -rf html
clean-local: clean-html
.PHONY: clean-html
