// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Any bytes as messages of cxl-redfish-collect to the daemon, each but the last with the length of
// a message: what is given on are printable texts that end, and errors that are errors.
#include "collect/client.c"

#include <unistd.h>

#include "common/frame.h"
#include "tests/fuzz/fuzz_table.h"

enum { MESSAGES_MAX = 64 }; /* more would wait for room in the socket */

static void must_be_text(const char *text)
{
	FUZZ_MUST(strnlen(text, ERROR_TEXT_MAX) < ERROR_TEXT_MAX);
	for (; *text; text++)
		FUZZ_MUST(*text >= ' ' && *text <= '~');
}

static int take_step(void *userdata, uint64_t done, uint64_t total)
{
	unsigned int *n = userdata;

	(void)total;
	/* The one who called for it may end it. */
	return ++*n > 8 && done % 16 == 15 ? -ECANCELED : 0;
}

static void take_missed(void *userdata, const char *text)
{
	(void)userdata;
	must_be_text(text);
}

static void must_be_valid(const struct collect_run *c, int r, const struct error *e)
{
	FUZZ_MUST(r == 0 || r == 1 || (r < 0 && r > -4096));
	/* The error of the step has no sentence, and no other error is the same. */
	FUZZ_MUST(r >= 0 || (r == -ECANCELED) == !e->text[0]);
	FUZZ_MUST(!e->text[0] || (e->code == -r && r != -ETIME));
	FUZZ_MUST(c->n_named <= COLLECT_MISSED_MAX);
	must_be_text(e->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int n_steps = 0;
	const struct collect_options o = {
		.step = take_step, .missed = take_missed, .userdata = &n_steps};
	struct helper helper;
	struct collect_run c = {.o = &o, .helper = &helper};
	struct collect_totals got;
	struct error e = {0};
	int ends[2], r = 0;

	helper_init(&helper,
		    &(struct helper_options){.name = "fuzz_collect",
					     .message_max = sizeof(struct collect_answer)});
	FUZZ_MUST(frame_pair(ends) == 0);
	helper.fd = ends[0]; /* no process is started */
	for (unsigned int i = 0; i < MESSAGES_MAX && size > 0; i++) {
		const size_t n =
			size < sizeof(struct collect_answer) ? size : sizeof(struct collect_answer);
		const struct iovec message = {(void *)(uintptr_t)data, n};

		if (frame_send(ends[1], &message, 1, n) < 0)
			break;
		data += n;
		size -= n;
	}
	for (unsigned int i = 0; i < MESSAGES_MAX && r == 0; i++) {
		r = receive_answer(&c, &got, &e);
		must_be_valid(&c, r, &e);
	}
	(void)close(ends[0]);
	(void)close(ends[1]);
	return 0;
}
