// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Any bytes as a message between the daemon and cxl-redfish-push: by the first of them a request to
// it, or its answer. Nothing is sent: a transfer that was prepared is released.
#include <curl/curl.h>

static CURLMcode keep_handle(CURLM *multi, CURL *easy);
int push_main(int argc, char **argv);

#define main push_main
#undef curl_multi_add_handle
#define curl_multi_add_handle keep_handle
#include "push/main.c"
#undef main

#include "push/client.h"
#include "tests/fuzz/fuzz_table.h"

static CURL *kept;

static CURLMcode keep_handle(CURLM *multi, CURL *easy)
{
	(void)multi;
	kept = easy;
	return CURLM_OK;
}

static void take_request(const uint8_t *data, size_t size)
{
	static char body[PUSH_REPLY_MAX];
	struct transfer *t = NULL;
	struct push_request q;
	struct push p = {0};
	char *packet;

	/* frame_receive() drops others. */
	if (size < sizeof(q) || size > PUSH_PACKET_MAX)
		return;
	packet = malloc(size);
	FUZZ_MUST(packet);
	memcpy(packet, data, size);
	if (transfer_begin(&p, packet, size) < 0)
		return;
	memcpy(&q, data, sizeof(q));
	FUZZ_MUST(p.n == 1);
	FUZZ_MUST(curl_easy_getinfo(kept, CURLINFO_PRIVATE, (char **)&t) == CURLE_OK);
	FUZZ_MUST(t && t->ticket == q.ticket);
	FUZZ_MUST(transfer_on_body(body, 1, sizeof(body), t) == sizeof(body));
	FUZZ_MUST(transfer_on_body(body, 1, 1, t) == 0);
	transfer_free(t);
}

static void take_answer(const uint8_t *data, size_t size)
{
	const struct iovec message = {(void *)(uintptr_t)data, size};
	struct push_client c;
	struct push_answer a;
	int ends[2];

	push_client_init(&c, "/nonexistent", &(struct push_files){0});
	FUZZ_MUST(frame_pair(ends) == 0);
	c.helper.fd = ends[0];
	if (frame_send(ends[1], &message, 1, PUSH_PACKET_MAX) == 0 &&
	    push_client_receive(&c, &a) == 0)
		FUZZ_MUST(size == sizeof(a) && memchr(a.text, '\0', sizeof(a.text)) &&
			  memchr(a.retry_after, '\0', sizeof(a.retry_after)) &&
			  a.body_len <= sizeof(a.body));
	c.helper.fd = -1;
	(void)close(ends[0]);
	(void)close(ends[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] % 2)
		take_answer(data + 1, size - 1);
	else
		take_request(data + 1, size - 1);
	return 0;
}
