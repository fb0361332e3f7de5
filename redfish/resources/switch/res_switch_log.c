// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The event logs of a switch, as its mailbox has them now: records of its ports, of its virtual
// switches and of the MLDs behind it (CXL 3.2 7.6.8, DSP0288 1.2.0 table 2 row 33). Reading them
// removes nothing from the switch, and this service keeps none of them.
#include "redfish/resources/switch/switch_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/event_fill.h"
#include "events/event_strings.h"
#include "model/switch_port.h"
#include "redfish/feed/event_message.h"
#include "redfish/core/fabric_links.h"
#include "redfish/core/odata.h"
#include "redfish/core/registry.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/log/cper_section.h"
#include "redfish/resources/log/log_entry.h"
#include "redfish/resources/log/log_entry_oem.h"
#include "redfish/resources/mapping.h"
#include "redfish/resources/enumerators.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/switch/switch_properties.h"
#include "redfish/core/uris.h"
#include "redfish/view/view.h"

#define SWITCH_LOGS "/redfish/v1/Chassis/{Chassis}/LogServices"

static const char *log_name(unsigned int log)
{
	return event_log_number_name(OPT_U64(log));
}

/* ---- instances --------------------------------------------------------------------------------
 */

static bool has_logs(const void *fabric_switch)
{
	const struct fabric_switch *sw = fabric_switch;

	for (unsigned int i = 0; sw->reading && i < FMAPI_LOGS; i++)
		if (sw->reading->logs[i].known)
			return true;
	return false;
}

/* The Id of an entry: the log, and the handle, by which the switch identifies a record in it. */
static int add_entries(const struct fabric_switch *sw, unsigned int log,
		       const struct resource_type *t, struct resource_index *ix)
{
	const struct event_log_reading *l = &sw->reading->logs[log];
	char handle[8];
	int r = 0;

	for (size_t i = 0; i < l->n && r >= 0; i++) {
		(void)snprintf(handle, sizeof(handle), "%u", (unsigned int)l->records[i].handle);
		r = resource_add(ix, t, sw, (const char *const[]){sw->id, log_name(log), handle});
	}
	return r;
}

static int enumerate_entries(const struct view *v, const struct resource_type *t,
			     struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		for (unsigned int log = 0; has_logs(sw) && log < FMAPI_LOGS && r >= 0; log++)
			r = add_entries(sw, log, t, ix);
	}
	return r;
}

/* Return: the record of an entry, and its log in @ret_log; NULL for a resource of another view. */
static const struct fmapi_record *record_of(const struct resource *r,
					    const struct event_log_reading **ret_log)
{
	const struct fabric_switch *sw = r->object;

	for (unsigned int log = 0; log < FMAPI_LOGS; log++) {
		const char *handle = str_after_prefix(r->id, log_name(log));
		const struct event_log_reading *l = &sw->reading->logs[log];

		for (size_t i = 0; handle && i < l->n; i++) {
			if (strtoul(handle + 1, NULL, 10) != l->records[i].handle)
				continue;
			*ret_log = l;
			return &l->records[i];
		}
	}
	return NULL;
}

/* ---- LogService -------------------------------------------------------------------------------
 */

void put_switch_logs_link(const struct fabric_switch *sw, struct json_writer *w)
{
	if (has_logs(sw))
		put_link(w, "LogServices", URI_CHASSIS "/LogServices", sw->id);
}

/* A log that is full rejects new records until some are cleared, and counts them (8.2.10.2.2). */
static void render_log(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_switch *sw = r->object;
	bool overflow = false;

	(void)v;
	for (unsigned int i = 0; i < FMAPI_LOGS; i++)
		overflow |= sw->reading->logs[i].overflow;
	put_format(w, "Name", "Event log of %s", sw->id);
	put_string(w, "Description", "Records in the event logs of the switch now");
	put_bool(w, "ServiceEnabled", true);
	put_string(w, "LogEntryType", "CXL");
	put_array(w, "LogPurposes");
	put_string(w, NULL, "Diagnostic");
	put_end(w);
	put_string(w, "OverWritePolicy", "NeverOverWrites");
	put_bool(w, "Overflow", overflow);
	put_state(w, "Enabled");
	put_link(w, "Entries", "%s/Entries", r->uri);
	put_oem_begin(w, "#CXLHostLogService.v1_0_0.LogService");
	put_switch_source(sw->reading, w);
	put_oem_end(w);
}

/* ---- LogEntry ---------------------------------------------------------------------------------
 */

