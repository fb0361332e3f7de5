/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_FMAPI_EVENTS_H
#define CXLR_MAILBOX_FMAPI_EVENTS_H

/*
 * Event records of a switch: Get Event Records (0100h), which removes nothing from the log, and the
 * records of fabric management. Pure functions on plain data; any thread. Payloads are untrusted,
 * as in fmapi.h.
 *
 * Sources: CXL 3.2 8.2.10.2.1 (common record), 8.2.10.2.2 (Get Event Records), 7.6.8 (records).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fmapi_event_log {
	FMAPI_LOG_INFORMATIONAL,
	FMAPI_LOG_WARNING,
	FMAPI_LOG_FAILURE,
	FMAPI_LOG_FATAL,
	FMAPI_LOGS
};

enum { FMAPI_RECORD_SIZE = 128, FMAPI_RECORDS_HEAD = 32 };

enum fmapi_record_kind {
	FMAPI_RECORD_OTHER, /* its UUID is none of these; `raw` has it */
	FMAPI_RECORD_PORT,  /* Physical Switch Event Record */
	FMAPI_RECORD_VCS,   /* Virtual CXL Switch Event Record */
	FMAPI_RECORD_MLD,   /* MLD Port Event Record */
};

struct fmapi_record {
	enum fmapi_record_kind kind;
	uint8_t log;	  /* enum fmapi_event_log: the one it was read from */
	uint8_t severity; /* of the record's flags: enum fmapi_event_log */
	uint16_t handle, related_handle;
	uint64_t timestamp_ns; /* since 1970 UTC; 0: the switch has no time */
	uint8_t event;	       /* its type, of the record's kind */
	uint8_t port;	       /* FMAPI_RECORD_PORT and FMAPI_RECORD_MLD; bound one of VCS */
	uint8_t vcs, vppb, binding, ld; /* FMAPI_RECORD_VCS */
	uint8_t message[8];		/* FMAPI_RECORD_MLD: the PCIe error message */
	uint8_t raw[FMAPI_RECORD_SIZE];
};

struct fmapi_records {
	bool overflow, more;
	uint16_t n_lost; /* by the overflow */
	uint64_t first_lost_ns, last_lost_ns;
	size_t n; /* records that follow in the payload */
};

/* Return: the length of the input, 1; -EMSGSIZE. */
int fmapi_encode_get_event_records(enum fmapi_event_log log, uint8_t *p, size_t size);

/*
 * fmapi_decode_event_records() - decode a reply
 * @records: @max of them
 *
 * Return: 0; -EBADMSG when it is shorter than its count says, or has more than @max records.
 */
int fmapi_decode_event_records(const uint8_t *p, size_t len, enum fmapi_event_log log,
			       struct fmapi_records *ret, struct fmapi_record *records, size_t max);

#endif
