// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The identities of a capture, and the places where they are found whatever the file.
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture_private.h"
#include "capture/mask_private.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "common/little_endian.h"

enum {
	CONFIG_BYTES_MAX = 4096,
	ATTRIBUTE_BYTES_MAX = 4096,
	EXTENDED_CAPABILITIES = 0x100, /* PCIe 6.0 7.6 */
	CAPABILITY_DSN = 0x0003,       /* 7.9.3 */
	DSN_BYTES = 12,
	UUID_BYTES = 16,
	UUID_TEXT = 36,
	TEXT_FORM_MIN = 11, /* DISTINCTIVE_SERIAL in hexadecimal; the last part of a UUID has 12 */
	SERIAL_TEXT = 24,   /* "00-11-22-33-44-55-66-77" */
};

/*
 * A serial number that could be an address or a size is not replaced wherever it is. Memory ends
 * below this, or is aligned to 256 MiB.
 */
#define DISTINCTIVE_SERIAL (UINT64_C(1) << 40)
#define ADDRESS_BITS	   ((UINT64_C(1) << 28) - 1)

/* Replacements: "MASK" in ASCII, and a number from 1. */
#define MASKED_SERIAL (UINT64_C(0x4d41534b) << 32)

DEFINE_ARRAY(uint64_t, serial_list);

struct uuid_text {
	char text[UUID_TEXT + 1];
};
DEFINE_ARRAY(struct uuid_text, uuid_list);

/* One form of an identity: text, or bytes of equal length. */
struct mask_form {
	uint8_t from[UUID_TEXT + 1], to[UUID_TEXT + 1];
	size_t from_len, to_len;
	bool is_text;
};
DEFINE_ARRAY(struct mask_form, form_list);

struct capture_mask {
	struct serial_list serials; /* sorted, each once, without 0 */
	struct uuid_list uuids;	    /* sorted, each once, in lower case */
	struct form_list forms;
};

static int serial_order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

uint64_t mask_number(const struct capture_mask *m, uint64_t serial)
{
	const uint64_t *found = NULL;

	if (serial && m->serials.n)
		found = bsearch(&serial, m->serials.items, m->serials.n, sizeof(serial),
				serial_order);
	return found ? MASKED_SERIAL + (uint64_t)(found - m->serials.items) + 1 : 0;
}

bool mask_parse_signed(const char *text, uint64_t *ret)
{
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);
	*ret = (uint64_t)value;
	return end > text && errno == 0 && end[strspn(end, " \n")] == '\0';
}

uint8_t *mask_find_dsn(uint8_t *config, size_t len)
{
	size_t at = EXTENDED_CAPABILITIES;

	/* Each step may lead anywhere: there are not more than this many. */
	for (size_t i = 0; i < CONFIG_BYTES_MAX / 4; i++) {
		uint32_t header;

		if (at < EXTENDED_CAPABILITIES || at > len || len - at < DSN_BYTES)
			return NULL;
		header = le32(config + at);
		if ((header & 0xffff) == CAPABILITY_DSN)
			return config + at + 4;
		at = header >> 20 & 0xffc;
	}
	return NULL;
}

uint8_t *mask_find_identify_serial(uint8_t *payload, size_t len)
{
	enum { SERIAL = 8 }; /* CXL 3.2 8.2.10.1.1 */

	return len >= SERIAL + 8 ? payload + SERIAL : NULL;
}

/* ---- collecting -------------------------------------------------------------------------------
 */

struct identity_search {
	const struct capture_set *set;
	struct capture_mask *mask;
};

static int collect_serial(struct capture_mask *m, uint64_t serial)
{
	uint64_t *item = serial ? serial_list_add(&m->serials) : NULL;

	if (item)
		*item = serial;
	return serial && !item ? -ENOMEM : 0;
}

static int collect_plain_serial(struct capture_mask *m, char *data, size_t len)
{
	uint64_t serial;

	(void)len;
	return parse_u64(str_chomp(data), &serial) < 0 ? 0 : collect_serial(m, serial);
}

