// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfish-push: sends the HTTP requests of the daemon. A process of its own, so that the
// daemon needs no memory for libcurl, and a fault in parsing untrusted responses does not affect
// it.
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <curl/curl.h>

#include "common/array.h"
#include "common/frame.h"
#include "common/helper.h"
#include "common/log.h"
#include "common/privileges.h"
#include "push/destinations.h"
#include "push/protocol.h"

struct transfer {
	uint64_t ticket;
	CURL *easy;
	struct curl_slist *headers;
	char *packet; /* URL, headers and body point into it */
	size_t seen;  /* bytes of the response's body */
	bool to_collector;
	uint8_t body[PUSH_BODY_MAX]; /* the first of them */
	const struct push_allow *allow;
	char refused[PUSH_ADDRESS_MAX]; /* an address that is not allowed; "" none */
	char error[CURL_ERROR_SIZE];
};

struct push {
	CURLM *multi;
	struct push_files files; /* NULL: none */
	struct push_allow allow;
	size_t n;
};

static void transfer_free(struct transfer *t)
{
	if (!t)
		return;
	curl_easy_cleanup(t->easy);
	curl_slist_free_all(t->headers);
	free(t->packet);
	free(t);
}

/* A transfer with a too long body is aborted. */
static size_t transfer_on_body(char *data, size_t size, size_t n, void *userdata)
{
	struct transfer *t = userdata;
	const size_t room = t->seen < sizeof(t->body) ? sizeof(t->body) - t->seen : 0;

	if (room)
		memcpy(t->body + t->seen, data, size * n < room ? size * n : room);
	t->seen += size * n;
	return t->seen > PUSH_REPLY_MAX ? 0 : size * n;
}

/* Whatever a name was resolved to, and whichever way: nothing connects otherwise. */
static curl_socket_t transfer_open_socket(void *userdata, curlsocktype purpose,
					  struct curl_sockaddr *address)
{
	struct transfer *t = userdata;
	char text[PUSH_ADDRESS_MAX];

	(void)purpose;
	if (!push_allow_admits(t->allow, &address->addr, text)) {
		memcpy(t->refused, text, sizeof(t->refused));
		return CURL_SOCKET_BAD;
	}
	return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static int transfer_add_headers(struct transfer *t, const char *at, size_t len)
{
	static const char *const ours[] = {"Expect:", "OData-Version: 4.0",
					   "Content-Type: application/json;charset=utf-8"};
	struct curl_slist *list;

	for (size_t i = 0; i < (t->to_collector ? 1 : ARRAY_SIZE(ours)); i++) {
		list = curl_slist_append(t->headers, ours[i]);
		if (!list)
			return -1;
		t->headers = list;
	}
	for (const char *end = at + len; at < end; at += strlen(at) + 1) {
		list = curl_slist_append(t->headers, at);
		if (!list)
			return -1;
		t->headers = list;
	}
	return 0;
}

static bool set_file(CURL *c, CURLoption option, const char *path)
{
	return !path || curl_easy_setopt(c, option, path) == CURLE_OK;
}

/* The authorities that the receiver is verified by, and the certificate that it gets. */
static bool transfer_set_certificates(const struct push *p, struct transfer *t)
{
	if (!t->to_collector)
		return set_file(t->easy, CURLOPT_CAINFO, p->files.ca_file);
	return set_file(t->easy, CURLOPT_CAINFO, p->files.collector_ca) &&
	       set_file(t->easy, CURLOPT_SSLCERT, p->files.collector_certificate) &&
	       set_file(t->easy, CURLOPT_SSLKEY, p->files.collector_key);
}

static bool transfer_set_body(struct transfer *t, const struct push_request *q, const char *body)
{
	CURL *c = t->easy;

	if (q->flags & PUSH_GET)
		return curl_easy_setopt(c, CURLOPT_HTTPGET, 1L) == CURLE_OK;
	return curl_easy_setopt(c, CURLOPT_POST, 1L) == CURLE_OK &&
	       curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE, (long)q->body_len) == CURLE_OK &&
	       curl_easy_setopt(c, CURLOPT_POSTFIELDS, body) == CURLE_OK;
}

