# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Manual pages and --help; their examples; messages in the journal; links of the site; paths in the documents for developers.
TESTS += %D%/bad_dimm.sh %D%/examples.sh %D%/findings.sh %D%/links.sh %D%/manual_pages.sh %D%/messages.sh %D%/options.sh %D%/paths.sh
EXTRA_DIST += %D%/bad_dimm.py %D%/bad_dimm.sh %D%/examples.py %D%/examples.sh %D%/findings.sh %D%/first-steps %D%/functions %D%/links.py %D%/links.sh %D%/manual_pages.sh %D%/messages.py %D%/messages.sh %D%/options.sh %D%/options.py \
	%D%/paths.sh

# The section FINDINGS of docs/cxl-spa-explain.1 is printed from the tables of codes and texts.
check_PROGRAMS += print_findings
print_findings_SOURCES = %D%/print_findings.c
print_findings_LDADD = $(CLI_LINK)

update-findings: print_findings
	./print_findings >findings.tmp && \
	$(SED) -i -e '/^\.\\" begin of findings$$/,/^\.\\" end of findings$$/{/^\.\\" end/!{/^\.\\" begin/!d}}' \
		-e '/^\.\\" begin of findings$$/r findings.tmp' $(srcdir)/docs/cxl-spa-explain.1 && rm findings.tmp
# docs/bad-dimm.md has the answers of its commands.
update-bad-dimm: cxl-redfishd cxl-spa
	UPDATE=1 srcdir=$(srcdir) $(srcdir)/%D%/bad_dimm.sh
update-golden: update-findings update-bad-dimm
.PHONY: update-findings update-bad-dimm
