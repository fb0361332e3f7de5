// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/record.h"

#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

static const struct {
	const char *name;
	bool is_signed;
} fields[EVENT_FIELDS] = {
	[FIELD_LOG] = {"log"},
	[FIELD_SERIAL] = {"serial"},
	[FIELD_HDR_FLAGS] = {"hdr_flags"},
	[FIELD_HDR_HANDLE] = {"hdr_handle"},
	[FIELD_HDR_RELATED_HANDLE] = {"hdr_related_handle"},
	[FIELD_HDR_TIMESTAMP] = {"hdr_timestamp"},
	[FIELD_HDR_LENGTH] = {"hdr_length"},
	[FIELD_HDR_MAINT_OP_CLASS] = {"hdr_maint_op_class"},
	[FIELD_HDR_MAINT_OP_SUB_CLASS] = {"hdr_maint_op_sub_class"},
	[FIELD_HDR_LD_ID] = {"hdr_ld_id"},
	[FIELD_HDR_HEAD_ID] = {"hdr_head_id"},
	[FIELD_DPA] = {"dpa"},
	[FIELD_DPA_FLAGS] = {"dpa_flags"},
	[FIELD_DPA_LENGTH] = {"dpa_length"},
	[FIELD_HPA] = {"hpa"},
	[FIELD_HPA_ALIAS0] = {"hpa_alias0"},
	[FIELD_DESCRIPTOR] = {"descriptor"},
	[FIELD_TYPE] = {"type"},
	[FIELD_SUB_TYPE] = {"sub_type"},
	[FIELD_TRANSACTION_TYPE] = {"transaction_type"},
	[FIELD_VALIDITY_FLAGS] = {"validity_flags"},
	[FIELD_CHANNEL] = {"channel"},
	[FIELD_RANK] = {"rank"},
	[FIELD_DEVICE] = {"device"},
	[FIELD_NIBBLE_MASK] = {"nibble_mask"},
	[FIELD_BANK_GROUP] = {"bank_group"},
	[FIELD_BANK] = {"bank"},
	[FIELD_ROW] = {"row"},
	[FIELD_COLUMN] = {"column"},
	[FIELD_SUB_CHANNEL] = {"sub_channel"},
	[FIELD_CME_THRESHOLD_EV_FLAGS] = {"cme_threshold_ev_flags"},
	[FIELD_CME_COUNT] = {"cme_count"},
	[FIELD_CVME_COUNT] = {"cvme_count"},
	[FIELD_FLAGS] = {"flags"},
	[FIELD_RESULT] = {"result"},
	[FIELD_RES_AVAIL] = {"res_avail"},
	[FIELD_EVENT_TYPE] = {"event_type"},
	[FIELD_EVENT_SUB_TYPE] = {"event_sub_type"},
	[FIELD_HEALTH_STATUS] = {"health_status"},
	[FIELD_MEDIA_STATUS] = {"media_status"},
	[FIELD_LIFE_USED] = {"life_used"},
	[FIELD_DIRTY_SHUTDOWN_CNT] = {"dirty_shutdown_cnt"},
	[FIELD_COR_VOL_ERR_CNT] = {"cor_vol_err_cnt"},
	[FIELD_COR_PER_ERR_CNT] = {"cor_per_err_cnt"},
	[FIELD_DEVICE_TEMP] = {"device_temp", .is_signed = true},
	[FIELD_ADD_STATUS] = {"add_status"},
	[FIELD_TRACE_TYPE] = {"trace_type"},
	[FIELD_SOURCE] = {"source"},
	[FIELD_OVERFLOW_TS] = {"overflow_ts"},
	[FIELD_FIRST_TS] = {"first_ts"},
	[FIELD_LAST_TS] = {"last_ts"},
	[FIELD_COUNT] = {"count"},
	[FIELD_STATUS] = {"status"},
	[FIELD_FIRST_ERROR] = {"first_error"},
};

const char *event_field_name(enum event_field field)
{
	return fields[field].name;
}

