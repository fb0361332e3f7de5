/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_FMAPI_PRIVATE_H
#define CXLR_MAILBOX_FMAPI_PRIVATE_H

/*
 * Helpers that the encoders and decoders of fmapi.c (the switch) and fmapi_mld.c (devices of
 * several LDs) share.
 */

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Return: @len with that many zeros in @p; -EMSGSIZE when it is more than @size. */
static inline int fmapi_begin(uint8_t *p, size_t size, size_t len)
{
	if (len > size)
		return -EMSGSIZE;
	memset(p, 0, len);
	return (int)len;
}

/* An input of @n single bytes. */
static inline int fmapi_encode_bytes(const uint8_t *bytes, size_t n, uint8_t *p, size_t size)
{
	const int len = fmapi_begin(p, size, n);

	if (len > 0)
		memcpy(p, bytes, n);
	return len;
}

#define FMAPI_ENCODE_BYTES(p, size, ...)                                                           \
	fmapi_encode_bytes((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}), \
			   (p), (size))

#endif
