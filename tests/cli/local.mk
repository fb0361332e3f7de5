# SPDX-License-Identifier: LGPL-2.1-or-later
#
# cxl-spa: its modules, and scripts that run it.
cli_suites = \
	check_cli \
	check_cli_output \
	check_page_list \
	check_verify_inject
TESTS += $(cli_suites)
CLEANFILES += $(cli_suites)
check_PROGRAMS += suites_cli
suites_cli_SOURCES = \
	%D%/check_cli.c \
	%D%/check_cli_output.c \
	%D%/check_page_list.c \
	%D%/check_verify_inject.c
suites_cli_LDADD = libtests.a $(CLI_LINK) $(CHECK_LIBS)
$(cli_suites): suites_cli$(EXEEXT)
	$(link_suite)

# For switch.sh.
check_PROGRAMS += record_switch
record_switch_SOURCES = %D%/record_switch.c
record_switch_LDADD = libtests.a $(CAPTURE_LINK) $(CHECK_LIBS)

cli_scripts = \
	%D%/capture.sh \
	%D%/completion.sh \
	%D%/derived.sh \
	%D%/dynamic.sh \
	%D%/events.sh \
	%D%/explain.sh \
	%D%/explain_capacity.sh \
	%D%/explain_kernel_log.sh \
	%D%/explain_names.sh \
	%D%/explain_next.sh \
	%D%/explain_order.sh \
	%D%/explain_owners.sh \
	%D%/explain_owners_reported.sh \
	%D%/explain_refusal.sh \
	%D%/explain_release.sh \
	%D%/golden.sh \
	%D%/graph.sh \
	%D%/health.sh \
	%D%/hostile_text.sh \
	%D%/json_schemas.sh \
	%D%/list.sh \
	%D%/map.sh \
	%D%/mask.sh \
	%D%/memdevs.sh \
	%D%/no_cxl.sh \
	%D%/page.sh \
	%D%/pager.sh \
	%D%/progress.sh \
	%D%/region.sh \
	%D%/repairs.sh \
	%D%/switch.sh \
	%D%/tables.sh \
	%D%/translate_dpa.sh \
	%D%/translate_ranges.sh \
	%D%/translate_spa.sh \
	%D%/translate_stdin.sh \
	%D%/translate_provenance.sh \
	%D%/translate_trace.sh \
	%D%/translate_wrapped.sh \
	%D%/targets.sh \
	%D%/triage.sh \
	%D%/unprivileged.sh \
	%D%/usage.sh \
	%D%/verify.sh \
	%D%/verify_inject.sh
TESTS += $(cli_scripts)
EXTRA_DIST += $(cli_scripts) %D%/functions %D%/golden %D%/json-v1 \
	%D%/json_schemas.py %D%/mask.py \
	%D%/pager.py %D%/progress.py %D%/six_way.py %D%/translate_wrapped.py
