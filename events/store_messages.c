// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Messages that are delivered in order with the entries.
#include <errno.h>

#include "events/store_statements.h"
#include "events/store_transaction.h"

int store_put_message(struct store *s, const char *body, size_t len, uint64_t *ret_seq,
		      struct error *e)
{
	uint64_t seq = s->now.next;
	struct sql_binder b;
	int rc, r;

	if (len > STORE_MESSAGE_MAX)
		return error_set(e, E2BIG, "a message may have at most %d bytes",
				 STORE_MESSAGE_MAX);
	r = store_begin(s, e);
	if (r < 0)
		return r;
	b = (struct sql_binder){.stmt = store_statement(s, STMT_PUT_MESSAGE)};
	sql_bind_u64(&b, s->now.next++);
	sql_bind_text_len(&b, body, len);
	rc = b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
	b = (struct sql_binder){.stmt = store_statement(s, STMT_TRIM_MESSAGES)};
	sql_bind_int(&b, STORE_MESSAGES_MAX);
	if (rc == SQLITE_DONE)
		rc = sql_run(b.stmt);
	r = store_end(s, rc, e);
	if (r == 0)
		*ret_seq = seq;
	return r;
}