/* The subjects of the kinds of records, by their event types (tables 7-79 to 7-81). */
static const char *const port_events[] = {
	"a change of its link state",
	"an update of its slot status register",
};
static const char *const vcs_events[] = {
	"a change of its binding",
	"a secondary bus reset",
	"an update of its link control register",
	"an update of its slot control register",
};
static const char *const mld_events[] = {
	"correctable error",
	"non-fatal error",
	"fatal error",
};

static const struct kind {
	enum registry_message message;
	const char *const *events;
	size_t n_events;
} kinds[] = {
	[FMAPI_RECORD_OTHER] = {REGISTRY_SWITCH_RECORD, NULL, 0},
	[FMAPI_RECORD_PORT] = {REGISTRY_SWITCH_PORT_EVENT, port_events, ARRAY_SIZE(port_events)},
	[FMAPI_RECORD_VCS] = {REGISTRY_VIRTUAL_SWITCH_EVENT, vcs_events, ARRAY_SIZE(vcs_events)},
	[FMAPI_RECORD_MLD] = {REGISTRY_MLD_PORT_EVENT, mld_events, ARRAY_SIZE(mld_events)},
};

static void put_message(const struct fmapi_record *rec, struct json_writer *w)
{
	const struct kind *kind = &kinds[rec->kind];
	char event[40], port[4], vcs[4], vppb[4], uuid[EVENT_UUID_TEXT_MAX];
	const char *log = log_name(rec->log);
	const char *args[REGISTRY_ARGS_MAX] = {port, event, log};

	(void)snprintf(port, sizeof(port), "%u", (unsigned int)rec->port);
	(void)snprintf(vcs, sizeof(vcs), "%u", (unsigned int)rec->vcs);
	(void)snprintf(vppb, sizeof(vppb), "%u", (unsigned int)rec->vppb);
	if (rec->event < kind->n_events)
		(void)snprintf(event, sizeof(event), "%s", kind->events[rec->event]);
	else
		(void)snprintf(event, sizeof(event), "event type %u", (unsigned int)rec->event);
	event_uuid_text(rec->raw, uuid);
	if (rec->kind == FMAPI_RECORD_VCS) {
		args[0] = vppb;
		args[1] = vcs;
		args[2] = event;
		args[3] = log;
	} else if (rec->kind == FMAPI_RECORD_OTHER) {
		args[0] = uuid;
		args[1] = log;
	}
	put_registry_message(kind->message, args, w);
	put_string(w, "Resolution", registry_resolution(kind->message));
}

/* The header of a record as that of one which the kernel reports has it. */
static void header_of(const struct fmapi_record *rec, struct event_record *ret)
{
	*ret = (struct event_record){.type = EVENT_GENERIC};
	ret->number[FIELD_LOG] = rec->log;
	ret->number[FIELD_HDR_FLAGS] =
		(uint64_t)rec->raw[17] | (uint64_t)rec->raw[18] << 8 | (uint64_t)rec->raw[19] << 16;
	ret->present = UINT64_C(1) << FIELD_LOG | UINT64_C(1) << FIELD_HDR_FLAGS;
}

/* Return: the port of the switch with that Id, NULL when there is none. */
static const struct fabric_port *port_of(const struct fabric_switch *sw, unsigned int id)
{
	const struct port_reading *reading = switch_port(sw->reading, id);

	return reading ? switch_physical_port(sw, reading) : NULL;
}

/* A vPPB or a port that the switch reports no more is no resource: the switch is the origin then.
 */
static void put_origin(const struct view *v, const struct fabric_switch *sw,
		       const struct fmapi_record *rec, struct json_writer *w)
{
	const struct fabric_port *p = NULL;
	char uri[RESOURCE_URI_MAX] = "";

	if (rec->kind == FMAPI_RECORD_PORT || rec->kind == FMAPI_RECORD_MLD)
		p = port_of(sw, rec->port);
	if (p)
		port_uri(p, uri);
	else if (rec->kind == FMAPI_RECORD_VCS)
		(void)snprintf(uri, sizeof(uri), URI_VPPB, sw->id, (unsigned int)rec->vcs,
			       (unsigned int)rec->vppb);
	if (uri[0] && resource_find(v->index, uri))
		put_link(w, "OriginOfCondition", "%s", uri);
	else
		put_link(w, "OriginOfCondition", URI_SWITCH, sw->id);
	if (rec->kind == FMAPI_RECORD_MLD && p && p->device)
		put_link_list(w, "RelatedItem", URI_PCIE_DEVICE, p->device->id);
}

/* ---- Oem of a LogEntry ------------------------------------------------------------------------
 */

