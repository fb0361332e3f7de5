// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/fmapi_events.h"

#include <errno.h>
#include <string.h>

#include "common/array.h"
#include "common/little_endian.h"
#include "mailbox/fmapi.h"

enum {
	FLAG_OVERFLOW = 1 << 0,
	FLAG_MORE = 1 << 1,
	SEVERITY_MASK = 3,
	UUID_SIZE = 16,
	BODY = 0x30, /* of a record, after what all have in common */
};

static const struct {
	uint8_t uuid[UUID_SIZE];
	enum fmapi_record_kind kind;
} kinds[] = {
	/* 77cf9271-9c02-470b-9fe4-bc7b75f2da97 */
	{{0x77, 0xcf, 0x92, 0x71, 0x9c, 0x02, 0x47, 0x0b, 0x9f, 0xe4, 0xbc, 0x7b, 0x75, 0xf2, 0xda,
	  0x97},
	 FMAPI_RECORD_PORT},
	/* 40d26425-3396-4c4d-a5da-3d47263af425 */
	{{0x40, 0xd2, 0x64, 0x25, 0x33, 0x96, 0x4c, 0x4d, 0xa5, 0xda, 0x3d, 0x47, 0x26, 0x3a, 0xf4,
	  0x25},
	 FMAPI_RECORD_VCS},
	/* 8dc44363-0c96-4710-b7bf-04bb99534c3f */
	{{0x8d, 0xc4, 0x43, 0x63, 0x0c, 0x96, 0x47, 0x10, 0xb7, 0xbf, 0x04, 0xbb, 0x99, 0x53, 0x4c,
	  0x3f},
	 FMAPI_RECORD_MLD},
};

int fmapi_encode_get_event_records(enum fmapi_event_log log, uint8_t *p, size_t size)
{
	if (size < 1)
		return -EMSGSIZE;
	p[0] = (uint8_t)log;
	return 1;
}

static enum fmapi_record_kind kind_of(const uint8_t *uuid)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (memcmp(kinds[i].uuid, uuid, UUID_SIZE) == 0)
			return kinds[i].kind;
	return FMAPI_RECORD_OTHER;
}

/*
 * From 30h on. Port: 0 port; 1 event. VCS: 0 VCS; 1 vPPB; 2 event; 3 binding; 4 port; 5 LD.
 * MLD port: 0 event; 1 port; 4 message (8).
 */
static void decode_body(const uint8_t *b, struct fmapi_record *r)
{
	switch (r->kind) {
	case FMAPI_RECORD_PORT:
		r->port = b[0];
		r->event = b[1];
		break;
	case FMAPI_RECORD_VCS:
		r->vcs = b[0];
		r->vppb = b[1];
		r->event = b[2];
		r->binding = b[3];
		if (r->binding == FMAPI_BOUND_PORT || r->binding == FMAPI_BOUND_LD)
			r->port = b[4];
		if (r->binding == FMAPI_BOUND_LD)
			r->ld = b[5];
		break;
	case FMAPI_RECORD_MLD:
		r->event = b[0];
		r->port = b[1];
		memcpy(r->message, b + 4, sizeof(r->message));
		break;
	case FMAPI_RECORD_OTHER:
		break;
	}
}

/* 0 UUID; 11h flags (3); 14h handle (2); 16h related handle (2); 18h timestamp (8) */
static void decode_record(const uint8_t *p, enum fmapi_event_log log, struct fmapi_record *r)
{
	*r = (struct fmapi_record){
		.kind = kind_of(p),
		.log = (uint8_t)log,
		.severity = p[0x11] & SEVERITY_MASK,
		.handle = le16(p + 0x14),
		.related_handle = le16(p + 0x16),
		.timestamp_ns = le64(p + 0x18),
	};
	memcpy(r->raw, p, sizeof(r->raw));
	decode_body(p + BODY, r);
}

/* 0 flags; 2 lost records (2); 4 first of them (8); 12 last of them (8); 14h records (2); 20h
 * records */
int fmapi_decode_event_records(const uint8_t *p, size_t len, enum fmapi_event_log log,
			       struct fmapi_records *ret, struct fmapi_record *records, size_t max)
{
	size_t n;

	if (len < FMAPI_RECORDS_HEAD)
		return -EBADMSG;
	n = le16(p + 0x14);
	if (n > max || n > (len - FMAPI_RECORDS_HEAD) / FMAPI_RECORD_SIZE)
		return -EBADMSG;
	*ret = (struct fmapi_records){.more = (p[0] & FLAG_MORE) != 0, .n = n};
	if (p[0] & FLAG_OVERFLOW) {
		ret->overflow = true;
		ret->n_lost = le16(p + 2);
		ret->first_lost_ns = le64(p + 4);
		ret->last_lost_ns = le64(p + 12);
	}
	for (size_t i = 0; i < n; i++)
		decode_record(p + FMAPI_RECORDS_HEAD + i * FMAPI_RECORD_SIZE, log, &records[i]);
	return 0;
}
