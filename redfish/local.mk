# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libredfish.a
libredfish_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(LIBMICROHTTPD_CFLAGS) $(GNUTLS_CFLAGS)
libredfish_a_SOURCES = \
	%D%/auth.c %D%/auth.h \
	%D%/cper_section.c %D%/cper_section.h \
	%D%/deferred.c %D%/deferred.h \
	%D%/dsp0288.c %D%/dsp0288.h \
	%D%/delivery.c \
	%D%/delivery_save.c \
	%D%/event_feed.c %D%/event_feed.h \
	%D%/event_filter.c %D%/event_filter.h \
	%D%/event_health.c %D%/event_health.h \
	%D%/event_log.c %D%/event_log.h \
	%D%/event_message.c %D%/event_message.h \
	%D%/event_service.c %D%/event_service.h %D%/event_service_private.h \
	%D%/event_stream.c %D%/event_stream.h \
	%D%/exchange.h \
	%D%/event_troubles.h \
	%D%/exchange.h \
	%D%/fabric.c %D%/fabric.h \
	%D%/fabric_links.c %D%/fabric_links.h \
	%D%/http.c %D%/http.h \
	%D%/http_connections.c %D%/http_connections.h \
	%D%/http_head.c %D%/http_head.h \
	%D%/http_reply.c %D%/http_reply.h \
	%D%/http_stream.c %D%/http_stream.h \
	%D%/listener.c %D%/listener.h \
	%D%/live.c %D%/live.h \
	%D%/mapping.c %D%/mapping.h \
	%D%/log_entry.h \
	%D%/log_filter.c %D%/log_filter.h \
	%D%/log_service.h \
	%D%/messages.c %D%/messages.h \
	%D%/negotiation.c %D%/negotiation.h \
	%D%/query.c %D%/query.h \
	%D%/oem_schemas.h \
	%D%/registry.c %D%/registry.h \
	%D%/render.c %D%/render.h \
	%D%/representation.c %D%/representation.h \
	%D%/res_chassis.c \
	%D%/res_endpoint.c \
	%D%/res_event_service.c \
	%D%/res_fabric.c \
	%D%/res_fabric_adapter.c \
	%D%/res_log_entry.c \
	%D%/res_log_entry_oem.c \
	%D%/res_log_service.c \
	%D%/res_logical_device.c \
	%D%/res_manager.c \
	%D%/res_memory.c \
	%D%/res_memory_chunks.c \
	%D%/res_memory_domain.c \
	%D%/res_memory_metrics.c \
	%D%/res_metadata.c \
	%D%/res_pcie.c \
	%D%/res_port.c \
	%D%/res_processor.c \
	%D%/res_root.c \
	%D%/res_schemas.c \
	%D%/res_system.c \
	%D%/resource_event.c %D%/resource_event.h \
	%D%/resource_index.c %D%/resource_index.h \
	%D%/resources.c %D%/resources.h \
	%D%/service.c %D%/service.h \
	%D%/service_live.c \
	%D%/status.c %D%/status.h \
	%D%/subscription.c %D%/subscription.h \
	%D%/translate_action.c \
	%D%/view.c %D%/view.h \
	%D%/view_changes.c %D%/view_changes.h \
	%D%/view_holder.c %D%/view_holder.h
nodist_libredfish_a_SOURCES = %D%/oem_schemas.c

REDFISH_LIBS = $(LIBMICROHTTPD_LIBS) $(JANSSON_LIBS) $(GNUTLS_LIBS)

# Our schemas, each as CSDL and as JSON schema: installed for other tools, and compiled in to be
# served. What JSON schema says is made of the CSDL by scripts/json-schemas.
oem_schema_names = \
	CXLHostChassis \
	CXLHostComputerSystem \
	CXLHostFabricAdapter \
	CXLHostLogEntry \
	CXLHostLogService \
	CXLHostMemory \
	CXLHostMemoryChunks \
	CXLHostMemoryDomain \
	CXLHostMemoryMetrics \
	CXLHostPort \
	CXLHostPortMetrics \
	CXLHostProcessor \
	CXLHostSwitch
OEM_SCHEMAS = $(oem_schema_names:%=%D%/schemas/%_v1.xml) \
	$(oem_schema_names:%=%D%/schemas/%.v1_0_0.json)
oemschemadir = $(pkgdatadir)/schemas
dist_oemschema_DATA = $(OEM_SCHEMAS)
EXTRA_DIST += %D%/embed-schemas.sh
CLEANFILES += %D%/oem_schemas.c

%D%/oem_schemas.c: $(OEM_SCHEMAS) %D%/embed-schemas.sh
	$(AM_V_GEN)$(MKDIR_P) %D% && cd $(srcdir) && \
		sh %D%/embed-schemas.sh $(OEM_SCHEMAS) >$(abs_builddir)/$@.tmp && \
		mv $(abs_builddir)/$@.tmp $(abs_builddir)/$@
