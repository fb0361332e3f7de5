# SPDX-License-Identifier: LGPL-2.1-or-later
dist_man_MANS += %D%/cxl-spa.1 %D%/cxl-redfishd.8 %D%/cxl-redfishd.conf.5
dist_man_MANS += %D%/cxl-spa.1 %D%/cxl-redfishd.8 %D%/cxl-redfish-helper.8
# For developers, about files that are not installed.
EXTRA_DIST += %D%/architecture.md
dist_doc_DATA += %D%/accounts.md %D%/clients.md %D%/events.md %D%/glossary.md %D%/mapping.md \
	%D%/privileges.json %D%/protocol.md %D%/queries.md %D%/translation.md