static int collect_signed_serial(struct capture_mask *m, char *data, size_t len)
{
	uint64_t serial;

	(void)len;
	return mask_parse_signed(data, &serial) ? collect_serial(m, serial) : 0;
}

static int collect_config(struct capture_mask *m, char *data, size_t len)
{
	const uint8_t *dsn = mask_find_dsn((uint8_t *)data, len);

	return dsn ? collect_serial(m, le64(dsn)) : 0;
}

static int collect_identify(struct capture_mask *m, char *data, size_t len)
{
	const uint8_t *serial = mask_find_identify_serial((uint8_t *)data, len);

	return serial ? collect_serial(m, le64(serial)) : 0;
}

bool mask_is_uuid(const char *text)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	bool nil = true;

	if (strcspn(text, "\n") != UUID_TEXT)
		return false;
	for (size_t i = 0; i < UUID_TEXT; i++) {
		if (form[i] == 'x' ? !isxdigit((unsigned char)text[i]) : text[i] != '-')
			return false;
		nil = nil && (text[i] == '0' || text[i] == '-');
	}
	return !nil;
}

static int collect_uuid(struct capture_mask *m, char *data, size_t len)
{
	struct uuid_text *item;

	(void)len;
	if (!mask_is_uuid(str_chomp(data)))
		return 0;
	item = uuid_list_add(&m->uuids);
	if (!item)
		return -ENOMEM;
	for (size_t i = 0; i <= UUID_TEXT; i++)
		item->text[i] = (char)tolower((unsigned char)data[i]);
	return 0;
}

static int collect_member(struct member *member, void *userdata)
{
	static const struct {
		const char *pattern;
		int (*fn)(struct capture_mask *m, char *data, size_t len);
	} places[] = {
		{"*/mem+([0-9])/serial", collect_plain_serial},
		{"*/cxl/id", collect_signed_serial},
		{"sys/*/config", collect_config},
		{"mbox/switch-*/0001.bin", collect_identify},
		{"*/@(uuid|product_uuid|boot_id)", collect_uuid},
	};
	struct identity_search *c = userdata;

	if (member->kind != MEMBER_FILE && member->kind != MEMBER_DATA)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		_cleanup_free_ char *data = NULL;
		size_t len;

		if (fnmatch(places[i].pattern, member->path, FNM_EXTMATCH) != 0)
			continue;
		if (member->kind == MEMBER_DATA)
			return places[i].fn(c->mask, member->data, member->len);
		/* A file that cannot be read is not in the archive either. */
		if (host_root_read(c->set->root, member->path, ATTRIBUTE_BYTES_MAX, &data, &len) <
		    0)
			return 0;
		return places[i].fn(c->mask, data, len);
	}
	return 0;
}

/* Sorts a list and removes what is equal. Return: how many remain. */
static size_t make_unique(void *items, size_t n, size_t size,
			  int (*order)(const void *a, const void *b))
{
	char *p = items;
	size_t kept = 0;

	if (n > 1)
		qsort(items, n, size, order);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || order(p + (kept - 1) * size, p + i * size) != 0)
			memmove(p + kept++ * size, p + i * size, size);
	return kept;
}

static int uuid_order(const void *a, const void *b)
{
	return strcmp(((const struct uuid_text *)a)->text, ((const struct uuid_text *)b)->text);
}

/* ---- the forms of an identity -----------------------------------------------------------------
 */

static int add_form(struct capture_mask *m, bool is_text, const void *from, const void *to,
		    size_t from_len, size_t to_len)
{
	struct mask_form *f = form_list_add(&m->forms);

	if (!f)
		return -ENOMEM;
	*f = (struct mask_form){.from_len = from_len, .to_len = to_len, .is_text = is_text};
	memcpy(f->from, from, from_len);
	memcpy(f->to, to, to_len);
	return 0;
}

static int add_text_form(struct capture_mask *m, const char *from, const char *to)
{
	return add_form(m, true, from, to, strlen(from), strlen(to));
}

