// SPDX-License-Identifier: LGPL-2.1-or-later
//
// One event in a log: LogEntry.
#include "redfish/resources/log/log_entry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <gnutls/gnutls.h>

#include "common/strutil.h"
#include "events/event_log.h"
#include "events/store_reader.h"
#include "redfish/feed/event_message.h"
#include "redfish/resources/log/cper_section.h"
#include "redfish/resources/log/log_entry_oem.h"
#include "redfish/resources/mapping.h"
#include "redfish/service/body_check.h"
#include "redfish/service/show_change.h"
#include "redfish/view/view.h"
#include "redfish/core/odata.h"

#define LINUX_TRACE_RECORD "LinuxTraceRecord"

static void put_bytes(const uint8_t *bytes, size_t len, struct json_writer *w)
{
	const gnutls_datum_t in = {.data = (unsigned char *)(uintptr_t)bytes,
				   .size = (unsigned int)len};
	gnutls_datum_t text = {0};

	if (gnutls_base64_encode2(&in, &text) == 0)
		put_string(w, "DiagnosticData", (const char *)text.data);
	gnutls_free(text.data);
}

void put_cper_section(const uint8_t section[static CPER_SECTION_SIZE], const char *uuid,
		      struct json_writer *w)
{
	put_string(w, "DiagnosticDataType", "CPERSection");
	put_bytes(section, CPER_SECTION_SIZE, w);
	put_object(w, "CPER");
	put_string(w, "SectionType", uuid);
	put_end(w);
}

/* The device's record; the kernel's for other events. */
static void put_diagnostic_data(const struct event_record *rec, struct json_writer *w)
{
	uint8_t section[CPER_SECTION_SIZE];
	char uuid[EVENT_UUID_TEXT_MAX];

	if (event_uuid(rec, BYTES_HDR_UUID, uuid) && cper_section(rec, section)) {
		put_cper_section(section, uuid, w);
		return;
	}
	if (rec->payload_len == 0 || rec->payload_len > EVENT_PAYLOAD_MAX)
		return;
	put_string(w, "DiagnosticDataType", "OEM");
	put_string(w, "OEMDiagnosticDataType", LINUX_TRACE_RECORD);
	put_bytes(rec->payload, rec->payload_len, w);
}

static void put_links(const struct exchange *x, const struct stored_event *ev,
		      struct json_writer *w)
{
	const char *origin = event_origin(x->view, ev);
	const char *chunks = event_chunks(x->view, event_log_traits(log_of(x))->boot_id, ev);
	bool of_port = ev->record.type == EVENT_PORT_AER_CORRECTABLE ||
		       ev->record.type == EVENT_PORT_AER_UNCORRECTABLE;

	if (!origin && (ev->device[0] || of_port))
		put_bool(w, "OriginOfConditionUnavailable", true);
	if (!origin && !chunks)
		return;
	put_object(w, "Links");
	if (origin)
		put_link(w, "OriginOfCondition", "%s", origin);
	if (chunks)
		put_link_list(w, "RelatedItem", "%s", chunks);
	put_end(w);
}

/*
 * A report of a device's log is a CXL entry, and the type is that log. All else has a message of
 * the registry; what the kernel means by an event that is not known here is in its record only.
 */
static void put_entry_type(const struct stored_event *ev, struct json_writer *w)
{
	const char *log = ev->record.type == EVENT_OTHER ? NULL : event_log_name(ev);

	put_string(w, "EntryType", log ? "CXL" : ev->record.type == EVENT_OTHER ? "Oem" : "Event");
	put_string(w, "CXLEntryType", log);
	if (ev->record.type == EVENT_OTHER)
		put_string(w, "OemRecordFormat", LINUX_TRACE_RECORD);
}

