# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libredfish_resources.a
libredfish_resources_a_CFLAGS = $(redfish_cflags)
libredfish_resources_a_SOURCES = \
	%D%/account_result.c %D%/account_result.h \
	%D%/body_check.c %D%/body_check.h \
	%D%/certificate_actions.c %D%/certificates.h \
	%D%/chunk_changes.c %D%/chunk_changes.h \
	%D%/chunk_state.c %D%/chunk_state.h \
	%D%/cper_section.c %D%/cper_section.h \
	%D%/dsp0288.c %D%/dsp0288.h \
	%D%/dsp0288_fm.c %D%/dsp0288_fm.h \
	%D%/enumerators.h \
	%D%/fabric_binding.c \
	%D%/fabric_change.c %D%/fabric_change.h \
	%D%/fabric_chunks.c \
	%D%/fabric_connection.h \
	%D%/fabric_connections.c \
	%D%/fabric_device.c %D%/fabric_device.h \
	%D%/fabric_operations.h \
	%D%/fabric_ports.c \
	%D%/fabric_qos.c \
	%D%/host_change.c %D%/host_change.h \
	%D%/host_refusal.c %D%/host_refusal.h \
	%D%/log_entry.h \
	%D%/log_filter.c %D%/log_filter.h \
	%D%/log_service.h \
	%D%/mapping.c %D%/mapping.h \
	%D%/memory_actions.c %D%/memory_actions.h \
	%D%/memory_alerts.c \
	%D%/memory_operations.c %D%/memory_operations.h \
	%D%/memory_patch.c \
	%D%/memory_poison.c \
	%D%/memory_poison_list.c \
	%D%/memory_security.c \
	%D%/oem_schemas.h \
	%D%/port.h \
	%D%/port_link.c %D%/port_link.h \
	%D%/findings_list.c %D%/findings_list.h \
	%D%/releasable.c %D%/releasable.h \
	%D%/remote_endpoint.h \
	%D%/res_audit_log.c \
	%D%/res_account.c \
	%D%/res_account_service.c \
	%D%/res_capture.c \
	%D%/res_certificate.c \
	%D%/res_chassis.c \
	%D%/res_device_domain.c \
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
	%D%/res_network_protocol.c \
	%D%/res_pcie.c \
	%D%/res_port.c \
	%D%/res_privilege_registry.c \
	%D%/res_processor.c \
	%D%/res_registries.c \
	%D%/res_remote_device.c \
	%D%/res_remote_endpoint.c \
	%D%/res_root.c \
	%D%/res_schemas.c \
	%D%/res_sensor.c \
	%D%/res_session.c \
	%D%/res_software_inventory.c \
	%D%/res_switch_device.c \
	%D%/res_switch_log.c \
	%D%/res_system.c \
	%D%/res_task_service.c \
	%D%/res_update_service.c \
	%D%/res_virtual_switch.c \
	%D%/resources.c %D%/resources.h \
	%D%/rows.h \
	%D%/service_uuid.c %D%/service_uuid.h \
	%D%/software_slot.h \
	%D%/status.c %D%/status.h \
	%D%/switch_properties.c %D%/switch_properties.h \
	%D%/switch_log.h \
	%D%/test_event_action.c %D%/test_event_action.h \
	%D%/translate_action.c %D%/translate_action.h \
	%D%/translate_text.c
nodist_libredfish_resources_a_SOURCES = %D%/oem_schemas.c

REDFISH_LINK = libredfish_resources.a $(EVENTING_LINK)

# Our schemas, each as CSDL and as JSON schema: installed for other tools, and compiled in to be
# served. What JSON schema says is made of the CSDL by scripts/json-schemas.
oem_schema_names = \
	CXLHostChassis \
	CXLHostCXLLogicalDevice \
	CXLHostConnection \
	CXLHostComputerSystem \
	CXLHostFabricAdapter \
	CXLHostLogEntry \
	CXLHostLogService \
	CXLHostMemory \
	CXLHostMemoryChunks \
	CXLHostMemoryDomain \
	CXLHostMemoryMetrics \
	CXLHostPCIeDevice \
	CXLHostPort \
	CXLHostPortMetrics \
	CXLHostProcessor \
	CXLHostSwitch \
	CXLHostVirtualCXLSwitch \
	CXLHostVirtualPCI2PCIBridge
OEM_SCHEMAS = $(oem_schema_names:%=redfish/schemas/%_v1.xml) \
	$(oem_schema_names:%=redfish/schemas/%.v1_0_0.json)
oemschemadir = $(pkgdatadir)/schemas
dist_oemschema_DATA = $(OEM_SCHEMAS)
EXTRA_DIST += %D%/embed-schemas.sh
CLEANFILES += %D%/oem_schemas.c

%D%/oem_schemas.c: $(OEM_SCHEMAS) %D%/embed-schemas.sh
	$(AM_V_GEN)$(MKDIR_P) %D% && cd $(srcdir) && \
		sh %D%/embed-schemas.sh $(OEM_SCHEMAS) >$(abs_builddir)/$@.tmp && \
		mv $(abs_builddir)/$@.tmp $(abs_builddir)/$@