enum {
	IN_ALL = 1 << FMAPI_RECORD_OTHER | 1 << FMAPI_RECORD_PORT | 1 << FMAPI_RECORD_VCS |
		 1 << FMAPI_RECORD_MLD,
	IN_PORT = 1 << FMAPI_RECORD_PORT,
	IN_VCS = 1 << FMAPI_RECORD_VCS,
	IN_MLD = 1 << FMAPI_RECORD_MLD,
	/* Bits of the flags in the header that make other fields valid (table 8-55). */
	VALID_SUBCLASS = 1 << 6,
	VALID_LD = 1 << 7,
	VALID_HEAD = 1 << 8,
};

/* Numbers in the bytes of a record: tables 8-55 and 7-79 to 7-81. */
static const struct number {
	unsigned int kinds;
	const char *property;
	unsigned int at, size, bits; /* bytes, bytes, of it from bit 0 on */
	unsigned int valid;	     /* flag without which it is not valid; 0: always */
} numbers[] = {
	{IN_ALL, "RelatedEventRecordHandle", 0x16, 2, 16, 0},
	{IN_ALL, "MaintenanceOperationClass", 0x20, 1, 8, 0},
	{IN_ALL, "MaintenanceOperationSubclass", 0x21, 1, 8, VALID_SUBCLASS},
	{IN_ALL, "RecordLDId", 0x22, 2, 16, VALID_LD},
	{IN_ALL, "HeadId", 0x24, 1, 8, VALID_HEAD},
	{IN_PORT, "PortId", 0x30, 1, 8, 0},
	{IN_PORT, "EventType", 0x31, 1, 8, 0},
	{IN_PORT, "SlotStatus", 0x32, 2, 16, 0},
	{IN_PORT, "PortConfigurationState", 0x35, 1, 4, 0},
	{IN_PORT, "ConnectedDeviceMode", 0x36, 1, 4, 0},
	{IN_PORT, "ConnectedDeviceType", 0x38, 1, 8, 0},
	{IN_PORT, "SupportedCXLModes", 0x39, 1, 8, 0},
	{IN_PORT, "MaxLinkWidth", 0x3a, 1, 6, 0},
	{IN_PORT, "NegotiatedLinkWidth", 0x3b, 1, 6, 0},
	{IN_PORT, "SupportedLinkSpeeds", 0x3c, 1, 6, 0},
	{IN_PORT, "MaxLinkSpeed", 0x3d, 1, 6, 0},
	{IN_PORT, "CurrentLinkSpeed", 0x3e, 1, 6, 0},
	{IN_PORT, "LTSSMState", 0x3f, 1, 8, 0},
	{IN_PORT, "FirstNegotiatedLane", 0x40, 1, 8, 0},
	{IN_PORT, "LinkStateFlags", 0x41, 2, 16, 0},
	{IN_VCS, "VCSId", 0x30, 1, 8, 0},
	{IN_VCS, "VPPBId", 0x31, 1, 8, 0},
	{IN_VCS, "EventType", 0x32, 1, 8, 0},
	{IN_VCS, "BindingStatus", 0x33, 1, 8, 0},
	{IN_VCS, "BoundPortId", 0x34, 1, 8, 0},
	{IN_VCS, "BoundLDId", 0x35, 1, 8, 0},
	{IN_VCS, "LinkControl", 0x36, 2, 16, 0},
	{IN_VCS, "SlotControl", 0x38, 2, 16, 0},
	{IN_MLD, "EventType", 0x30, 1, 8, 0},
	{IN_MLD, "PortId", 0x31, 1, 8, 0},
};

static void put_numbers(const struct fmapi_record *rec, uint64_t flags, struct json_writer *w)
{
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		const struct number *n = &numbers[i];
		unsigned int value = rec->raw[n->at];

		if (!(n->kinds & 1U << rec->kind) || (n->valid && !(flags & n->valid)))
			continue;
		if (n->size == 2)
			value |= (unsigned int)rec->raw[n->at + 1] << 8;
		put_number(w, n->property, value & ((1U << n->bits) - 1));
	}
}

static void put_error_message(const struct fmapi_record *rec, struct json_writer *w)
{
	char text[2 * sizeof(rec->message) + 1];

	for (size_t i = 0; i < sizeof(rec->message); i++)
		(void)snprintf(text + 2 * i, 3, "%02x", rec->message[i]);
	put_string(w, "ErrorMessage", text);
}

static void put_oem(const struct fmapi_record *rec, const struct event_record *header,
		    struct json_writer *w)
{
	char uuid[EVENT_UUID_TEXT_MAX];

