# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libredfish.a
libredfish_a_SOURCES = \
	%D%/repairs/repair_entry.c %D%/repairs/repair_entry.h \
	%D%/repairs/repair_pages.c %D%/repairs/repair_pages.h \
	%D%/repairs/repair_plan.c %D%/repairs/repair_plan.h \
	%D%/repairs/repair_rows.c %D%/repairs/repair_rows.h \
	%D%/repairs/repair_run.c %D%/repairs/repair_run.h \
	%D%/repairs/repair_update.c \
	%D%/repairs/state_repair_reports.c \
	%D%/repairs/state_repairs.c %D%/repairs/state_repairs.h \
	%D%/repairs/state_unasked.c \
	%D%/state/audit.c %D%/state/audit.h \
	%D%/state/audit_sources.c %D%/state/audit_sources.h \
	%D%/state/client_contexts.c %D%/state/client_contexts.h \
	%D%/state/history.c %D%/state/history.h \
	%D%/state/scrub_settings.c %D%/state/scrub_settings.h \
	%D%/state/history_block.c %D%/state/history_block.h \
	%D%/auth/account.c %D%/auth/account.h \
	%D%/auth/accounts.c %D%/auth/accounts.h \
	%D%/auth/accounts_change.c \
	%D%/auth/accounts_private.h \
	%D%/auth/authenticate.c %D%/auth/authenticate.h \
	%D%/service/body_check.c %D%/service/body_check.h \
	%D%/service/core_peer.c %D%/service/core_peer.h \
	%D%/core/change_claims.c %D%/core/change_claims.h \
	%D%/service/client_context.c %D%/service/client_context.h \
	%D%/auth/cross_site.c %D%/auth/cross_site.h \
	%D%/service/diagnostics.c %D%/service/diagnostics.h \
	%D%/service/download.c %D%/service/download.h \
	%D%/view/dynamic.c %D%/view/dynamic.h \
	%D%/feed/event_feed.c %D%/feed/event_feed.h \
	%D%/feed/event_message.c %D%/feed/event_message.h \
	%D%/service/exchange.c %D%/service/exchange.h \
	%D%/query/expand.c %D%/query/expand.h \
	%D%/core/fabric_links.c %D%/core/fabric_links.h \
	%D%/query/filter.c %D%/query/filter.h \
	%D%/core/job.c %D%/core/job.h \
	%D%/feed/incident_message.c %D%/feed/incident_message.h \
	%D%/state/incident_notes.c %D%/state/incident_notes.h \
	%D%/auth/known_logins.c %D%/auth/known_logins.h \
	%D%/auth/lockout.c %D%/auth/lockout.h \
	%D%/auth/login.c %D%/auth/login.h \
	%D%/core/messages.c %D%/core/messages.h \
	%D%/core/odata.c %D%/core/odata.h \
	%D%/core/origin.c %D%/core/origin.h \
	%D%/core/parameters.c %D%/core/parameters.h \
	%D%/auth/password.c %D%/auth/password.h \
	%D%/core/principal.h \
	%D%/core/privileges.c %D%/core/privileges.h \
	%D%/query/query.c %D%/query/query.h \
	%D%/service/query_result.c %D%/service/query_result.h \
	%D%/core/registry.c %D%/core/registry.h \
	%D%/core/registry_version.h \
	%D%/core/render.c %D%/core/render.h \
	%D%/service/request_body.c %D%/service/request_body.h \
	%D%/core/resource_index.c %D%/core/resource_index.h \
	%D%/core/resource_table.c %D%/core/resource_table.h \
	%D%/core/schema.c %D%/core/schema.h \
	%D%/core/schema_table.c \
	%D%/core/system_id.c %D%/core/system_id.h \
	%D%/service/service.c %D%/service/service.h \
	%D%/service/service_audit.c \
	%D%/service/service_operations.c \
	%D%/service/service_private.h \
	%D%/service/service_steps.c \
	%D%/auth/revocation.c %D%/auth/revocation.h \
	%D%/auth/sessions.c %D%/auth/sessions.h \
	%D%/service/service_tasks.c \
	%D%/service/show_change.c %D%/service/show_change.h \
	%D%/state/state.c %D%/state/state.h \
	%D%/pages/page_keeper.c %D%/pages/page_keeper.h \
	%D%/pages/page_keeper_private.h \
	%D%/pages/page_fences.c %D%/pages/page_fences.h \
	%D%/pages/page_limit_options.h \
	%D%/pages/page_plan.c %D%/pages/page_plan.h \
	%D%/pages/page_stands.c \
	%D%/pages/remembered_page.c %D%/pages/remembered_page.h \
	%D%/state/state_audit.c %D%/state/state_audit.h \
	%D%/pages/state_page_list.c \
	%D%/pages/state_page_rows.c %D%/pages/state_page_rows.h \
	%D%/pages/state_page_uses.c %D%/pages/state_page_uses.h \
	%D%/pages/state_pages.c %D%/pages/state_pages.h \
	%D%/auth/state_accounts.c %D%/auth/state_accounts.h \
	%D%/state/state_private.h \
	%D%/state/state_row.c %D%/state/state_row.h \
	%D%/tasks/state_tasks.c %D%/tasks/state_tasks.h \
	%D%/tasks/task.h \
	%D%/tasks/task_body.c %D%/tasks/task_body.h \
	%D%/tasks/task_parts.c %D%/tasks/task_parts.h \
	%D%/tasks/tasks.c %D%/tasks/tasks.h \
	%D%/service/upload.c %D%/service/upload.h \
	%D%/core/uris.h \
	%D%/view/condition_times.c %D%/view/condition_times.h \
	%D%/view/view.c %D%/view/view.h \
	%D%/view/view_holder.c %D%/view/view_holder.h

REDFISH_CORE_LINK = libredfish.a $(PAGES_LINK) $(HTTP_LINK) $(JANSSON_LIBS) $(GNUTLS_LIBS) $(CRYPT_LIBS)
