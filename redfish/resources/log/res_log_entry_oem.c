// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The OEM properties of an event: its location, by the mapping at the time of the event, and all
// fields of the kernel's record.
#include "redfish/resources/log/log_entry_oem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "events/event_extents.h"
#include "events/event_fill.h"
#include "events/event_log.h"
#include "events/event_words.h"
#include "redfish/feed/event_message.h"
#include "redfish/core/odata.h"
#include "redfish/resources/log/log_store.h"

enum { FIELDS_TEXT_MAX = 4096 };

void put_record_flags(const struct event_record *rec, struct json_writer *w)
{
	const struct event_flag *flag;
	struct opt_u64 descriptor = event_number(rec, FIELD_DESCRIPTOR);

	put_string(w, "RecordSeverity", event_flag_severity(rec));
	if (event_number(rec, FIELD_HDR_FLAGS).present) {
		put_array(w, "RecordFlags");
		for (size_t i = 0; (flag = event_flag_at(i)); i++)
			if (event_flags_of(rec) & flag->bit)
				put_string(w, NULL, flag->name);
		put_end(w);
	}
	if (descriptor.present && (rec->type == EVENT_GENERAL_MEDIA || rec->type == EVENT_DRAM))
		put_bool(w, "Uncorrectable", descriptor.value & EVENT_DESCRIPTOR_UNCORRECTABLE);
}

static void put_record(const struct event_record *rec, struct json_writer *w)
{
	char uuid[EVENT_UUID_TEXT_MAX];

	put_string(w, "EventName", rec->event);
	if (rec->memdev[0])
		put_string(w, "KernelName", rec->memdev);
	if (rec->host[0])
		put_string(w, "KernelHost", rec->host);
	put_opt_number(w, "CPU", event_cpu(rec));
	/* As trace_pipe prints it. */
	put_format(w, "TraceTime", "%" PRIu64 ".%09" PRIu64, rec->time_ns / 1000000000,
		   rec->time_ns % 1000000000);
	if (rec->clock[0])
		put_string(w, "TraceClock", rec->clock);
	if (rec->repeat > 0)
		put_number(w, "Repeat", rec->repeat);
	if (event_uuid(rec, BYTES_HDR_UUID, uuid))
		put_string(w, "EventRecordUUID", uuid);
	put_opt_hex(w, "EventRecordHandle", event_number(rec, FIELD_HDR_HANDLE));
	put_record_flags(rec, w);
	put_opt_number(w, "LostRecords", rec->lost);
}

static void put_device_address(const struct event_record *rec, struct json_writer *w)
{
	struct opt_u64 dpa = event_number(rec, FIELD_DPA);
	struct opt_u64 length = event_number(rec, FIELD_DPA_LENGTH);

	put_opt_hex(w, "DevicePhysicalAddress", dpa);
	if (dpa.present && length.value > 0)
		put_hex(w, "DevicePhysicalAddressLast", event_dpa_last(dpa.value, length.value));
}

void put_event_extents(const struct stored_event *ev, uint64_t page_size, struct json_writer *w)
{
	static const struct event_extent_keys keys = {
		.page = "PageAddress",
		.extents = "Extents",
		.dpa = "DevicePhysicalAddress",
		.dpa_last = "DevicePhysicalAddressLast",
		.spa = "SystemPhysicalAddress",
		.spa_last = "SystemPhysicalAddressLast",
		.exact = "Exact",
		.bytes_beyond = "BytesBeyondExtents",
		.page_ranges = "PageRanges",
		.first = "First",
		.last = "Last",
	};

	event_put_extents(w, ev, page_size, &keys);
}

static void put_region(const struct exchange *x, const struct stored_event *ev,
		       struct json_writer *w)
{
	const struct event_answer *a = &ev->answer;
	const char *chunks = event_chunks(x->view, event_log_traits(log_of(x))->boot_id, ev);
	char uuid[EVENT_UUID_TEXT_MAX];

	if (a->region[0])
		put_string(w, "RegionKernelName", a->region);
	put_opt_hex(w, "RegionBaseAddress", a->region_resource);
	if (a->has_region_uuid) {
		event_uuid_text(a->region_uuid, uuid);
		put_string(w, "RegionUUID", uuid);
	}
	if (chunks)
		put_link(w, "MemoryChunks", "%s", chunks);
	put_opt_int(w, "NUMANode", a->numa_node);
	if (a->dax[0])
		put_string(w, "DAXDevice", a->dax);
}

static void put_system_address(const struct exchange *x, const struct stored_event *ev,
			       struct json_writer *w)
{
	const struct event_answer *a = &ev->answer;

	if (!event_type_has_address(ev->record.type))
		return;
	if (a->has_spa) {
		put_hex(w, "SystemPhysicalAddress", a->spa);
		put_hex(w, "SystemPhysicalAddressLast", a->spa_last);
	}
	put_bool(w, "Exact", a->exact);
	put_string(w, "TranslationSource", answer_source_name(a->source));
	if (a->reason[0])
		put_string(w, "Reason", a->reason);
	put_event_extents(ev, x->view->host->page_size, w);
	put_opt_hex(w, "KernelSystemPhysicalAddress", event_number(&ev->record, FIELD_HPA));
	put_bool(w, "KernelAddressDisagrees", a->hpa_disagrees);
	put_region(x, ev, w);
}

