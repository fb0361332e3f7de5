# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A library of all but main(), so that the tests can link it.
noinst_LIBRARIES += libcli.a
libcli_a_SOURCES = \
	%D%/answer.h \
	%D%/answer_json.c \
	%D%/answer_next.c %D%/answer_next.h \
	%D%/answer_text.c \
	%D%/capture.c \
	%D%/change.c %D%/change.h \
	%D%/cli.h \
	%D%/event_changes.c %D%/event_changes.h \
	%D%/event_json.c \
	%D%/event_list.h \
	%D%/event_order.c %D%/event_order.h \
	%D%/event_selection.c \
	%D%/event_store.c %D%/event_store.h \
	%D%/event_summary.c %D%/event_summary.h \
	%D%/event_text.c \
	%D%/events.c \
	%D%/explain.c \
	%D%/explain_owners.c \
	%D%/explain_output.c %D%/explain_output.h \
	%D%/explain_pages.c %D%/explain_pages.h \
	%D%/explain_repairs.c %D%/explain_repairs.h \
	%D%/graph.c %D%/graph.h \
	%D%/graph_node.c \
	%D%/graph_svg.c \
	%D%/graph_switches.c \
	%D%/health.c \
	%D%/health_summary.c %D%/health_summary.h \
	%D%/list.c %D%/list.h \
	%D%/list_json.c \
	%D%/list_scrub.c \
	%D%/list_switches.c \
	%D%/list_switches_json.c \
	%D%/map.c %D%/map.h \
	%D%/map_json.c \
	%D%/map_position.c %D%/map_position.h \
	%D%/map_text.c \
	%D%/memory.c \
	%D%/object.c %D%/object.h \
	%D%/operands.c %D%/operands.h \
	%D%/output.c %D%/output.h \
	%D%/page.c %D%/page.h \
	%D%/page_output.c \
	%D%/page_list.c %D%/page_list.h \
	%D%/page_list_parse.c \
	%D%/pager.c %D%/pager.h \
	%D%/progress.c %D%/progress.h \
	%D%/refusal.c %D%/refusal.h \
	%D%/repair.c \
	%D%/region.c \
	%D%/region_plan.c %D%/region_plan.h \
	%D%/release.c %D%/release.h \
	%D%/service.c %D%/service.h \
	%D%/session.c \
	%D%/switches.c %D%/switches.h \
	%D%/targets.c \
	%D%/translate.c \
	%D%/translate_trace.c \
	%D%/rasdaemon_db.c %D%/rasdaemon_db.h \
	%D%/rasdaemon_rows.c %D%/rasdaemon_rows.h \
	%D%/triage.c \
	%D%/triage_incident.c %D%/triage_incident.h \
	%D%/triage_input.c \
	%D%/triage_json.c \
	%D%/triage_log.c \
	%D%/triage_report.c %D%/triage_report.h \
	%D%/triage_result.c \
	%D%/triage_run.h \
	%D%/triage_text.c \
	%D%/verdict.c %D%/verdict.h \
	%D%/verify.c \
	%D%/verify_inject.c %D%/verify_inject.h \
	%D%/verify_report.c \
	%D%/verify_report_json.c \
	%D%/verify_round_trip.c \
	%D%/verify_samples.c

CLI_LINK = libcli.a $(CAPTURE_LINK) libredfish.a libselftest.a $(PAGES_LINK)

bin_PROGRAMS += cxl-spa
cxl_spa_SOURCES = %D%/main.c
cxl_spa_LDADD = $(CLI_LINK)

# A plugin of Kubernetes' node-problem-detector, and an example of its configuration.
npddir = $(datadir)/cxl-spa/node-problem-detector
dist_npd_SCRIPTS = %D%/node-problem-detector/cxl-memory-health
dist_npd_DATA = %D%/node-problem-detector/cxl-memory-monitor.json

# What --json prints.
clischemadir = $(datadir)/cxl-spa/schemas
dist_clischema_DATA = \
	%D%/schemas/cxl-spa.change.json \
	%D%/schemas/cxl-spa.events.json \
	%D%/schemas/cxl-spa.explain.json \
	%D%/schemas/cxl-spa.health.json \
	%D%/schemas/cxl-spa.list.json \
	%D%/schemas/cxl-spa.map.json \
	%D%/schemas/cxl-spa.page.json \
	%D%/schemas/cxl-spa.page-list.json \
	%D%/schemas/cxl-spa.repair.json \
	%D%/schemas/cxl-spa.region-plan.json \
	%D%/schemas/cxl-spa.triage.json \
	%D%/schemas/cxl-spa.translate.json \
	%D%/schemas/cxl-spa.verify.json \
	%D%/schemas/cxl-spa.verify-inject.json

# Made from the tables of options in the source; an archive has them. Debian has another directory
# for zsh.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
dist_bashcompletion_DATA = completion/bash/cxl-spa completion/bash/cxl-redfishd
dist_zshcompletion_DATA = completion/zsh/_cxl-spa completion/zsh/_cxl-redfishd
MAINTAINERCLEANFILES += $(dist_bashcompletion_DATA) $(dist_zshcompletion_DATA)

completion/bash/cxl-spa completion/zsh/_cxl-spa: cli/main.c
completion/bash/cxl-redfishd completion/zsh/_cxl-redfishd: daemon/config.c common/allow.h \
	mailbox/switch_options.h
$(dist_bashcompletion_DATA) $(dist_zshcompletion_DATA): $(srcdir)/scripts/completion
	$(AM_V_GEN)$(MKDIR_P) $(@D) && program=$(@F) && $(COMPILE) $(daemon_cflags) -E -P $(filter %.c,$^) | \
		$(PYTHON3) $(srcdir)/scripts/completion $$(basename $(@D)) $${program#_} >$@.new && \
		mv $@.new $@
