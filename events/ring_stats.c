// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/ring_stats.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Return: the number behind "NAME: " at the beginning of a line, or NULL. */
static const char *find_number(const char *text, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = text; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
		const char *number;

		if (strncmp(at, name, len) != 0 || at[len] != ':')
			continue;
		number = at + len + 1 + strspn(at + len + 1, " ");
		return isdigit((unsigned char)*number) ? number : NULL;
	}
	return NULL;
}

static struct opt_u64 count_of(const char *text, const char *name)
{
	const char *number = find_number(text, name);
	uint64_t count;

	if (!number || sscanf(number, "%19" SCNu64, &count) != 1)
		return (struct opt_u64){0};
	return OPT_U64(count);
}

/* "   14.051859"; clocks that do not count time have no point. */
static struct opt_u64 time_of(const char *text, const char *name)
{
	const char *number = find_number(text, name);
	uint64_t seconds;
	unsigned micros;

	if (!number || sscanf(number, "%10" SCNu64 ".%6u", &seconds, &micros) != 2)
		return (struct opt_u64){0};
	return OPT_U64(seconds * 1000000000 + (uint64_t)micros * 1000);
}

void ring_stats_parse(const char *text, struct ring_stats *ret)
{
	*ret = (struct ring_stats){
		.overrun = count_of(text, "overrun"),
		.commit_overrun = count_of(text, "commit overrun"),
		.dropped = count_of(text, "dropped events"),
		.now_ns = time_of(text, "now ts"),
		.wall_ns = time_of(text, "wall ts"),
	};
}

struct opt_u64 ring_stats_wall_offset(const struct ring_stats *stats)
{
	if (!stats->now_ns.present || !stats->wall_ns.present)
		return (struct opt_u64){0};
	return OPT_U64(stats->wall_ns.value - stats->now_ns.value);
}

bool ring_clock_parse(const char *text, char ret[EVENT_CLOCK_MAX])
{
	const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
	const size_t len = close ? (size_t)(close - open - 1) : 0;

	ret[0] = '\0';
	if (len == 0 || len >= EVENT_CLOCK_MAX)
		return false;
	for (const char *c = open + 1; c < close; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789_-", *c))
			return false;
	memcpy(ret, open + 1, len);
	ret[len] = '\0';
	return true;
}
