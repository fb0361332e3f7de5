# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES = \
	%D%/cxl_link.c %D%/cxl_link.h \
	%D%/event_health.c %D%/event_health.h \
	%D%/fabric.c %D%/fabric.h \
	%D%/fabric_dynamic.c \
	%D%/fabric_parts.c \
	%D%/fabric_private.h \
	%D%/fabric_join.c \
	%D%/fabric_switches.c \
	%D%/fabric_use.c %D%/fabric_use.h \
	%D%/finding.c %D%/finding.h \
	%D%/finding_rows.h \
	%D%/finding_table.c \
	%D%/finding_text.c %D%/finding_text.h \
	%D%/findings.c %D%/findings.h \
	%D%/findings_capacity.c \
	%D%/findings_decoder.c \
	%D%/findings_host.c \
	%D%/findings_memdev.c \
	%D%/findings_order.c \
	%D%/findings_port.c \
	%D%/findings_positions.c \
	%D%/findings_private.h \
	%D%/findings_region.c \
	%D%/findings_sources.c \
	%D%/findings_switch.c \
	%D%/findings_uses.c \
	%D%/firmware_slot.c %D%/firmware_slot.h \
	%D%/found.c %D%/found.h \
	%D%/found_rows.c %D%/found_rows.h \
	%D%/gaps.c %D%/gaps.h \
	%D%/health.c %D%/health.h \
	%D%/health_level.c %D%/health_level.h \
	%D%/health_link.c %D%/health_link.h \
	%D%/host_incidents.c %D%/host_incidents.h \
	%D%/scrub.c %D%/scrub.h \
	%D%/memdev_change.c %D%/memdev_change.h \
	%D%/open_incidents.c %D%/open_incidents.h \
	%D%/owners.c %D%/owners.h \
	%D%/owners_private.h \
	%D%/owners_verdict.c \
	%D%/owners_words.c \
	%D%/partitions.c %D%/partitions.h \
	%D%/pcie_speed.c %D%/pcie_speed.h \
	%D%/recording_faults.h \
	%D%/service_faults.h \
	%D%/refusal.c %D%/refusal.h \
	%D%/refusal_decoder.c \
	%D%/refusal_host.c \
	%D%/refusal_log.c \
	%D%/refusal_mapping.c \
	%D%/refusal_private.h \
	%D%/refusal_targets.c \
	%D%/region_plan.c %D%/region_plan.h \
	%D%/region_plan_choose.c \
	%D%/region_plan_destroy.c \
	%D%/region_plan_device.c \
	%D%/region_plan_private.h \
	%D%/region_plan_route.c \
	%D%/region_plan_space.c \
	%D%/release.c %D%/release.h \
	%D%/region_fit.c %D%/region_fit.h \
	%D%/repairs.c %D%/repairs.h \
	%D%/service_health.c %D%/service_health.h \
	%D%/switch_port.c %D%/switch_port.h \
	%D%/topology.c %D%/topology.h \
	%D%/usage.c %D%/usage.h

MODEL_LINK = libmodel.a $(MAILBOX_LINK) $(EVENTS_LINK)
