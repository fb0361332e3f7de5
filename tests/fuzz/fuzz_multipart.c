// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Any bytes as a multipart body: a line with its Content-Type, then the body. In one piece and in
// many it has the same parts, or the same fault.
#include "http/multipart.h"
#include "tests/fuzz/fuzz_table.h"

/* Reports, in so far as they must be the same: not where data is divided. */
struct seen {
	uint64_t hash;
	size_t parts, ended, bytes;
};

static void hash_bytes(struct seen *s, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		s->hash = (s->hash ^ (unsigned char)data[i]) * UINT64_C(0x100000001b3);
}

static int on_begin(void *userdata, const struct multipart_part *part)
{
	struct seen *s = userdata;

	FUZZ_MUST(part->name[0] && strlen(part->name) < MULTIPART_NAME_MAX);
	FUZZ_MUST(strlen(part->content_type) < MULTIPART_TYPE_MAX);
	FUZZ_MUST(s->parts == s->ended);
	s->parts++;
	hash_bytes(s, part->name, strlen(part->name) + 1);
	hash_bytes(s, part->content_type, strlen(part->content_type) + 1);
	return 0;
}

static int on_data(void *userdata, const char *data, size_t len)
{
	struct seen *s = userdata;

	FUZZ_MUST(len > 0 && s->parts == s->ended + 1);
	s->bytes += len;
	hash_bytes(s, data, len);
	return 0;
}

static int on_end(void *userdata)
{
	struct seen *s = userdata;

	FUZZ_MUST(s->parts == s->ended + 1);
	s->ended++;
	return 0;
}

static const struct multipart_ops ops = {on_begin, on_data, on_end};

static int parse(struct multipart *m, struct seen *s, const char *type, const char *body,
		 size_t len, size_t step)
{
	int r = multipart_init(m, type, &ops, s);

	for (size_t i = 0; i < len && r == 0; i += step)
		r = multipart_take(m, body + i, len - i < step ? len - i : step);
	return r < 0 ? r : multipart_end(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen whole = {0}, divided = {0};
	struct multipart a, b;
	char *text = malloc(size + 1), *body;
	size_t len;
	int r;

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	body = memchr(text, '\n', size);
	if (body) {
		*body++ = '\0';
		len = size - (size_t)(body - text);
		r = parse(&a, &whole, text, body, len, len + 1);
		FUZZ_MUST(parse(&b, &divided, text, body, len, 1 + size % 7) == r);
		FUZZ_MUST(memcmp(&whole, &divided, sizeof(whole)) == 0 && a.why == b.why);
		FUZZ_MUST(whole.bytes <= len && whole.parts <= MULTIPART_PARTS_MAX);
		FUZZ_MUST(r < 0 || whole.parts == whole.ended);
		FUZZ_MUST(r == 0 || a.why);
	}
	free(text);
	return 0;
}
