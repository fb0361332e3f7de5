// SPDX-License-Identifier: LGPL-2.1-or-later
/* CEDT and PRMT: tables of real machines, and every corruption of one. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "prm/cedt.h"
#include "prm/prmt.h"
#include "tests/lib/suites.h"
#include "tests/prm/tables_fixture.h"

DEFINE_CLEANUP(struct cedt, cedt_free);
DEFINE_CLEANUP(struct prmt, prmt_free);

/* A table under construction or corruption; exactly as large as its bytes, for the sanitizer. */
struct table {
	uint8_t *data;
	size_t len;
};

static void put(uint8_t *p, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

static void seal(struct table *t)
{
	uint8_t sum = 0;

	put(t->data + 4, t->len, 4);
	t->data[9] = 0;
	for (size_t i = 0; i < t->len; i++)
		sum = (uint8_t)(sum + t->data[i]);
	t->data[9] = (uint8_t)-sum;
}

static struct table copy(const uint8_t *data, size_t len)
{
	struct table t = {.data = malloc(len), .len = len};

	ck_assert_ptr_nonnull(t.data);
	memcpy(t.data, data, len);
	return t;
}

static void append(struct table *t, const uint8_t *data, size_t len)
{
	uint8_t *grown = realloc(t->data, t->len + len);

	ck_assert_ptr_nonnull(grown);
	memcpy(grown + t->len, data, len);
	t->data = grown;
	t->len += len;
}

static struct table cedt_table(void)
{
	return copy(cedt_captured, sizeof(cedt_captured));
}

static struct table prmt_table(void)
{
	return copy(prmt_captured, sizeof(prmt_captured));
}

/* Parses and frees the table. */
static int parse_cedt(struct table *t, struct cedt **ret, struct error *e)
{
	int r = cedt_parse(t->data, t->len, ret, e);

	free(t->data);
	return r;
}

static int parse_prmt(struct table *t, struct prmt **ret, struct error *e)
{
	int r = prmt_parse(t->data, t->len, ret, e);

	free(t->data);
	return r;
}

START_TEST(captured_cedt_is_read)
{
	_cleanup_(cedt_freep) struct cedt *c = NULL;
	struct table t = cedt_table();
	const struct cedt_window *w;
	struct error e;

	ck_assert_int_eq(parse_cedt(&t, &c, &e), 0);
	ck_assert_uint_eq(c->n_chbs, 2);
	ck_assert_uint_eq(c->chbs[0].uid, 222);
	ck_assert_uint_eq(c->chbs[0].version, 1);
	ck_assert_uint_eq(c->chbs[1].base, 0x100010000);
	ck_assert_uint_eq(c->chbs[1].length, 0x10000);
	ck_assert_uint_eq(c->n_windows, 3);
	ck_assert_uint_eq(c->n_cxims, 0);
	w = cedt_window_find(c, 0x110000000, 0x100000000);
	ck_assert_ptr_eq(w, &c->windows[0]);
	ck_assert_uint_eq(w->ways, 2);
	ck_assert_uint_eq(w->granularity, 256);
	ck_assert_uint_eq(w->arithmetic, CEDT_MODULO);
	ck_assert_uint_eq(w->restrictions, 0xf);
	ck_assert_uint_eq(w->qtg_id, 0);
	ck_assert_uint_eq(w->targets[0], 12);
	ck_assert_uint_eq(w->targets[1], 222);
	ck_assert_ptr_null(cedt_window_find(c, 0x110000000, 0x100000001));
	ck_assert_ptr_null(cedt_cxims_find(c, w));
}
END_TEST

/* A CXIMS of @n maps for 256 bytes. */
static size_t make_cxims(uint8_t *p, unsigned int n)
{
	size_t len = 8 + 8 * (size_t)n;

	memset(p, 0, len);
	p[0] = 2;
	put(p + 2, len, 2);
	p[7] = (uint8_t)n;
	for (unsigned int i = 0; i < n; i++)
		put(p + 8 + 8 * i, 0x2020900ULL << i, 8);
	return len;
}

START_TEST(xor_maps_are_found_by_granularity)
{
	_cleanup_(cedt_freep) struct cedt *c = NULL;
	struct table t = cedt_table();
	uint8_t cxims[8 + 8 * 16];
	struct error e;

	append(&t, cxims, make_cxims(cxims, 16));
	(void)make_cxims(cxims, 1);
	cxims[6] = 6;
	append(&t, cxims, 16);
	seal(&t);
	ck_assert_int_eq(parse_cedt(&t, &c, &e), 0);
	ck_assert_uint_eq(c->n_cxims, 2);
	ck_assert_ptr_eq(cedt_cxims_find(c, &c->windows[0]), &c->cxims[0]);
	ck_assert_uint_eq(c->cxims[0].n_maps, 16);
	ck_assert_uint_eq(c->cxims[0].maps[1], 0x4041200);
	ck_assert_uint_eq(c->cxims[1].granularity, 16384);
}
END_TEST

START_TEST(compiled_xor_maps_are_read)
{
	_cleanup_(cedt_freep) struct cedt *c = NULL;
	struct table t = copy(cedt_xor, sizeof(cedt_xor));
	struct error e;

	ck_assert_int_eq(parse_cedt(&t, &c, &e), 0);
	ck_assert_uint_eq(c->windows[0].arithmetic, CEDT_XOR);
	ck_assert_ptr_eq(cedt_cxims_find(c, &c->windows[0]), &c->cxims[0]);
	ck_assert_uint_eq(c->cxims[0].n_maps, 4);
	ck_assert_uint_eq(c->cxims[0].maps[0], 0x2020900);
	ck_assert_uint_eq(c->cxims[0].maps[3], 0x800);
}
END_TEST

START_TEST(handlers_of_several_modules_are_found)
{
	_cleanup_(prmt_freep) struct prmt *p = NULL;
	struct table t = copy(prmt_two_modules, sizeof(prmt_two_modules));
	struct error e;

	ck_assert_int_eq(parse_prmt(&t, &p, &e), 0);
	ck_assert_uint_eq(p->n_handlers, 2);
	ck_assert_ptr_eq(prmt_find(p, prmt_cxl_dpa_to_spa_guid), &p->handlers[0]);
	ck_assert_uint_eq(p->handlers[1].guid[0], 0x68);
	ck_assert_uint_eq(p->handlers[1].address, 0x7f654000);
}
END_TEST

START_TEST(unknown_structures_are_skipped_by_their_length)
{
	_cleanup_(cedt_freep) struct cedt *c = NULL;
	static const uint8_t later[] = {4, 0, 12, 0, 1, 2, 3, 4, 5, 6, 7, 8, 255, 0, 4, 0};
	struct table t = cedt_table();
	struct error e;

	append(&t, later, sizeof(later));
	seal(&t);
	ck_assert_int_eq(parse_cedt(&t, &c, &e), 0);
	ck_assert_uint_eq(c->n_windows, 3);
}
END_TEST

START_TEST(a_cedt_with_only_a_header_is_valid)
{
	_cleanup_(cedt_freep) struct cedt *c = NULL;
	struct table t = cedt_table();
	struct error e;

	t.len = 36;
	seal(&t);
	ck_assert_int_eq(parse_cedt(&t, &c, &e), 0);
	ck_assert_uint_eq(c->n_windows + c->n_chbs + c->n_cxims, 0);
}
END_TEST

START_TEST(all_encoded_ways_and_granularities_are_known)
{
	static const unsigned int ways[] = {1, 2, 4, 8, 16, 0, 0, 0, 3, 6, 12, 0};

	for (unsigned int i = 0; i < ARRAY_SIZE(ways); i++) {
		_cleanup_(cedt_freep) struct cedt *c = NULL;
		struct table t = cedt_table();
		uint8_t window[36 + 4 * 16] = {1};
		struct error e;

		put(window + 2, sizeof(window), 2);
		put(window + 16, 0x10000000, 8);
		window[24] = (uint8_t)i;
		window[28] = (uint8_t)(i % 7);
		append(&t, window, sizeof(window));
		seal(&t);
		ck_assert_int_eq(parse_cedt(&t, &c, &e), 0);
		ck_assert_uint_eq(c->n_rejected, !ways[i]);
		if (!ways[i])
			continue;
		ck_assert_uint_eq(c->windows[3].ways, ways[i]);
		ck_assert_uint_eq(c->windows[3].granularity, 256u << i % 7);
	}
}
END_TEST

/* One change to a captured table, and what the message must name. */
struct corruption {
	size_t offset;
	uint64_t value;
	size_t bytes;
	const char *names;
};

START_TEST(an_inconsistent_cedt_is_rejected_naming_the_structure)
{
	static const struct corruption corruptions[] = {
		{36 + 2, 0, 2, "type 0 at offset 36"},
		{36 + 2, 3, 2, "type 0 at offset 36"},
		{36 + 2, 31, 2, "CHBS at offset 36"},
		{36 + 2, 0xffff, 2, "offset 36"},
		{100 + 2, 0, 2, "type 1 at offset 100"},
		{100 + 2, 40, 2,
		 "offset 140"}, /* too short for two targets, so the next is no structure */
		{100 + 2, 20, 2, "CFMWS at offset 100"},
		{184 + 2, 41, 2, "type 1 at offset 184"}, /* one byte beyond the table */
		{184 + 2, 38, 2, "offset 222"},
		{144 + 8, 0x310000000, 8, "offset 184"}, /* the same window twice */
	};

	for (size_t i = 0; i < ARRAY_SIZE(corruptions); i++) {
		struct table t = cedt_table();
		struct cedt *c = NULL;
		struct error e;

		put(t.data + corruptions[i].offset, corruptions[i].value, corruptions[i].bytes);
		seal(&t);
		ck_assert_msg(parse_cedt(&t, &c, &e) == -EBADMSG, "corruption %zu was accepted", i);
		ck_assert_ptr_null(c);
		ck_assert_msg(strstr(e.text, corruptions[i].names), "corruption %zu: %s", i,
			      e.text);
	}
}
END_TEST

/* As Linux does: no window is made of it, and the others are read. */
START_TEST(a_cfmws_with_an_invalid_number_is_set_aside)
{
	static const struct corruption corruptions[] = {
		{100 + 24, 2, 1, NULL}, /* four targets in the space of two */
		{100 + 24, 5, 1, NULL},
		{100 + 24, 11, 1, NULL},
		{100 + 24, 255, 1, NULL},
		{100 + 28, 7, 4, NULL},
		{100 + 28, 0x80000000, 4, NULL},
		{100 + 16, 0, 8, NULL},
		{100 + 8, UINT64_MAX - 5, 8, NULL},
	};

	for (size_t i = 0; i < ARRAY_SIZE(corruptions); i++) {
		_cleanup_(cedt_freep) struct cedt *c = NULL;
		struct table t = cedt_table();
		struct error e;
		uint8_t ways;

		put(t.data + corruptions[i].offset, corruptions[i].value, corruptions[i].bytes);
		ways = t.data[100 + 24];
		seal(&t);
		ck_assert_int_eq(parse_cedt(&t, &c, &e), 0);
		ck_assert_uint_eq(c->n_windows, 2);
		ck_assert_uint_eq(c->n_rejected, 1);
		ck_assert_uint_eq(c->rejected[0].encoded_ways, ways);
	}
}
END_TEST

START_TEST(inconsistent_xor_maps_are_rejected)
{
	static const struct corruption corruptions[] = {
		{6, 7, 1, "granularity"},
		{7, 2, 1, "too few for 2 maps"},
		{7, 255, 1, "255 maps"},
		{2, 7, 2, "CXIMS at offset 224"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(corruptions); i++) {
		struct table t = cedt_table();
		struct cedt *c = NULL;
		uint8_t cxims[16];
		struct error e;

		append(&t, cxims, make_cxims(cxims, 1));
		put(t.data + 224 + corruptions[i].offset, corruptions[i].value,
		    corruptions[i].bytes);
		seal(&t);
		ck_assert_msg(parse_cedt(&t, &c, &e) == -EBADMSG, "corruption %zu was accepted", i);
		ck_assert_msg(strstr(e.text, corruptions[i].names), "corruption %zu: %s", i,
			      e.text);
	}
}
END_TEST

START_TEST(two_xor_maps_of_one_granularity_are_rejected)
{
	struct table t = cedt_table();
	struct cedt *c = NULL;
	uint8_t cxims[16];
	struct error e;

	append(&t, cxims, make_cxims(cxims, 1));
	append(&t, cxims, sizeof(cxims));
	seal(&t);
	ck_assert_int_eq(parse_cedt(&t, &c, &e), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(e.text, "CXIMS at offset 240"));
}
END_TEST

START_TEST(too_many_structures_are_rejected)
{
	static const struct {
		uint8_t type;
		size_t size, limit;
	} kinds[] = {{0, 32, CEDT_CHBS_MAX}, {1, 40, CEDT_WINDOWS_MAX}};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct table t = copy(cedt_captured, 36);
		struct cedt *c = NULL;
		struct error e;

		for (size_t n = 0; n <= kinds[i].limit; n++) {
			uint8_t s[40] = {kinds[i].type};

			put(s + 2, kinds[i].size, 2);
			put(s + 8, n << 28, 8);
			put(s + 16, 1 << 28, 8);
			append(&t, s, kinds[i].size);
		}
		seal(&t);
		ck_assert_int_eq(parse_cedt(&t, &c, &e), -E2BIG);
	}
}
END_TEST

START_TEST(xor_maps_beyond_the_limit_are_rejected)
{
	struct table t = cedt_table();
	uint8_t cxims[8 + 8 * 17];
	struct cedt *c = NULL;
	struct error e;

	append(&t, cxims, make_cxims(cxims, 17));
	seal(&t);
	ck_assert_int_eq(parse_cedt(&t, &c, &e), -E2BIG);
}
END_TEST

START_TEST(every_truncation_is_rejected)
{
	for (size_t len = 0; len < sizeof(cedt_captured); len++) {
		struct table t = copy(cedt_captured, len);
		struct cedt *c = NULL;

		ck_assert_int_eq(parse_cedt(&t, &c, NULL), -EBADMSG);
	}
	for (size_t len = 0; len < sizeof(prmt_captured); len++) {
		struct table t = copy(prmt_captured, len);
		struct prmt *p = NULL;

		ck_assert_int_eq(parse_prmt(&t, &p, NULL), -EBADMSG);
		if (len < 36)
			continue;
		/* The header may have the truncated length: the structures still do not fit. */
		t = copy(prmt_captured, len);
		seal(&t);
		ck_assert_int_eq(parse_prmt(&t, &p, NULL), -EBADMSG);
	}
}
END_TEST

START_TEST(a_wrong_checksum_signature_or_length_is_rejected)
{
	static const struct corruption corruptions[] = {
		{9, 0, 1, "checksum"}, {0, 'X', 1, "signature"}, {4, 225, 4, "225 bytes"},
		{4, 0, 4, "0 bytes"},  {4, 223, 4, "223 bytes"}, {4, 0xffffffff, 4, "4294967295"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(corruptions); i++) {
		struct table t = cedt_table();
		struct cedt *c = NULL;
		struct error e;

		put(t.data + corruptions[i].offset, corruptions[i].value, corruptions[i].bytes);
		ck_assert_int_eq(parse_cedt(&t, &c, &e), -EBADMSG);
		ck_assert_msg(strstr(e.text, corruptions[i].names), "corruption %zu: %s", i,
			      e.text);
		ck_assert_ptr_nonnull(strstr(e.text, "CEDT"));
	}
}
END_TEST

START_TEST(captured_prmt_names_the_cxl_handler)
{
	_cleanup_(prmt_freep) struct prmt *p = NULL;
	struct table t = prmt_table();
	const struct prmt_handler *h;
	char guid[PRMT_GUID_TEXT];
	struct error e;

	ck_assert_int_eq(parse_prmt(&t, &p, &e), 0);
	ck_assert_uint_eq(p->n_handlers, 1);
	h = prmt_find(p, prmt_cxl_dpa_to_spa_guid);
	ck_assert_ptr_eq(h, &p->handlers[0]);
	ck_assert_uint_eq(h->address, 0x7f654000);
	ck_assert_uint_eq(h->static_data, 0x7f51b040);
	ck_assert_uint_eq(h->acpi_buffer, 0);
	ck_assert_mem_eq(h->module_guid + 4, "XCPLRMMODULE", 12);
	prmt_guid_format(h->guid, guid);
	ck_assert_str_eq(guid, "EE41B397-25D4-452C-AD54-48C6E3480B94");
}
END_TEST

START_TEST(a_handler_without_address_is_kept_with_address_zero)
{
	_cleanup_(prmt_freep) struct prmt *p = NULL;
	struct table t = prmt_table();

	put(t.data + 98 + 20, 0, 8);
	seal(&t);
	ck_assert_int_eq(parse_prmt(&t, &p, NULL), 0);
	ck_assert_ptr_nonnull(prmt_find(p, prmt_cxl_dpa_to_spa_guid));
	ck_assert_uint_eq(p->handlers[0].address, 0);
}
END_TEST

/* Adds a second module, a copy of the first whose handler has another GUID unless @same. */
static void add_module(struct table *t, bool same)
{
	append(t, prmt_captured + 60, sizeof(prmt_captured) - 60);
	put(t->data + 56, 2, 4);
	if (!same)
		t->data[142 + 38 + 4] ^= 0xff;
	seal(t);
}

START_TEST(handlers_of_all_modules_are_found)
{
	_cleanup_(prmt_freep) struct prmt *p = NULL;
	struct table t = prmt_table();

	add_module(&t, false);
	ck_assert_int_eq(parse_prmt(&t, &p, NULL), 0);
	ck_assert_uint_eq(p->n_handlers, 2);
	ck_assert_ptr_eq(prmt_find(p, p->handlers[1].guid), &p->handlers[1]);
}
END_TEST

START_TEST(two_handlers_of_one_guid_are_rejected)
{
	struct table t = prmt_table();
	struct prmt *p = NULL;
	struct error e;

	add_module(&t, true);
	ck_assert_int_eq(parse_prmt(&t, &p, &e), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(e.text, "EE41B397-25D4-452C-AD54-48C6E3480B94"));
}
END_TEST

START_TEST(an_inconsistent_prmt_is_rejected_naming_the_module)
{
	static const struct corruption corruptions[] = {
		{52, 0, 4, "inside the header"},
		{52, 59, 4, "inside the header"},
		{52, 142, 4, "offset 142"},
		{52, 0xfffffff0, 4, "beyond the table"},
		{56, 2, 4, "offset 142"}, /* a second module that does not exist */
		{62, 0, 2, "module at offset 60 has length 0"},
		{62, 37, 2, "offset 60"},
		{62, 83, 2, "offset 60"},
		{62, 0xffff, 2, "offset 60"},
		{84, 2, 2, "2 handlers"},
		{84, 0xffff, 2, "65535 handlers"},
		{86, 37, 4, "its handlers at 37"},
		{86, 83, 4, "its handlers at 83"},
		{86, 39, 4, "1 handlers"}, /* the last byte is beyond the module */
		{86, 0xffffffff, 4, "its handlers at 4294967295"},
		{98 + 2, 43, 2, "handler at offset 98"},
		{98 + 2, 0, 2, "handler at offset 98"},
		{98 + 2, 88, 2, "handler at offset 98"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(corruptions); i++) {
		struct table t = prmt_table();
		struct prmt *p = NULL;
		struct error e;

		put(t.data + corruptions[i].offset, corruptions[i].value, corruptions[i].bytes);
		seal(&t);
		ck_assert_msg(parse_prmt(&t, &p, &e) == -EBADMSG, "corruption %zu was accepted", i);
		ck_assert_msg(strstr(e.text, corruptions[i].names), "corruption %zu: %s", i,
			      e.text);
	}
}
END_TEST

START_TEST(prmt_limits_hold)
{
	struct table t = prmt_table();
	struct prmt *p = NULL;

	put(t.data + 56, PRMT_MODULES_MAX + 1, 4);
	seal(&t);
	ck_assert_int_eq(parse_prmt(&t, &p, NULL), -E2BIG);

	/* Four modules of 1,200 handlers. */
	t = copy(prmt_captured, 60);
	put(t.data + 56, 4, 4);
	for (unsigned int m = 0; m < 4; m++) {
		static uint8_t module[38 + 44 * 1200];

		put(module + 2, sizeof(module), 2);
		put(module + 24, 1200, 2);
		put(module + 26, 38, 4);
		append(&t, module, sizeof(module));
	}
	seal(&t);
	ck_assert_int_eq(parse_prmt(&t, &p, NULL), -E2BIG);
}
END_TEST

START_TEST(a_prmt_without_modules_has_no_handlers)
{
	_cleanup_(prmt_freep) struct prmt *p = NULL;
	struct table t = copy(prmt_captured, 60);

	put(t.data + 56, 0, 4);
	seal(&t);
	ck_assert_int_eq(parse_prmt(&t, &p, NULL), 0);
	ck_assert_uint_eq(p->n_handlers, 0);
	ck_assert_ptr_null(prmt_find(p, prmt_cxl_dpa_to_spa_guid));
}
END_TEST

SUITE(check_tables)
{
	Suite *s = suite_create("tables");
	TCase *cedt = tcase_create("cedt"), *prmt = tcase_create("prmt");

	tcase_add_test(cedt, captured_cedt_is_read);
	tcase_add_test(cedt, xor_maps_are_found_by_granularity);
	tcase_add_test(cedt, compiled_xor_maps_are_read);
	tcase_add_test(cedt, handlers_of_several_modules_are_found);
	tcase_add_test(cedt, unknown_structures_are_skipped_by_their_length);
	tcase_add_test(cedt, a_cedt_with_only_a_header_is_valid);
	tcase_add_test(cedt, all_encoded_ways_and_granularities_are_known);
	tcase_add_test(cedt, an_inconsistent_cedt_is_rejected_naming_the_structure);
	tcase_add_test(cedt, a_cfmws_with_an_invalid_number_is_set_aside);
	tcase_add_test(cedt, inconsistent_xor_maps_are_rejected);
	tcase_add_test(cedt, two_xor_maps_of_one_granularity_are_rejected);
	tcase_add_test(cedt, too_many_structures_are_rejected);
	tcase_add_test(cedt, xor_maps_beyond_the_limit_are_rejected);
	tcase_add_test(cedt, every_truncation_is_rejected);
	tcase_add_test(cedt, a_wrong_checksum_signature_or_length_is_rejected);
	suite_add_tcase(s, cedt);
	tcase_add_test(prmt, captured_prmt_names_the_cxl_handler);
	tcase_add_test(prmt, a_handler_without_address_is_kept_with_address_zero);
	tcase_add_test(prmt, handlers_of_all_modules_are_found);
	tcase_add_test(prmt, two_handlers_of_one_guid_are_rejected);
	tcase_add_test(prmt, an_inconsistent_prmt_is_rejected_naming_the_module);
	tcase_add_test(prmt, prmt_limits_hold);
	tcase_add_test(prmt, a_prmt_without_modules_has_no_handlers);
	suite_add_tcase(s, prmt);
	return s;
}
