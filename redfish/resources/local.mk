# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libredfish_resources.a
libredfish_resources_a_SOURCES = \
	%D%/service/account_result.c %D%/service/account_result.h \
	%D%/service/certificate_actions.c %D%/service/certificate_actions.h \
	%D%/service/certificates.c %D%/service/certificates.h \
	%D%/host/chunk_change.c %D%/host/chunk_change.h \
	%D%/host/chunk_state.c %D%/host/chunk_state.h \
	%D%/log/cper_section.c %D%/log/cper_section.h \
	%D%/enumerators.c %D%/enumerators.h \
	%D%/fabric/dynamic_capacity.c %D%/fabric/dynamic_capacity.h \
	%D%/fabric/dynamic_change.c %D%/fabric/dynamic_change.h \
	%D%/fabric/dynamic_change_private.h \
	%D%/fabric/dynamic_region.c \
	%D%/fabric/dynamic_request.c \
	%D%/fabric/fabric_binding.c \
	%D%/fabric/fabric_change.c %D%/fabric/fabric_change.h \
	%D%/fabric/fabric_chunks.c \
	%D%/fabric/fabric_connection.h \
	%D%/fabric/fabric_connections.c \
	%D%/fabric/fabric_device.c %D%/fabric/fabric_device.h \
	%D%/fabric/pcie_device.h \
	%D%/fabric/fabric_operations.h \
	%D%/fabric/fabric_qos.c \
	%D%/host/describe_page.c %D%/host/describe_page.h \
	%D%/host/host_change.c %D%/host/host_change.h \
	%D%/host/host_refusal.c %D%/host/host_refusal.h \
	%D%/incident/incident_entry.h \
	%D%/incident/incident_patch.c \
	%D%/incident/incident_repair.c \
	%D%/incident/incident_request.c \
	%D%/incident/incident_repairs.c \
	%D%/log/log_entry.h \
	%D%/log/log_entry_oem.h \
	%D%/log/log_filter.c %D%/log/log_filter.h \
	%D%/log/log_service.h \
	%D%/log/log_store.c %D%/log/log_store.h \
	%D%/mapping.c %D%/mapping.h \
	%D%/scrub.c %D%/scrub.h \
	%D%/memory/memory_actions.c %D%/memory/memory_actions.h \
	%D%/memory/memory_alerts.c \
	%D%/memory/res_pcie_device.c \
	%D%/memory/memory_operations.c %D%/memory/memory_operations.h \
	%D%/memory/memory_pages.c \
	%D%/memory/memory_patch.c \
	%D%/memory/memory_poison.c \
	%D%/memory/memory_poison_list.c \
	%D%/memory/memory_scan.c \
	%D%/memory/memory_repairs.c %D%/memory/memory_repairs.h \
	%D%/memory/memory_security.c \
	%D%/service/oem_schemas.h \
	%D%/fabric/logical_device.h \
	%D%/switch/port_errors.c %D%/switch/port_errors.h \
	%D%/service/openapi_schema.c %D%/service/openapi_schema.h \
	%D%/switch/port_link.c %D%/switch/port_link.h \
	%D%/host/findings_list.c %D%/host/findings_list.h \
	%D%/host/releasable.c %D%/host/releasable.h \
	%D%/fabric/remote_device.h \
	%D%/fabric/remote_endpoint.h \
	%D%/log/res_audit_log.c \
	%D%/service/res_account.c \
	%D%/service/res_action_info.c \
	%D%/service/res_aggregation.c \
	%D%/service/res_account_service.c \
	%D%/log/res_capture.c \
	%D%/log/res_isolation.c \
	%D%/service/res_certificate.c \
	%D%/host/res_chassis.c \
	%D%/memory/res_device_domain.c \
	%D%/fabric/res_endpoint.c \
	%D%/fabric/res_extent.c \
	%D%/service/res_event_service.c \
	%D%/fabric/res_fabric.c \
	%D%/fabric/res_fabric_adapter.c \
	%D%/incident/res_incident.c \
	%D%/incident/res_incident_log.c \
	%D%/log/res_log_entry.c \
	%D%/log/res_log_entry_oem.c \
	%D%/log/res_log_service.c \
	%D%/fabric/res_logical_device.c \
	%D%/service/res_manager.c \
	%D%/memory/res_memory.c \
	%D%/host/res_memory_chunks.c \
	%D%/host/res_memory_domain.c \
	%D%/memory/res_memory_metrics.c \
	%D%/service/res_metadata.c \
	%D%/service/res_network.c \
	%D%/service/res_openapi.c \
	%D%/fabric/res_pcie.c \
	%D%/fabric/res_port.c \
	%D%/service/res_privilege_registry.c \
	%D%/host/res_processor.c \
	%D%/service/res_registries.c \
	%D%/fabric/res_remote_device.c \
	%D%/fabric/res_remote_endpoint.c \
	%D%/fabric/res_remote_ld.c \
	%D%/service/res_root.c \
	%D%/service/res_schemas.c \
	%D%/memory/res_sensor.c \
	%D%/service/res_session.c \
	%D%/service/res_software_inventory.c \
	%D%/switch/res_switch_device.c \
	%D%/switch/res_switch_log.c \
	%D%/host/res_system.c \
	%D%/service/res_task_service.c \
	%D%/service/res_telemetry.c \
	%D%/service/res_update_service.c \
	%D%/fabric/res_virtual_switch.c \
	%D%/resources.c %D%/resources.h \
	%D%/rows.h \
	%D%/service/service_uuid.c %D%/service/service_uuid.h \
	%D%/service/software_slot.h \
	%D%/finding_message.c %D%/finding_message.h \
	%D%/status.c %D%/status.h %D%/status_private.h \
	%D%/status_fabric.c \
	%D%/switch/switch_properties.c %D%/switch/switch_properties.h \
	%D%/switch/switch_log.h \
	%D%/host/translate_action.c %D%/host/translate_action.h \
	%D%/host/spa_answer.c %D%/host/spa_answer.h \
	%D%/host/translate_text.c %D%/host/translate_text.h \
	%D%/host/translate_timeout.c %D%/host/translate_timeout.h
nodist_libredfish_resources_a_SOURCES = %D%/service/oem_schemas.c

REDFISH_LINK = libredfish_resources.a $(EVENTING_LINK)

# Our schemas, each as CSDL and as the JSON schema that is made of it: installed for other tools, and
# compiled in to be served. An archive has both, so that it is built without Python.
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
	CXLHostMetricReport \
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
EXTRA_DIST += %D%/service/embed-schemas.sh
MAINTAINERCLEANFILES += $(oem_schema_names:%=redfish/schemas/%.v1_0_0.json)
CLEANFILES += %D%/service/oem_schemas.c

redfish/schemas/%.v1_0_0.json: redfish/schemas/%_v1.xml $(srcdir)/scripts/json-schemas
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
		$(PYTHON3) $(srcdir)/scripts/json-schemas $< >$@.tmp && mv $@.tmp $@

%D%/service/oem_schemas.c: $(OEM_SCHEMAS) %D%/service/embed-schemas.sh
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
		sh $(srcdir)/%D%/service/embed-schemas.sh $(filter-out %.sh,$^) >$@.tmp && mv $@.tmp $@
