// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Messages that are delivered in order with the entries.
#include <errno.h>

#include "events/store_statements.h"
#include "events/store_transaction.h"

static int put_one(struct store *s, const struct store_message *m)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_PUT_MESSAGE)};

	sql_bind_u64(&b, s->now.next++);
	sql_bind_text_len(&b, m->body, m->len);
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

int store_put_messages(struct store *s, const struct store_message *messages, size_t n,
		       uint64_t *ret_seq, struct error *e)
{
	uint64_t seq = s->now.next + n - 1;
	int rc = SQLITE_DONE, r;

	for (size_t i = 0; i < n; i++)
		if (messages[i].len > STORE_MESSAGE_MAX)
			return error_set(e, E2BIG, "a message may have at most %d bytes",
					 STORE_MESSAGE_MAX);
	r = store_begin(s, e);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n && rc == SQLITE_DONE; i++)
		rc = put_one(s, &messages[i]);
	if (rc == SQLITE_DONE) {
		struct sql_binder b = {.stmt = store_statement(s, STMT_TRIM_MESSAGES)};

		sql_bind_int(&b, STORE_MESSAGES_MAX);
		rc = sql_run(b.stmt);
	}
	r = store_end(s, rc, e);
	if (r == 0)
		*ret_seq = seq;
	return r;
}
