# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libredfish.a
redfish_cflags = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(GNUTLS_CFLAGS) $(SQLITE_CFLAGS)
libredfish_a_CFLAGS = $(redfish_cflags)
libredfish_a_SOURCES = \
	%D%/auth.c %D%/auth.h \
	%D%/body.c %D%/body.h \
	%D%/exchange.c %D%/exchange.h \
	%D%/job.c %D%/job.h \
	%D%/dynamic.c %D%/dynamic.h \
	%D%/limits.h \
	%D%/messages.c %D%/messages.h \
	%D%/odata.c %D%/odata.h \
	%D%/oem_schemas.h \
	%D%/principal.h \
	%D%/privileges.c %D%/privileges.h \
	%D%/query.c %D%/query.h \
	%D%/registry.c %D%/registry.h \
	%D%/render.c %D%/render.h \
	%D%/resource_index.c %D%/resource_index.h \
	%D%/resource_table.c %D%/resource_table.h \
	%D%/service.c %D%/service.h \
	%D%/service_operations.c \
	%D%/service_private.h \
	%D%/service_steps.c \
	%D%/state.c %D%/state.h \
	%D%/state_private.h \
	%D%/state_subscriptions.c %D%/state_subscriptions.h \
	%D%/uris.h \
	%D%/view.c %D%/view.h \
	%D%/view_changes.c %D%/view_changes.h \
	%D%/view_holder.c %D%/view_holder.h \
	%D%/view_inputs.c %D%/view_inputs.h \
	%D%/eventing/delivery.c %D%/eventing/delivery.h \
	%D%/eventing/delivery_filter.c %D%/eventing/delivery_filter.h \
	%D%/eventing/delivery_helper.c \
	%D%/eventing/delivery_private.h \
	%D%/eventing/delivery_save.c %D%/eventing/delivery_save.h \
	%D%/eventing/destinations.c %D%/eventing/destinations.h \
	%D%/eventing/event_feed.c %D%/eventing/event_feed.h \
	%D%/eventing/event_message.c %D%/eventing/event_message.h \
	%D%/eventing/event_service.c %D%/eventing/event_service.h \
	%D%/eventing/event_service_options.h \
	%D%/eventing/event_stream.c %D%/eventing/event_stream.h \
	%D%/eventing/resource_event.c %D%/eventing/resource_event.h \
	%D%/eventing/subscription.c %D%/eventing/subscription.h \
	%D%/resources/cper_section.c %D%/resources/cper_section.h \
	%D%/resources/dsp0288.c %D%/resources/dsp0288.h \
	%D%/resources/fabric_links.c %D%/resources/fabric_links.h \
	%D%/resources/log_entry.h \
	%D%/resources/log_filter.c %D%/resources/log_filter.h \
	%D%/resources/log_service.h \
	%D%/resources/mapping.c %D%/resources/mapping.h \
	%D%/resources/res_chassis.c \
	%D%/resources/res_endpoint.c \
	%D%/resources/res_event_service.c \
	%D%/resources/res_fabric.c \
	%D%/resources/res_fabric_adapter.c \
	%D%/resources/res_log_entry.c \
	%D%/resources/res_log_entry_oem.c \
	%D%/resources/res_log_service.c \
	%D%/resources/res_logical_device.c \
	%D%/resources/res_manager.c \
	%D%/resources/res_memory.c \
	%D%/resources/res_memory_chunks.c \
	%D%/resources/res_memory_domain.c \
	%D%/resources/res_memory_metrics.c \
	%D%/resources/res_metadata.c \
	%D%/resources/res_pcie.c \
	%D%/resources/res_port.c \
	%D%/resources/res_processor.c \
	%D%/resources/res_root.c \
	%D%/resources/res_schemas.c \
	%D%/resources/res_system.c \
	%D%/resources/enumerators.h \
	%D%/resources/res_registries.c \
	%D%/resources/resources.c %D%/resources/resources.h \
	%D%/resources/rows.h \
	%D%/resources/status.c %D%/resources/status.h \
	%D%/resources/test_event_action.c %D%/resources/test_event_action.h \
	%D%/resources/translate_action.c %D%/resources/translate_action.h
nodist_libredfish_a_SOURCES = %D%/oem_schemas.c

REDFISH_LINK = libredfish.a libhttp.a libredfish.a libpush.a $(MODEL_LINK) $(HTTP_LINK) $(JANSSON_LIBS)

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