static int transfer_set_options(struct push *p, struct transfer *t, const struct push_request *q,
				const char *url, const char *body)
{
	long verify = q->flags & PUSH_VERIFY ? 1 : 0;
	CURL *c = t->easy;
	bool ok;

	ok = curl_easy_setopt(c, CURLOPT_URL, url) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, transfer_open_socket) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, t) == CURLE_OK &&
	     /* Proxies of the environment are not used. */
	     curl_easy_setopt(c, CURLOPT_PROXY, "") == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, (long)PUSH_CONNECT_SECONDS) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_TIMEOUT, (long)PUSH_SECONDS) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, verify) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_SSL_VERIFYHOST, verify ? 2L : 0L) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_HTTPHEADER, t->headers) == CURLE_OK &&
	     transfer_set_body(t, q, body) &&
	     curl_easy_setopt(c, CURLOPT_USERAGENT, PACKAGE_NAME "/" PACKAGE_VERSION) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, transfer_on_body) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_WRITEDATA, t) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_ERRORBUFFER, t->error) == CURLE_OK &&
	     curl_easy_setopt(c, CURLOPT_PRIVATE, t) == CURLE_OK && transfer_set_certificates(p, t);
	return ok ? 0 : -1;
}

/* @packet: freed with the transfer. Return: -1 when out of memory, or the request is invalid. */
static int transfer_begin(struct push *p, char *packet, size_t len)
{
	struct transfer *t = calloc(1, sizeof(*t));
	struct push_request q;
	char url[PUSH_URL_MAX + 1];
	const char *at = packet + sizeof(q);

	if (!t) {
		free(packet);
		return -1;
	}
	t->packet = packet;
	memcpy(&q, packet, sizeof(q));
	if (q.url_len > PUSH_URL_MAX ||
	    sizeof(q) + (uint64_t)q.url_len + q.headers_len + q.body_len != len ||
	    (q.headers_len && at[q.url_len + q.headers_len - 1] != '\0'))
		goto failed;
	memcpy(url, at, q.url_len);
	url[q.url_len] = '\0';
	t->ticket = q.ticket;
	t->to_collector = q.flags & PUSH_COLLECTOR;
	t->allow = &p->allow;
	t->easy = curl_easy_init();
	if (!t->easy || transfer_add_headers(t, at + q.url_len, q.headers_len) < 0 ||
	    transfer_set_options(p, t, &q, url, at + q.url_len + q.headers_len) < 0 ||
	    curl_multi_add_handle(p->multi, t->easy) != CURLM_OK)
		goto failed;
	p->n++;
	return 0;
failed:
	transfer_free(t);
	return -1;
}

/* Return: 1 when a request was received, 0 when there is none now, -1 to end. */
static int push_take_request(struct push *p)
{
	char *packet = malloc(PUSH_PACKET_MAX);
	size_t len;
	int r;

	if (!packet)
		return -1;
	r = frame_receive(HELPER_FD, packet, sizeof(struct push_request), PUSH_PACKET_MAX, &len);
	if (r < 0) {
		free(packet);
		return r == -EAGAIN ? 0 : -1;
	}
	return transfer_begin(p, packet, len) < 0 ? -1 : 1;
}

/*
 * After the status it does not matter how the rest of the response ends, but that of a collector,
 * which says how many records it has rejected.
 */
static bool has_response(const struct transfer *t, long status, CURLcode result)
{
	return status >= 200 &&
	       (!t->to_collector || result == CURLE_OK || t->seen > PUSH_REPLY_MAX);
}

static void take_response(CURL *easy, const struct transfer *t, struct push_answer *a)
{
	struct curl_header *h;

	a->body_cut = t->seen > sizeof(t->body);
	a->body_len = (uint32_t)(a->body_cut ? sizeof(t->body) : t->seen);
	memcpy(a->body, t->body, a->body_len);
	if (curl_easy_header(easy, "Retry-After", 0, CURLH_HEADER, -1, &h) == CURLHE_OK &&
	    strlen(h->value) < sizeof(a->retry_after))
		(void)snprintf(a->retry_after, sizeof(a->retry_after), "%s", h->value);
}