bool event_field_is_signed(enum event_field field)
{
	return fields[field].is_signed;
}

const char *event_bytes_name(enum event_bytes which)
{
	static const char *const names[EVENT_BYTES] = {
		[BYTES_HDR_UUID] = "hdr_uuid", [BYTES_REGION_UUID] = "region_uuid",
		[BYTES_COMP_ID] = "comp_id",   [BYTES_COR_MASK] = "cor_mask",
		[BYTES_DATA] = "data",	       [BYTES_HEADER_LOG] = "header_log",
	};

	return names[which];
}

struct opt_u64 event_cpu(const struct event_record *rec)
{
	if ((rec->type == EVENT_LOST && strcmp(rec->event, "lost") != 0) ||
	    opt_u64_is(event_number(rec, FIELD_TRACE_TYPE), POISON_TRACE_SCAN))
		return (struct opt_u64){0};
	return OPT_U64(rec->cpu);
}

const char *event_type_name(enum event_type type)
{
	static const char *const names[EVENT_TYPES] = {
		[EVENT_GENERAL_MEDIA] = "general_media",
		[EVENT_DRAM] = "dram",
		[EVENT_MEMORY_MODULE] = "memory_module",
		[EVENT_MEMORY_SPARING] = "memory_sparing",
		[EVENT_GENERIC] = "generic",
		[EVENT_POISON] = "poison",
		[EVENT_POISON_CLEARED] = "poison_cleared",
		[EVENT_OVERFLOW] = "overflow",
		[EVENT_AER_CORRECTABLE] = "aer_correctable",
		[EVENT_AER_UNCORRECTABLE] = "aer_uncorrectable",
		[EVENT_PORT_AER_CORRECTABLE] = "port_aer_correctable",
		[EVENT_PORT_AER_UNCORRECTABLE] = "port_aer_uncorrectable",
		[EVENT_OTHER] = "other",
		[EVENT_LOST] = "lost",
		[EVENT_LOST_AT_END] = "lost_at_end",
		[EVENT_UNREADABLE] = "unreadable",
	};

	return names[type];
}

enum event_type event_type_of_name(const char *name)
{
	for (unsigned int i = 0; i < EVENT_TYPES; i++)
		if (str_equal(event_type_name(i), name))
			return i;
	return EVENT_OTHER;
}

static const struct {
	const char *name;
	enum event_type type;
} events[] = {
	{"cxl_general_media", EVENT_GENERAL_MEDIA},
	{"cxl_dram", EVENT_DRAM},
	{"cxl_memory_module", EVENT_MEMORY_MODULE},
	{"cxl_memory_sparing", EVENT_MEMORY_SPARING},
	{"cxl_generic_event", EVENT_GENERIC},
	{"cxl_poison", EVENT_POISON},
	{"cxl_overflow", EVENT_OVERFLOW},
	{"cxl_aer_correctable_error", EVENT_AER_CORRECTABLE},
	{"cxl_aer_uncorrectable_error", EVENT_AER_UNCORRECTABLE},
	{"cxl_port_aer_correctable_error", EVENT_PORT_AER_CORRECTABLE},
	{"cxl_port_aer_uncorrectable_error", EVENT_PORT_AER_UNCORRECTABLE},
};

enum event_type event_type_of_event(const char *event)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (str_equal(event, events[i].name))
			return events[i].type;
	return EVENT_OTHER;
}

const char *event_of_type(enum event_type type)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (events[i].type == type)
			return events[i].name;
	return "";
}

bool event_type_has_address(enum event_type type)
{
	return type == EVENT_GENERAL_MEDIA || type == EVENT_DRAM || type == EVENT_POISON ||
	       type == EVENT_POISON_CLEARED;
}

const uint8_t *event_bytes(const struct event_record *rec, enum event_bytes which, size_t *ret_len)
{
	*ret_len = rec->bytes[which].len;
	return rec->bytes[which].len ? rec->payload + rec->bytes[which].at : NULL;
}