static void serial_bytes(uint64_t serial, bool big_endian, uint8_t ret[static 8])
{
	for (size_t i = 0; i < 8; i++)
		ret[big_endian ? 7 - i : i] = (uint8_t)(serial >> 8 * i);
}

static void serial_text(uint64_t serial, int form, char ret[static SERIAL_TEXT])
{
	uint8_t b[8];

	serial_bytes(serial, true, b);
	if (form == 0)
		(void)snprintf(ret, SERIAL_TEXT, "%016" PRIx64, serial);
	else if (form == 1)
		(void)snprintf(ret, SERIAL_TEXT, "%" PRIx64, serial);
	else if (form == 2)
		(void)snprintf(ret, SERIAL_TEXT, "%" PRIu64, serial);
	else if (form == 3)
		(void)snprintf(ret, SERIAL_TEXT, "%" PRId64, (int64_t)serial);
	else
		(void)snprintf(ret, SERIAL_TEXT, "%02x-%02x-%02x-%02x-%02x-%02x-%02x-%02x", b[0],
			       b[1], b[2], b[3], b[4], b[5], b[6], b[7]);
}

/* The longest form first: a shorter one may be a part of it. */
static int add_serial_forms(struct capture_mask *m, uint64_t from)
{
	const uint64_t to = mask_number(m, from);
	uint8_t a[8], b[8];
	int r = 0;

	for (int form = 0; r == 0 && form < 5; form++) {
		char x[SERIAL_TEXT], y[SERIAL_TEXT];

		serial_text(from, form, x);
		serial_text(to, form, y);
		r = add_text_form(m, x, y);
	}
	for (int big = 0; r == 0 && big < 2; big++) {
		serial_bytes(from, big, a);
		serial_bytes(to, big, b);
		r = add_form(m, false, a, b, sizeof(a), sizeof(b));
	}
	return r;
}

static void uuid_bytes(const char *text, uint8_t ret[static UUID_BYTES])
{
	for (size_t n = 0; n < UUID_BYTES; n++, text += 2) {
		char byte[3];

		text += *text == '-';
		memcpy(byte, text, 2);
		byte[2] = '\0';
		ret[n] = (uint8_t)strtoul(byte, NULL, 16);
	}
}

/* As ACPI, UEFI and labels store it: the first three fields are little endian numbers. */
static void uuid_swap(uint8_t u[static UUID_BYTES])
{
	static const uint8_t order[UUID_BYTES] = {3, 2, 1,  0,	5,  4,	7,  6,
						  8, 9, 10, 11, 12, 13, 14, 15};
	uint8_t copy[UUID_BYTES];

	memcpy(copy, u, sizeof(copy));
	for (size_t i = 0; i < UUID_BYTES; i++)
		u[i] = copy[order[i]];
}

static int add_uuid_forms(struct capture_mask *m, const char *from, size_t number)
{
	uint8_t a[UUID_BYTES], b[UUID_BYTES];
	char to[UUID_TEXT + 1];
	int r;

	/* Version 8: no generator makes it. */
	(void)snprintf(to, sizeof(to), "4d41534b-0000-8000-8000-0000%08x", (unsigned int)number);
	uuid_bytes(from, a);
	uuid_bytes(to, b);
	r = add_text_form(m, from, to);
	if (r == 0)
		r = add_form(m, false, a, b, sizeof(a), sizeof(b));
	uuid_swap(a);
	uuid_swap(b);
	return r < 0 ? r : add_form(m, false, a, b, sizeof(a), sizeof(b));
}

static int make_forms(struct capture_mask *m)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < m->serials.n; i++)
		if (m->serials.items[i] >= DISTINCTIVE_SERIAL &&
		    (m->serials.items[i] & ADDRESS_BITS))
			r = add_serial_forms(m, m->serials.items[i]);
	for (size_t i = 0; r == 0 && i < m->uuids.n; i++)
		r = add_uuid_forms(m, m->uuids.items[i].text, i + 1);
	return r;
}

