# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libevents.a
libevents_a_SOURCES = \
	%D%/component_id.c %D%/component_id.h \
	%D%/cper.c %D%/cper.h \
	%D%/cxl_record.c %D%/cxl_record.h \
	%D%/decode.c \
	%D%/event_advice.c %D%/event_advice.h \
	%D%/event_answer.c \
	%D%/event_bus.c %D%/event_bus.h \
	%D%/event_filter.h \
	%D%/event_extents.c %D%/event_extents.h \
	%D%/event_fill.c %D%/event_fill.h \
	%D%/event_fill_private.h \
	%D%/event_log.c %D%/event_log.h \
	%D%/event_mapping.c \
	%D%/event_severity.c \
	%D%/event_strings.c %D%/event_strings.h \
	%D%/event_uuid.c %D%/event_uuid.h \
	%D%/event_words.c %D%/event_words.h \
	%D%/formats.c %D%/formats.h \
	%D%/formats_private.h \
	%D%/formats_slots.c \
	%D%/incident.c %D%/incident.h \
	%D%/incident_act.c %D%/incident_act.h \
	%D%/incident_facts.c %D%/incident_facts.h \
	%D%/incident_index.c %D%/incident_index.h \
	%D%/incident_now.c %D%/incident_now.h \
	%D%/incident_place.c %D%/incident_place.h \
	%D%/instance.c %D%/instance.h \
	%D%/kernel_hpa.c %D%/kernel_hpa.h \
	%D%/module_severity.c %D%/module_severity.h \
	%D%/provenance.c %D%/provenance.h \
	%D%/record.c %D%/record.h \
	%D%/record_vouch.c %D%/record_vouch.h \
	%D%/repair_place.c %D%/repair_place.h \
	%D%/replay.c %D%/replay.h \
	%D%/report.c %D%/report.h \
	%D%/report_answer.c %D%/report_answer.h \
	%D%/report_give.c \
	%D%/report_host.c \
	%D%/report_json.c %D%/report_json.h \
	%D%/report_pcie.c \
	%D%/report_private.h \
	%D%/report_section.c \
	%D%/ring.c %D%/ring.h \
	%D%/scan_event.c %D%/scan_event.h \
	%D%/store.h \
	%D%/store_check.c \
	%D%/store_checker.c \
	%D%/store_column_kinds.c \
	%D%/store_columns.c %D%/store_columns.h \
	%D%/store_columns_private.h \
	%D%/store_columns_sql.c \
	%D%/store_connection.c %D%/store_connection.h \
	%D%/store_counters.c %D%/store_counters.h \
	%D%/store_counts.c %D%/store_counts.h \
	%D%/store_fields.c %D%/store_fields.h \
	%D%/store_files.c %D%/store_files.h \
	%D%/store_find.c %D%/store_find.h \
	%D%/store_found.c %D%/store_found.h \
	%D%/store_group_table.c %D%/store_group_table.h \
	%D%/store_groups.c %D%/store_groups.h \
	%D%/store_identity.c %D%/store_identity.h \
	%D%/store_incident_age.c \
	%D%/store_incident_columns.c %D%/store_incident_columns.h \
	%D%/store_incident_save.c \
	%D%/store_incident_states.c \
	%D%/store_incidents.c %D%/store_incidents.h \
	%D%/store_incidents_private.h \
	%D%/store_messages.c \
	%D%/store_open.c \
	%D%/store_origin.c %D%/store_origin.h \
	%D%/store_poison.c %D%/store_poison.h \
	%D%/store_read.c \
	%D%/store_read_incidents.c \
	%D%/store_reader.h \
	%D%/store_rebuild.c %D%/store_rebuild.h \
	%D%/store_rings.c %D%/store_rings.h \
	%D%/store_schema.c %D%/store_schema.h \
	%D%/store_statements.c %D%/store_statements.h \
	%D%/store_tables.h \
	%D%/store_totals.c \
	%D%/store_transaction.c %D%/store_transaction.h \
	%D%/store_trim.c %D%/store_trim.h \
	%D%/store_walk.c %D%/store_walk.h \
	%D%/store_write.c %D%/store_write.h \
	%D%/store_writer.c %D%/store_writer.h \
	%D%/store_writer_private.h \
	%D%/stored_event.h \
	%D%/trace_answer.c %D%/trace_answer.h \
	%D%/trace_details.c %D%/trace_details.h \
	%D%/trace_fields.c \
	%D%/trace_grammar.c %D%/trace_grammar.h \
	%D%/trace_json.c \
	%D%/trace_lines.c %D%/trace_lines.h \
	%D%/trace_names.h \
	%D%/trace_perf.c %D%/trace_perf.h \
	%D%/trace_text.c %D%/trace_text.h \
	%D%/trace_values.h \
	%D%/trace_when.c %D%/trace_when.h \
	%D%/translate_extents.c

EVENTS_LINK = libevents.a $(PRM_LINK) $(LIBTRACEEVENT_LIBS) $(SQLITE_LIBS)
