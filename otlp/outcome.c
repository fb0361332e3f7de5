// SPDX-License-Identifier: LGPL-2.1-or-later
#include "otlp/outcome.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/array.h"
#include "common/opt.h"
#include "common/strutil.h"

#define LACKS_CREDENTIALS "check otlp-headers-file and otlp-certificate"

/* ---- delays -----------------------------------------------------------------------------------
 */

/* Between 0 and twice as long after each failure: full jitter. */
static uint64_t backoff_ms(const struct otlp_attempt *a)
{
	uint64_t window = (uint64_t)OTLP_BACKOFF_FIRST_MS << (a->failures < 16 ? a->failures : 16);

	if (window > OTLP_BACKOFF_MAX_MS)
		window = OTLP_BACKOFF_MAX_MS;
	return a->random % (window + 1);
}

/* The three forms of a date that HTTP has (RFC 9110 5.6.7). */
static struct opt_u64 date_of(const char *text)
{
	static const char *const forms[] = {"%a, %d %b %Y %H:%M:%S GMT",
					    "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %d %H:%M:%S %Y"};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct tm tm = {0};
		const char *end = strptime(text, forms[i], &tm);
		const time_t at = end && *end == '\0' ? timegm(&tm) : -1;

		if (at >= 0)
			return OPT_U64((uint64_t)at);
	}
	return (struct opt_u64){0};
}

/* Return: the seconds that a Retry-After asks for; absent when it is none. */
static struct opt_u64 retry_after_s(const char *text, uint64_t now_s)
{
	struct opt_u64 date;
	uint64_t n;

	if (text[0] == '\0')
		return (struct opt_u64){0};
	if (strspn(text, "0123456789") == strlen(text))
		return OPT_U64(parse_u64(text, &n) == 0 ? n : OTLP_RETRY_AFTER_MAX_S);
	date = date_of(text);
	if (date.present)
		date.value = date.value > now_s ? date.value - now_s : 0;
	return date;
}

/* Up to an eighth longer, because many hosts wait for one collector. */
static uint64_t with_jitter(uint64_t ms, const struct otlp_attempt *a)
{
	return ms + a->random % (ms / 8 + 1);
}

uint64_t otlp_retry_ms(const struct otlp_answer *answer, const struct otlp_attempt *a)
{
	const struct opt_u64 s = retry_after_s(answer->retry_after, a->now_s);
	const uint64_t most = UINT64_C(1000) * OTLP_RETRY_AFTER_MAX_S;
	uint64_t ms;

	if (!s.present)
		return backoff_ms(a);
	if (s.value >= OTLP_RETRY_AFTER_MAX_S)
		return most;
	ms = s.value * 1000 > OTLP_BACKOFF_FIRST_MS ? s.value * 1000 : OTLP_BACKOFF_FIRST_MS;
	ms = with_jitter(ms, a);
	return ms < most ? ms : most;
}

/* ---- outcomes ---------------------------------------------------------------------------------
 */

/* The statuses that block, with what is to be done; any other one that is no success does, too. */
static const struct {
	unsigned int status;
	const char *remedy;
} remedies[] = {
	{401, LACKS_CREDENTIALS},
	{403, LACKS_CREDENTIALS},
	{404, "check the path of otlp, and that the collector takes this signal"},
	{405, "check the URL of otlp"},
	{415, "check otlp-encoding"},
};

static const char *remedy_of(unsigned int status)
{
	for (size_t i = 0; i < ARRAY_SIZE(remedies); i++)
		if (remedies[i].status == status)
			return remedies[i].remedy;
	return status / 100 == 3 ? "redirections are not followed; check the URL of otlp"
				 : "look at the log of the collector";
}

static void set_blocked(struct otlp_outcome *o, unsigned int status, const char *said)
{
	o->action = OTLP_BLOCKED;
	(void)snprintf(o->text, sizeof(o->text), "HTTP status %u%s%.100s: %s", status,
		       said[0] ? ", " : "", said, remedy_of(status));
}

static void set_sent(const struct otlp_answer *answer, const struct otlp_attempt *attempt,
		     struct otlp_outcome *o)
{
	struct otlp_partial p;

	if (otlp_read_partial(&answer->body, &p) < 0) {
		o->action = OTLP_BLOCKED;
		(void)snprintf(
			o->text, sizeof(o->text),
			"HTTP status %u with a body that is no answer of OTLP: check the URL of otlp, and otlp-encoding",
			answer->status);
		return;
	}
	o->action = OTLP_SENT;
	o->rejected = p.rejected < attempt->n_records ? p.rejected : attempt->n_records;
	memcpy(o->text, p.text, sizeof(o->text));
}

static void set_retry(const struct otlp_answer *answer, const struct otlp_attempt *attempt,
		      struct otlp_outcome *o)
{
	o->action = OTLP_RETRY;
	o->after_ms = otlp_retry_ms(answer, attempt);
	if (answer->status)
		(void)snprintf(o->text, sizeof(o->text), "HTTP status %u", answer->status);
	else
		(void)snprintf(o->text, sizeof(o->text), "%.150s", answer->text);
}

/* The collector cannot read one of the records, or not so many. */
static void set_unreadable(unsigned int status, const char *said,
			   const struct otlp_attempt *attempt, struct otlp_outcome *o)
{
	o->action = attempt->n_records > 1 ? OTLP_HALVE : OTLP_SKIP;
	(void)snprintf(o->text, sizeof(o->text), "HTTP status %u%s%.150s", status,
		       said[0] ? ", " : "", said);
}

static void set_refused(const struct otlp_answer *answer, struct otlp_outcome *o)
{
	o->action = OTLP_BLOCKED;
	(void)snprintf(o->text, sizeof(o->text),
		       "the address %.64s of the collector is not allowed: add it to push-allow",
		       answer->text);
}

static void find_outcome(const struct otlp_answer *answer, const struct otlp_attempt *attempt,
			 struct otlp_outcome *ret)
{
	const unsigned int status = answer->status;
	char said[OTLP_TEXT_MAX] = "";

	if (answer->refused) {
		set_refused(answer, ret);
		return;
	}
	if (status >= 200 && status < 300) {
		set_sent(answer, attempt, ret);
		return;
	}
	if (status == 0 || status == 429 || status == 502 || status == 503 || status == 504) {
		set_retry(answer, attempt, ret);
		return;
	}
	otlp_read_status(&answer->body, said);
	if (status == 400 || status == 413)
		set_unreadable(status, said, attempt, ret);
	else
		set_blocked(ret, status, said);
}

void otlp_outcome(const struct otlp_answer *answer, const struct otlp_attempt *attempt,
		  struct otlp_outcome *ret)
{
	*ret = (struct otlp_outcome){0};
	find_outcome(answer, attempt, ret);
	if (ret->action == OTLP_BLOCKED)
		ret->after_ms = with_jitter(OTLP_BLOCKED_MS, attempt);
	/* It may have a text of the other side. */
	str_make_plain(ret->text);
}
