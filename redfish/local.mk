# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libredfish.a
redfish_cflags = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(GNUTLS_CFLAGS) $(SQLITE_CFLAGS)
libredfish_a_CFLAGS = $(redfish_cflags)
libredfish_a_SOURCES = \
	%D%/audit.c %D%/audit.h \
	%D%/audit_record.h \
	%D%/audit_sources.c %D%/audit_sources.h \
	%D%/account.c %D%/account.h \
	%D%/accounts.c %D%/accounts.h \
	%D%/accounts_change.c \
	%D%/accounts_private.h \
	%D%/authenticate.c %D%/authenticate.h \
	%D%/basic.c %D%/basic.h \
	%D%/body.c %D%/body.h \
	%D%/changing.c %D%/changing.h \
	%D%/cross_site.c %D%/cross_site.h \
	%D%/diagnostics.c %D%/diagnostics.h \
	%D%/download.c %D%/download.h \
	%D%/dynamic.c %D%/dynamic.h \
	%D%/exchange.c %D%/exchange.h \
	%D%/expand.c %D%/expand.h \
	%D%/expansions.c %D%/expansions.h \
	%D%/fabric_links.c %D%/fabric_links.h \
	%D%/filter.c %D%/filter.h \
	%D%/job.c %D%/job.h \
	%D%/limits.h \
	%D%/lockout.c %D%/lockout.h \
	%D%/login.c %D%/login.h \
	%D%/login_log.c %D%/login_log.h \
	%D%/login_private.h \
	%D%/messages.c %D%/messages.h \
	%D%/odata.c %D%/odata.h \
	%D%/origin.c %D%/origin.h \
	%D%/password.c %D%/password.h \
	%D%/principal.h \
	%D%/privileges.c %D%/privileges.h \
	%D%/query.c %D%/query.h \
	%D%/query_result.c %D%/query_result.h \
	%D%/registry.c %D%/registry.h \
	%D%/registry_version.h \
	%D%/render.c %D%/render.h \
	%D%/request_body.c %D%/request_body.h \
	%D%/resource_index.c %D%/resource_index.h \
	%D%/resource_table.c %D%/resource_table.h \
	%D%/select.c %D%/select.h \
	%D%/service.c %D%/service.h \
	%D%/service_audit.c \
	%D%/service_operations.c \
	%D%/service_private.h \
	%D%/service_steps.c \
	%D%/sessions.c %D%/sessions.h \
	%D%/service_tasks.c \
	%D%/state.c %D%/state.h \
	%D%/state_audit.c %D%/state_audit.h \
	%D%/state_accounts.c %D%/state_accounts.h \
	%D%/state_private.h \
	%D%/state_subscriptions.c %D%/state_subscriptions.h \
	%D%/state_tasks.c %D%/state_tasks.h \
	%D%/task.h \
	%D%/task_body.c %D%/task_body.h \
	%D%/task_parts.c %D%/task_parts.h \
	%D%/tasks.c %D%/tasks.h \
	%D%/upload.c %D%/upload.h \
	%D%/uris.h \
	%D%/view.c %D%/view.h \
	%D%/view_changes.c %D%/view_changes.h \
	%D%/view_holder.c %D%/view_holder.h \
	%D%/view_inputs.c %D%/view_inputs.h

REDFISH_CORE_LINK = libredfish.a $(CHANGE_LINK) $(HTTP_LINK) $(JANSSON_LIBS) $(GNUTLS_LIBS) $(CRYPT_LIBS)