int capture_mask_new(const struct capture_set *set, struct capture_mask **ret)
{
	struct capture_mask *m = calloc(1, sizeof(*m));
	struct identity_search c = {.set = set, .mask = m};
	int r;

	if (!m)
		return -ENOMEM;
	r = capture_set_foreach(set, collect_member, &c);
	if (r == 0) {
		m->serials.n = make_unique(m->serials.items, m->serials.n,
					   sizeof(m->serials.items[0]), serial_order);
		m->uuids.n = make_unique(m->uuids.items, m->uuids.n, sizeof(m->uuids.items[0]),
					 uuid_order);
		r = make_forms(m);
	}
	if (r < 0) {
		(void)capture_mask_free(m);
		return r;
	}
	*ret = m;
	return 0;
}

struct capture_mask *capture_mask_free(struct capture_mask *m)
{
	if (!m)
		return NULL;
	serial_list_done(&m->serials);
	uuid_list_done(&m->uuids);
	form_list_done(&m->forms);
	free(m);
	return NULL;
}

/* ---- replacing --------------------------------------------------------------------------------
 */

/* Text must be a whole word, but for the 0x in front of it. */
static bool text_is_at(const struct mask_form *f, const char *data, size_t len, size_t at)
{
	const char *p = data + at;

	return tolower((unsigned char)*p) == f->from[0] && len - at >= f->from_len &&
	       strncasecmp(p, (const char *)f->from, f->from_len) == 0 &&
	       (at == 0 || !isalnum((unsigned char)p[-1]) ||
		tolower((unsigned char)p[-1]) == 'x') &&
	       (len - at == f->from_len || !isalnum((unsigned char)p[f->from_len]));
}

/* Return: where the form is in @data from @at on; @len when it is not. */
static size_t find_form(const struct mask_form *f, const char *data, size_t len, size_t at)
{
	if (!f->is_text) {
		const char *found = memmem(data + at, len - at, f->from, f->from_len);

		return found ? (size_t)(found - data) : len;
	}
	while (at < len && !text_is_at(f, data, len, at))
		at++;
	return at;
}

static size_t count_form(const struct mask_form *f, const char *data, size_t len)
{
	size_t n = 0;

	for (size_t at = 0; (at = find_form(f, data, len, at)) < len; at += f->from_len)
		n++;
	return n;
}

static int replace_form(const struct mask_form *f, char **data, size_t *len)
{
	const size_t n = count_form(f, *data, *len);
	char *made, *p;

	if (n == 0)
		return 0;
	made = p = malloc(*len + n * f->to_len + 1);
	if (!made)
		return -ENOMEM;
	for (size_t at = 0, next; at < *len; at = next + f->from_len) {
		next = find_form(f, *data, *len, at);
		memcpy(p, *data + at, next - at);
		p += next - at;
		if (next == *len)
			break;
		memcpy(p, f->to, f->to_len);
		p += f->to_len;
	}
	*p = '\0';
	free(*data);
	*data = made;
	*len = (size_t)(p - made);
	return 0;
}

/* Most attributes of sysfs are short: no form of an identity fits in. */
static bool has_long_word(const char *data, size_t len)
{
	size_t run = 0;

	for (size_t i = 0; i < len && run < TEXT_FORM_MIN; i++)
		run = isalnum((unsigned char)data[i]) || data[i] == '-' ? run + 1 : 0;
	return run >= TEXT_FORM_MIN;
}

int mask_everywhere(const struct capture_mask *m, char **data, size_t *len)
{
	const bool is_text = !memchr(*data, '\0', *len);
	int r = 0;

	if (is_text && !has_long_word(*data, *len))
		return 0;
	for (size_t i = 0; i < m->forms.n; i++) {
		const struct mask_form *f = &m->forms.items[i];

		/* In what is not text, nothing may be moved. */
		if (is_text ? f->is_text : f->from_len == f->to_len)
			r = replace_form(f, data, len);
		if (r < 0)
			return r;
	}
	return 0;
}
