/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_MULTIPART_H
#define CXLR_HTTP_MULTIPART_H

/*
 * A multipart/form-data body (RFC 7578, RFC 2046 5.1) as it arrives, in pieces of any size; where
 * they are divided makes no difference.
 *
 * Stricter than the RFCs, which no client of an update service needs: nothing before the first
 * delimiter and after the last one, no folded headers, no transfer encoding that would have to be
 * decoded, no parts of parts. libmicrohttpd's post processor accepts all of these, and does not
 * say whether the body was complete.
 *
 * A parser belongs to one thread at a time. It holds no memory but its struct.
 */

#include <stdbool.h>
#include <stddef.h>

enum {
	MULTIPART_BOUNDARY_MAX = 70,  /* RFC 2046 5.1.1 */
	MULTIPART_LINE_MAX = 1024,    /* bytes of a header */
	MULTIPART_HEADERS_MAX = 4096, /* of all headers of a part */
	MULTIPART_PARTS_MAX = 8,
	MULTIPART_NAME_MAX = 64,
	MULTIPART_TYPE_MAX = 128,
};

struct multipart_part {
	char name[MULTIPART_NAME_MAX];
	char content_type[MULTIPART_TYPE_MAX]; /* "": none is given */
};

/* Each returns 0, or a negative errno that ends the parser. */
struct multipart_ops {
	int (*begin)(void *userdata, const struct multipart_part *part);
	int (*data)(void *userdata, const char *data, size_t len); /* @len: not 0 */
	int (*end)(void *userdata);
};

enum multipart_state {
	MULTIPART_BODY,	     /* of a part, or before the first one */
	MULTIPART_DELIMITER, /* behind the boundary */
	MULTIPART_HEADER,
	MULTIPART_AFTER, /* the last delimiter */
};

struct multipart {
	const struct multipart_ops *ops;
	void *userdata;
	const char *why; /* of -EINVAL: a static text; NULL before */
	int error;	 /* of a call that failed: all that follow fail likewise */

	enum multipart_state state;
	/* CR LF "--" boundary: of it, @matched bytes were seen and are not known to be data. */
	char delimiter[4 + MULTIPART_BOUNDARY_MAX + 1];
	size_t delimiter_len, matched;
	size_t n_parts; /* that were begun */
	struct multipart_part part;
	bool has_disposition;
	char line[MULTIPART_LINE_MAX];
	size_t line_len, headers_len;
};

/*
 * multipart_init() - begin with the header Content-Type of a request
 * @ops, @userdata: must outlive the parser
 *
 * Return: 0; -EINVAL when it is not multipart/form-data with exactly one boundary.
 */
int multipart_init(struct multipart *m, const char *content_type, const struct multipart_ops *ops,
		   void *userdata);

/* Return: whether a Content-Type is multipart/form-data, whatever its parameters. */
bool multipart_is_form_data(const char *content_type);

/*
 * multipart_take() - the next bytes of the body
 *
 * Return: 0; -EINVAL, and m->why says what is wrong; the error of a function of @ops.
 */
int multipart_take(struct multipart *m, const char *data, size_t len);

/* multipart_end() - the body has ended. Return: 0; as multipart_take() when it is not complete. */
int multipart_end(struct multipart *m);

#endif