static int transfer_finish(struct push *p, CURL *easy, CURLcode result)
{
	struct push_answer a = {0};
	struct transfer *t = NULL;
	long status = 0;

	(void)curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&t);
	(void)curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
	a.ticket = t->ticket;
	a.refused = status < 200 && t->refused[0];
	if (has_response(t, status, result)) {
		a.status = (uint32_t)status;
		take_response(easy, t, &a);
	}
	if (!a.status && a.refused)
		(void)snprintf(a.text, sizeof(a.text), "%s", t->refused);
	else if (!a.status)
		(void)snprintf(a.text, sizeof(a.text), "%s",
			       t->error[0] ? t->error : curl_easy_strerror(result));
	(void)curl_multi_remove_handle(p->multi, easy);
	transfer_free(t);
	p->n--;
	return frame_send_wait(HELPER_FD, &a, sizeof(a));
}

static int push_finish_transfers(struct push *p)
{
	CURLMsg *m;
	int left;

	while ((m = curl_multi_info_read(p->multi, &left)))
		if (m->msg == CURLMSG_DONE &&
		    transfer_finish(p, m->easy_handle, m->data.result) < 0)
			return -1;
	return 0;
}

static int push_serve(struct push *p)
{
	for (;;) {
		struct curl_waitfd fd = {.fd = HELPER_FD, .events = CURL_WAIT_POLLIN};
		int running, r = 1;

		while (p->n < PUSH_TRANSFERS_MAX && r > 0)
			r = push_take_request(p);
		if (r < 0)
			return 0;
		if (curl_multi_perform(p->multi, &running) != CURLM_OK ||
		    push_finish_transfers(p) < 0)
			return -1;
		if (curl_multi_poll(p->multi, &fd, p->n < PUSH_TRANSFERS_MAX ? 1 : 0, 10000,
				    NULL) != CURLM_OK)
			return -1;
	}
}

/*
 * The daemon has set up the sandbox, see common/helper.h; this is what execve() undoes. Headers of
 * subscribers are secrets: no core file, and no other process of the user may attach to it.
 */
static int push_restrict(void)
{
	const struct rlimit none = {0};

	(void)setrlimit(RLIMIT_CORE, &none);
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	return capabilities_drop(0);
}

/* Return: an argument as push_client_set() makes it; NULL for an empty one. */
static const char *argument_at(int argc, char **argv, int i)
{
	return i < argc && argv[i][0] ? argv[i] : NULL;
}

int main(int argc, char **argv)
{
	struct push p = {.files = {
				 .ca_file = argument_at(argc, argv, 2),
				 .collector_ca = argument_at(argc, argv, 3),
				 .collector_certificate = argument_at(argc, argv, 4),
				 .collector_key = argument_at(argc, argv, 5),
			 }};
	int type = 0, r;
	socklen_t len = sizeof(type);

	log_setup("cxl-redfish-push", LOG_LEVEL_INFO);
	if (getsockopt(HELPER_FD, SOL_SOCKET, SO_TYPE, &type, &len) < 0 || type != SOCK_SEQPACKET) {
		(void)fputs("cxl-redfish-push cannot be run by hand: cxl-redfishd starts it\n",
			    stderr);
		return 2;
	}
	if (push_allow_parse(argc > 1 ? argv[1] : "", &p.allow, NULL) < 0)
		return 2;
	r = push_restrict();
	if (r < 0) {
		log_err("capabilities cannot be dropped: %s", strerror(-r));
		return EXIT_FAILURE;
	}
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return EXIT_FAILURE;
	p.multi = curl_multi_init();
	if (!p.multi)
		return EXIT_FAILURE;
	(void)curl_multi_setopt(p.multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)PUSH_TRANSFERS_MAX);
	(void)curl_multi_setopt(p.multi, CURLMOPT_MAXCONNECTS, (long)PUSH_TRANSFERS_MAX);
	r = push_serve(&p);
	/* The daemon has closed the socket: open requests are dropped. */
	_exit(r < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}
