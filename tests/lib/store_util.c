// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/store_util.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t made_random(uint64_t i)
{
	i += UINT64_C(0x9e3779b97f4a7c15);
	i = (i ^ (i >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	i = (i ^ (i >> 27)) * UINT64_C(0x94d049bb133111eb);
	return i ^ (i >> 31);
}

static void set(struct event_record *rec, enum event_field field, uint64_t value)
{
	rec->number[field] = value;
	rec->present |= UINT64_C(1) << field;
}

static void make_numbers(uint64_t i, uint64_t dpa, struct event_record *rec)
{
	set(rec, FIELD_LOG, i % 4);
	set(rec, FIELD_SERIAL, 0x5eed0000 + i % MADE_DEVICES);
	set(rec, FIELD_HDR_FLAGS, 0x40);
	set(rec, FIELD_HDR_HANDLE, i & 0xffff);
	set(rec, FIELD_HDR_RELATED_HANDLE, 0);
	set(rec, FIELD_HDR_TIMESTAMP, MADE_TIME + i * 1000000);
	set(rec, FIELD_HDR_LENGTH, 0x80);
	set(rec, FIELD_HDR_MAINT_OP_CLASS, 1);
	set(rec, FIELD_DPA, dpa);
	set(rec, FIELD_DPA_FLAGS, 1);
	set(rec, FIELD_HPA, MADE_SPA + dpa);
	set(rec, FIELD_DESCRIPTOR, 3);
	set(rec, FIELD_TYPE, 2);
	set(rec, FIELD_TRANSACTION_TYPE, 4);
	set(rec, FIELD_VALIDITY_FLAGS, 0xff);
	for (unsigned int f = FIELD_CHANNEL; f <= FIELD_COLUMN; f++)
		set(rec, f, made_random(i + f) & 0xff);
}

static void make_payload(uint64_t i, struct event_record *rec)
{
	for (unsigned int k = 0; k < MADE_PAYLOAD; k++)
		rec->payload[k] = (uint8_t)(i >> (k % 8 * 8) ^ k);
	rec->payload_len = MADE_PAYLOAD;
	rec->payload_whole = MADE_PAYLOAD;
	/* The UUID of DRAM event records stands where the kernel has it: one for all. */
	memset(rec->payload + 32, 0x60, 16);
	rec->bytes[BYTES_HDR_UUID].at = 32;
	rec->bytes[BYTES_HDR_UUID].len = 16;
	rec->bytes[BYTES_COR_MASK].at = 64;
	rec->bytes[BYTES_COR_MASK].len = 32;
}

static void make_answer(uint64_t spa, struct event_answer *a)
{
	a->source = SOURCE_DECODER;
	a->has_spa = true;
	a->exact = true;
	a->spa = spa;
	a->spa_last = spa;
	strcpy(a->region, "region0");
	a->region_resource = OPT_U64(MADE_SPA);
	a->has_region_uuid = true;
	memset(a->region_uuid, 0x11, sizeof(a->region_uuid));
	a->numa_node = OPT_INT(1);
	strcpy(a->dax, "dax0.0");
}

void made_event(uint64_t i, struct stored_event *ret)
{
	uint64_t dpa = made_random(i) % MADE_SIZE & ~UINT64_C(63);
	struct event_record *rec = &ret->record;

	*ret = (struct stored_event){
		.severity = made_random(i + 1) % 1000 == 0 ? EVENT_CRITICAL : EVENT_WARNING,
		.stored_ns = MADE_TIME + i * 1000000 + 500,
		.boot_id = {1, 2, 3, 4},
		.live = true,
	};
	(void)snprintf(ret->device, sizeof(ret->device), "cxl-%u",
		       (unsigned int)(i % MADE_DEVICES));
	rec->type = EVENT_DRAM;
	strcpy(rec->event, "cxl_dram");
	rec->cpu = (unsigned int)(i % 16);
	rec->time_ns = i * 1000000;
	rec->repeat = 2;
	strcpy(rec->clock, "boot");
	rec->wall_ns = OPT_U64(MADE_TIME + i * 1000000);
	(void)snprintf(rec->memdev, sizeof(rec->memdev), "mem%u", (unsigned int)(i % MADE_DEVICES));
	strcpy(rec->host, "0000:0d:00.0");
	strcpy(rec->region, "region0");
	make_numbers(i, dpa, rec);
	make_payload(i, rec);
	strcpy(rec->other_fields, "new_field=0x7");
	make_answer(MADE_SPA + dpa, &ret->answer);
}
