/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_UPLOAD_H
#define CXLR_REDFISH_UPLOAD_H

/*
 * The body of a multipart HTTP push update (DSP0266), as it arrives: the part
 * UpdateParameters is kept, and the part UpdateFile goes to a file.
 *
 * The file is in the service's directory and has no name any more when the first byte is written,
 * so that nothing is left of it whatever ends. Never more than a block of an image is in memory:
 * when that is full, the connection waits until a job has written it. One upload exists at
 * a time, from the head of its request until the operation for which it was has ended.
 *
 * An upload is reference counted: its request's transport, its exchange, and the job that writes
 * have one each, but only one of them uses it at a time.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "change/change.h"
#include "http/handler.h"
#include "redfish/core/job.h"
#include "redfish/core/messages.h"

enum {
	UPLOAD_BLOCK = 256 * 1024,	   /* bytes that are written at a time */
	UPLOAD_PARAMETERS_MAX = 16 * 1024, /* of UpdateParameters */
	UPLOAD_FREE_MIN = 16 << 20,	   /* bytes that stay free in the file system */
	/* The limit of a body: an image, and the bytes that the other parts may have. */
	UPLOAD_BODY_MAX = CHANGE_IMAGE_MAX + (64 << 10),
};

#define UPLOAD_PARAMETERS "UpdateParameters"
#define UPLOAD_FILE	  "UpdateFile"

/* The shared state of a service's uploads. Zeroed there is no directory. */
struct uploads {
	char *directory; /* NULL: nothing can be uploaded */
	struct jobs *jobs;
	atomic_bool busy;
};

struct upload;

/* uploads_set_directory() - once, before the first request. @path: copied. Return: 0 or -ENOMEM */
int uploads_set_directory(struct uploads *u, const char *path);

void uploads_done(struct uploads *u);

/*
 * upload_new() - receive the body of a request
 * @req: its head
 *
 * Return: the sink of the body, with the first reference, which its free() drops; NULL when out of
 * memory. An upload that cannot be received has upload_refusal() at once, and takes nothing.
 */
struct http_sink *upload_new(struct uploads *all, const struct http_request *req);

/* Return: the upload whose sink it is; NULL of NULL. */
struct upload *upload_of(struct http_sink *sink);

/* Accepts NULL. Return: @u. */
struct upload *upload_ref(struct upload *u);

/* Accepts NULL. Return: NULL. */
struct upload *upload_unref(struct upload *u);

/* upload_close() - it is not used any more, and another one may begin. Accepts NULL. */
void upload_close(struct upload *u);

/* Return: why it was not received completely; NULL: it was. */
const struct message *upload_refusal(const struct upload *u);

/* Return: seconds after which it may be sent again, for Retry-After; NULL: not known. */
const char *upload_retry(const struct upload *u);

/* Return: the text of UpdateParameters, of @ret_len bytes. */
const char *upload_parameters(const struct upload *u, size_t *ret_len);

/* Return: the bytes of the image. */
uint64_t upload_size(const struct upload *u);

/* Return: a descriptor of the image, to be closed; -1: it was taken before. */
int upload_take_image(struct upload *u);

#endif