	event_uuid_text(rec->raw, uuid);
	put_oem_begin(w, "#CXLHostLogEntry.v1_0_0.LogEntry");
	put_string(w, "EventRecordUUID", uuid);
	put_hex(w, "EventRecordHandle", rec->handle);
	put_record_flags(header, w);
	put_object(w, "SwitchRecord");
	put_numbers(rec, header->number[FIELD_HDR_FLAGS], w);
	if (rec->kind == FMAPI_RECORD_MLD)
		put_error_message(rec, w);
	put_end(w);
	put_oem_end(w);
}

/* ---- LogEntry, the whole ----------------------------------------------------------------------
 */

static struct opt_u64 opt_time(uint64_t ns)
{
	return ns ? OPT_U64(ns) : (struct opt_u64){0};
}

/* The records that are missing came after the last one of the log (DSP0288 comment 2). */
static void put_overflow(const struct event_log_reading *l, struct json_writer *w)
{
	put_number(w, "OverflowErrorCount", l->n_lost);
	put_opt_time(w, "FirstOverflowTimestamp", opt_time(l->first_lost_ns));
	put_opt_time(w, "LastOverflowTimestamp", opt_time(l->last_lost_ns));
}

static void put_data(const struct fabric_switch *sw, const struct fmapi_record *rec,
		     struct json_writer *w)
{
	const struct fmapi_identity *identity = &sw->reading->identity;
	struct opt_u64 serial = {identity->serial,
				 sw->reading->has_identity && identity->serial != 0};
	uint8_t section[CPER_SECTION_SIZE];
	char uuid[EVENT_UUID_TEXT_MAX];

	_Static_assert((int)CPER_RECORD_SIZE == (int)FMAPI_RECORD_SIZE, "they are one record");
	if (serial.present)
		put_format(w, "SerialNumber", "%016" PRIx64, serial.value);
	event_uuid_text(rec->raw, uuid);
	cper_section_of_raw(rec->raw, serial, section);
	put_cper_section(section, uuid, w);
}

static void put_entry(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_switch *sw = r->object;
	const struct event_log_reading *l;
	const struct fmapi_record *rec = record_of(r, &l);
	struct event_record header;

	if (!rec)
		return;
	header_of(rec, &header);
	put_format(w, "Name", "Log Entry %s", r->id);
	put_string(w, "EntryType", "CXL");
	put_string(w, "CXLEntryType", log_name(rec->log));
	put_string(w, "Severity", event_severity_name(event_severity_of(&header)));
	put_opt_time(w, "Created", opt_time(rec->timestamp_ns));
	put_opt_time(w, "EventTimestamp", opt_time(rec->timestamp_ns));
	put_message(rec, w);
	if (l->overflow && rec == &l->records[l->n - 1])
		put_overflow(l, w);
	put_data(sw, rec, w);
	put_object(w, "Links");
	put_origin(v, sw, rec, w);
	put_end(w);
	put_oem(rec, &header, w);
}

/* Entries stand in their collection whole, as those of other logs. */
static void render_entries(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_string(w, "Name", r->type->title);
	put_array(w, "Members");
	for (const struct resource *m = r->first_member; m; m = m->next_member) {
		put_object(w, NULL);
		put_uri(w, "@odata.id", "%s", m->uri);
		put_string(w, "@odata.type", m->type->odata_type);
		put_string(w, "Id", m->id);
		put_entry(v, m, w);
		put_end(w);
	}
	put_end(w);
	put_number(w, "Members@odata.count", r->n_members);
}

static const struct resource_type switch_log_types[] = {
	{.pattern = SWITCH_LOGS,
	 COLLECTION("LogServiceCollection", "LogService", "Log Services"),
	 .enumerate = enumerate_switches,
	 .has = has_logs},
	{.pattern = SWITCH_LOGS "/FM",
	 SCHEMA("LogService", "v1_9_0"),
	 .enumerate = enumerate_switches,
	 .has = has_logs,
	 .render = render_log},
	{.pattern = SWITCH_LOGS "/FM/Entries",
	 COLLECTION_SCHEMA("LogEntryCollection", "LogEntry", "Log Entries"),
	 .enumerate = enumerate_switches,
	 .has = has_logs,
	 .render = render_entries},
	{.pattern = SWITCH_LOGS "/FM/Entries/{Log}-{LogEntry}",
	 SCHEMA("LogEntry", LOG_ENTRY_VERSION),
	 .enumerate = enumerate_entries,
	 .render = put_entry},
};

const struct resource_rows switch_log_rows = RESOURCE_ROWS(switch_log_types);
