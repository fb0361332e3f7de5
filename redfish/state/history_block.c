// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state/history_block.h"

#include <errno.h>
#include <string.h>

enum { BLOCK_VERSION = 1 };

/* The range of each value; what is beyond it is no reading. */
static const struct {
	int64_t min, max;
} ranges[HISTORY_VALUES] = {
	[HISTORY_TEMPERATURE] = {INT16_MIN, INT16_MAX},
	[HISTORY_LIFE_USED] = {0, 255},
	[HISTORY_CORRECTED_VOLATILE] = {0, UINT32_MAX},
	[HISTORY_CORRECTED_PERSISTENT] = {0, UINT32_MAX},
	[HISTORY_DIRTY_SHUTDOWNS] = {0, UINT32_MAX},
	[HISTORY_LINK_WIDTH] = {1, 255},
	[HISTORY_LINK_SPEED] = {1, 100000},
};

static bool is_in_range(enum history_value value, int64_t n)
{
	return n >= ranges[value].min && n <= ranges[value].max;
}

void history_set(struct history_sample *s, enum history_value value, int64_t n)
{
	if (!is_in_range(value, n))
		return;
	s->values[value] = n;
	s->known |= 1U << value;
}

int history_insert(struct history_samples *day, const struct history_sample *s)
{
	size_t at = day->n;

	while (at > 0 && day->items[at - 1].second > s->second)
		at--;
	if (at > 0 && day->items[at - 1].second == s->second)
		return -EEXIST;
	if (day->n >= HISTORY_SAMPLES_MAX)
		return -ENOSPC;
	if (!history_samples_add(day))
		return -ENOMEM;
	memmove(&day->items[at + 1], &day->items[at], (day->n - 1 - at) * sizeof(*s));
	day->items[at] = *s;
	return 0;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

struct output {
	uint8_t *bytes;
	size_t len, size;
	bool full;
};

static void write_number(struct output *o, uint64_t n)
{
	do {
		if (o->len == o->size) {
			o->full = true;
			return;
		}
		o->bytes[o->len++] = (uint8_t)((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
		n >>= 7;
	} while (n > 0);
}

/* The sign is the lowest bit, so that small steps in either direction have one byte. */
static uint64_t of_signed(int64_t n)
{
	return (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0);
}

static void write_times(struct output *o, const struct history_samples *day)
{
	int64_t before = -1;

	for (size_t i = 0, run; i < day->n; i += run) {
		const int64_t step = day->items[i].second - before;

		for (run = 1; i + run < day->n &&
			      day->items[i + run].second - day->items[i + run - 1].second == step;)
			run++;
		write_number(o, run);
		write_number(o, (uint64_t)step);
		before = day->items[i + run - 1].second;
	}
}

/* Return: the step of sample @i from @before; the values are in their ranges. */
static int64_t step_at(const struct history_samples *day, size_t i, enum history_value value,
		       int64_t before)
{
	return day->items[i].values[value] - before;
}

static void write_values(struct output *o, const struct history_samples *day,
			 enum history_value value)
{
	int64_t before = 0;

	for (size_t i = 0, run; i < day->n; i += run) {
		const bool known = history_knows(&day->items[i], value);
		const int64_t step = known ? step_at(day, i, value, before) : 0;

		if (known)
			before += step;
		for (run = 1; i + run < day->n; run++) {
			if (history_knows(&day->items[i + run], value) != known ||
			    (known && step_at(day, i + run, value, before) != step))
				break;
			if (known)
				before += step;
		}
		write_number(o, run << 1 | known);
		if (known)
			write_number(o, of_signed(step));
	}
}

size_t history_block_write(const struct history_samples *day, uint8_t *block, size_t size)
{
	struct output o = {.bytes = block, .size = size};

	if (day->n == 0)
		return 0;
	write_number(&o, BLOCK_VERSION);
	write_number(&o, day->n);
	write_times(&o, day);
	for (enum history_value v = 0; v < HISTORY_VALUES; v++)
		write_values(&o, day, v);
	return o.full ? 0 : o.len;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

struct input {
	const uint8_t *at, *end;
	bool bad;
};

/* Return: the number; 0 when it is cut or has more than 63 bits. */
static uint64_t read_number(struct input *in)
{
	uint64_t n = 0;

	for (unsigned int shift = 0; shift < 63 && in->at < in->end; shift += 7) {
		const uint8_t byte = *in->at++;

		n |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return n;
	}
	in->bad = true;
	return 0;
}

static int64_t to_signed(uint64_t n)
{
	return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}

static void read_times(struct input *in, struct history_samples *day)
{
	int64_t at = -1;

	for (size_t i = 0; i < day->n && !in->bad;) {
		const uint64_t run = read_number(in), step = read_number(in);

		if (run == 0 || run > day->n - i || step == 0 || step > HISTORY_DAY_S) {
			in->bad = true;
			return;
		}
		for (size_t end = i + run; i < end; i++) {
			at += (int64_t)step;
			if (at >= HISTORY_DAY_S) {
				in->bad = true;
				return;
			}
			day->items[i].second = (uint32_t)at;
		}
	}
}

static void read_values(struct input *in, struct history_samples *day, enum history_value value)
{
	int64_t n = 0;

	for (size_t i = 0; i < day->n && !in->bad;) {
		const uint64_t token = read_number(in), run = token >> 1;
		const bool known = token & 1;
		const int64_t step = known ? to_signed(read_number(in)) : 0;

		if (run == 0 || run > day->n - i) {
			in->bad = true;
			return;
		}
		for (size_t end = i + run; i < end && known; i++) {
			if (__builtin_add_overflow(n, step, &n) || !is_in_range(value, n)) {
				in->bad = true;
				return;
			}
			history_set(&day->items[i], value, n);
		}
		i += known ? 0 : run;
	}
}

static int read_samples(struct input *in, size_t n, struct history_samples *day)
{
	*day = (struct history_samples){.items = calloc(n, sizeof(*day->items)), .n = n, .cap = n};
	if (!day->items) {
		*day = (struct history_samples){0};
		return -ENOMEM;
	}
	read_times(in, day);
	for (enum history_value v = 0; v < HISTORY_VALUES; v++)
		read_values(in, day, v);
	if (!in->bad && in->at == in->end)
		return 0;
	history_samples_done(day);
	return -EBADMSG;
}

int history_block_read(const uint8_t *block, size_t len, struct history_samples *ret)
{
	struct input in = {.at = block, .end = block + len};
	const uint64_t version = read_number(&in), n = read_number(&in);

	if (version != BLOCK_VERSION || n == 0 || n > HISTORY_SAMPLES_MAX)
		return -EBADMSG;
	return read_samples(&in, n, ret);
}