/* In the order that one goes from the device to a cell. */
static const struct {
	const char *property;
	enum event_field field;
} places[] = {
	{"Channel", FIELD_CHANNEL},
	{"SubChannel", FIELD_SUB_CHANNEL},
	{"Rank", FIELD_RANK},
	{"Device", FIELD_DEVICE},
	{"NibbleMask", FIELD_NIBBLE_MASK},
	{"BankGroup", FIELD_BANK_GROUP},
	{"Bank", FIELD_BANK},
	{"Row", FIELD_ROW},
	{"Column", FIELD_COLUMN},
};

/* comp_id: which DIMM, in the device's own terms (CXL 3.2 8.2.10.2.1.1, Component Identifier). */
static bool component_id(const struct event_record *rec, char ret[static EVENT_UUID_SIZE * 2 + 1])
{
	size_t len;
	const uint8_t *b = event_bytes(rec, BYTES_COMP_ID, &len);

	if (!b || len > EVENT_UUID_SIZE)
		return false;
	for (size_t i = 0; i < len; i++)
		(void)snprintf(ret + 2 * i, 3, "%02x", b[i]);
	return true;
}

static void put_location(const struct event_record *rec, struct json_writer *w)
{
	char id[EVENT_UUID_SIZE * 2 + 1];
	bool has_id = component_id(rec, id), any = has_id;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		any |= event_number(rec, places[i].field).present;
	if (!any)
		return;
	put_object(w, "Location");
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		put_opt_number(w, places[i].property, event_number(rec, places[i].field));
	if (has_id)
		put_string(w, "ComponentId", id);
	put_end(w);
}

/* The codes and flags in words. */
static void put_words(const struct event_record *rec, struct json_writer *w)
{
	put_object(w, "Decoded");
	event_words_put_properties(w, rec);
	put_end(w);
}

/* Where the device is plugged in now; it may have been moved since. */
static void put_slot(const struct exchange *x, const struct stored_event *ev, struct json_writer *w)
{
	const struct memdev *m = event_memdev(x->view->host, &ev->record);

	if (m && m->slot)
		put_string(w, "Slot", m->slot);
}

/* Byte arrays without a property of their own, as cxl-spa prints them. */
static size_t add_bytes(const struct event_record *rec, size_t n, char text[static FIELDS_TEXT_MAX])
{
	static const enum event_bytes which[] = {BYTES_COR_MASK, BYTES_HEADER_LOG};

	for (size_t i = 0; i < ARRAY_SIZE(which); i++) {
		size_t len;
		const uint8_t *b = event_bytes(rec, which[i], &len);
		const char *name = event_bytes_name(which[i]);

		/* All of it, or nothing. */
		if (!b || len == 0 || n + strlen(name) + 2 * len + 3 > FIELDS_TEXT_MAX)
			continue;
		n += (size_t)snprintf(text + n, FIELDS_TEXT_MAX - n, "%s%s=", n > 0 ? " " : "",
				      name);
		for (size_t k = 0; k < len; k++, n += 2)
			(void)snprintf(text + n, 3, "%02x", b[k]);
	}
	return n;
}

/* All numbers by the kernel's names, then the fields that this version does not know, as text:
 * "log=0x1 serial=0x5eed". */
static void put_fields(const struct event_record *rec, struct json_writer *w)
{
	char text[FIELDS_TEXT_MAX];
	size_t n = 0;

	text[0] = '\0';
	for (unsigned int f = 0; f < EVENT_FIELDS && n < sizeof(text); f++) {
		struct opt_u64 value = event_number(rec, f);
		const char *name = event_field_name(f), *gap = n > 0 ? " " : "";

		if (!value.present)
			continue;
		n += (size_t)(event_field_is_signed(f)
				      ? snprintf(text + n, sizeof(text) - n, "%s%s=%" PRId64, gap,
						 name, event_number_signed(rec, f))
				      : snprintf(text + n, sizeof(text) - n, "%s%s=0x%" PRIx64, gap,
						 name, value.value));
	}
	n = add_bytes(rec, n, text);
	if (rec->other_fields[0] && n < sizeof(text))
		(void)snprintf(text + n, sizeof(text) - n, "%s%s", n > 0 ? " " : "",
			       rec->other_fields);
	if (text[0])
		put_string(w, "Fields", text);
}

void put_log_entry_oem(const struct exchange *x, const struct stored_event *ev,
		       struct json_writer *w)
{
	put_oem_begin(w, "#CXLHostLogEntry.v1_0_0.LogEntry");
	put_record(&ev->record, w);
	put_slot(x, ev, w);
	put_device_address(&ev->record, w);
	put_system_address(x, ev, w);
	put_location(&ev->record, w);
	put_words(&ev->record, w);
	put_fields(&ev->record, w);
	put_oem_end(w);
}