void put_log_entry(const struct exchange *x, const struct stored_event *ev,
		   const struct log_overflow *overflow, struct json_writer *w)
{
	const struct event_record *rec = &ev->record;
	struct opt_u64 device_time = event_number(rec, FIELD_HDR_TIMESTAMP);
	struct opt_u64 serial = event_number(rec, FIELD_SERIAL);

	put_format(w, "Name", "Log Entry %" PRIu64, ev->seq);
	put_entry_type(ev, w);
	put_string(w, "Severity", event_severity_name(ev->severity));
	put_opt_time(w, "Created", event_created(rec));
	put_opt_time(w, "EventTimestamp", device_time);
	put_event_message(w, ev);
	put_format(w, "EventId", "%" PRIu64, ev->seq);
	put_bool(w, "Resolved", ev->resolved);
	if (serial.value != 0)
		put_format(w, "SerialNumber", "%016" PRIx64, serial.value);
	if (overflow->happened) {
		put_opt_number(w, "OverflowErrorCount", overflow->count);
		put_opt_time(w, "FirstOverflowTimestamp", overflow->first_ns);
		put_opt_time(w, "LastOverflowTimestamp", overflow->last_ns);
	}
	put_diagnostic_data(rec, w);
	put_links(x, ev, w);
	put_log_entry_oem(x, ev, w);
}

/* ---- the resource ------------------------------------------------------------------------------
 */

/* Reads the entry that the URI names. Return: 0; -EINVAL with an error message; or as
 * store_read_one(). */
static int read_entry(struct exchange *x, struct store_reader *r, struct stored_event *ret)
{
	const char *id = x->resource->id, *device = log_device(x);
	uint64_t seq;
	int result;

	/* Only the canonical form of a number is an Id. */
	if (strspn(id, "0123456789") != strlen(id) || id[0] == '0' || parse_u64(id, &seq) < 0)
		return exchange_missing(x);
	result = store_read_one(r, seq, ret, NULL);
	if (result == -ENOENT || (result >= 0 && device && !str_equal(device, ret->device)))
		return exchange_missing(x);
	return result;
}

int get_log_entry(struct exchange *x)
{
	struct log_overflow overflow = {0};
	struct store_reader *r;
	struct stored_event ev;
	int result;

	if (!log_of(x))
		return exchange_missing(x);
	result = event_log_reader_get(log_of(x), &r, NULL);
	if (result < 0)
		return result;
	result = read_entry(x, r, &ev);
	if (result >= 0)
		result = log_overflow_after(r, &ev, &overflow);
	if (result >= 0)
		put_log_entry(x, &ev, &overflow, &x->w);
	event_log_reader_put(log_of(x), r, result == -EINVAL ? 0 : result);
	return result;
}

static const struct parameter patch_rows[] = {
	{.name = "Resolved", .type = PARAMETER_BOOLEAN, .description = "whether the cause is gone"},
};

const struct parameters log_entry_patch_body = {PARAMETER_ROWS(patch_rows)};

struct resolution {
	uint64_t seq;
	bool resolved;
};

static int entry_resolve(struct store *store, void *userdata)
{
	const struct resolution *r = userdata;

	return store_resolve(store, r->seq, r->resolved, NULL);
}

static int resolve_entry(struct exchange *x, void *state)
{
	struct resolution *change = state;
	struct store_reader *r;
	struct stored_event ev;
	int result;

	result = event_log_reader_get(log_of(x), &r, NULL);
	if (result < 0)
		return result;
	result = read_entry(x, r, &ev);
	event_log_reader_put(log_of(x), r, result == -EINVAL ? 0 : result);
	if (result < 0)
		return result;
	change->seq = ev.seq;
	result = event_log_do(log_of(x), entry_resolve, change);
	if (result >= 0)
		show_change(x, VIEW_INPUT_EVENT_HEALTH);
	return result == -ENOENT ? exchange_missing(x) : result;
}

static const struct continuation resolving = {
	.class = JOB_STORE,
	.run = resolve_entry,
	.free = free,
};

int patch_log_entry(struct exchange *x)
{
	struct resolution *change;

	if (!log_of(x))
		return exchange_missing(x);
	change = calloc(1, sizeof(*change));
	if (!change)
		return -ENOMEM;
	change->resolved = body_boolean(x, "Resolved").value;
	return exchange_continue(x, &resolving, change);
}
