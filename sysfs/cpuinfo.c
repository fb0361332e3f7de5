// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/cpuinfo.h"

#include <stdio.h>
#include <string.h>

#include "common/strutil.h"

/* A line "KEY\t: VALUE". */
struct line {
	const char *key, *value;
	size_t key_len, value_len;
};

static bool split(const char *text, size_t len, struct line *ret)
{
	const char *colon = memchr(text, ':', len);
	size_t key_len;

	if (!colon)
		return false;
	key_len = (size_t)(colon - text);
	while (key_len > 0 && (text[key_len - 1] == '\t' || text[key_len - 1] == ' '))
		key_len--;
	colon++;
	len -= (size_t)(colon - text);
	if (len > 0 && *colon == ' ') {
		colon++;
		len--;
	}
	*ret = (struct line){text, colon, key_len, len};
	return true;
}

static bool is_key(const struct line *l, const char *key)
{
	return l->key_len == strlen(key) && memcmp(l->key, key, l->key_len) == 0;
}

/* Without the blanks at its end; "" when it is too long or not printable. */
static void take_text(const struct line *l, char ret[static CPUINFO_TEXT_MAX])
{
	size_t len = l->value_len;

	while (len > 0 && l->value[len - 1] == ' ')
		len--;
	ret[0] = '\0';
	if (len < CPUINFO_TEXT_MAX)
		(void)snprintf(ret, CPUINFO_TEXT_MAX, "%.*s", (int)len, l->value);
	if (!str_is_plain(ret))
		ret[0] = '\0';
}

static struct opt_u64 take_number(const struct line *l)
{
	char text[CPUINFO_TEXT_MAX];
	uint64_t value;

	take_text(l, text);
	return parse_u64(text, &value) == 0 ? OPT_U64(value) : (struct opt_u64){0};
}

static bool has_word(const struct line *l, const char *word)
{
	const size_t n = strlen(word);
	const char *at = l->value, *end = l->value + l->value_len;

	while (at < end) {
		const char *blank = memchr(at, ' ', (size_t)(end - at));
		const size_t len = (size_t)((blank ? blank : end) - at);

		if (len == n && memcmp(at, word, n) == 0)
			return true;
		at += len + 1;
	}
	return false;
}

static void take_line(const struct line *l, struct cpuinfo *c)
{
	if (is_key(l, "vendor_id"))
		take_text(l, c->vendor);
	if (is_key(l, "model name"))
		take_text(l, c->model);
	if (is_key(l, "physical id"))
		c->package = take_number(l);
	if (is_key(l, "flags")) {
		c->hypervisor = OPT_BOOL(has_word(l, "hypervisor"));
		if (has_word(l, "lm"))
			c->architecture = CPU_X86_64;
	}
	if (is_key(l, "CPU architecture") && opt_u64_is(take_number(l), 8))
		c->architecture = CPU_ARM_64;
}

bool cpuinfo_next(const char **at, struct cpuinfo *ret)
{
	const char *p = *at + strspn(*at, "\n");
	struct line l;

	*ret = (struct cpuinfo){0};
	if (!*p)
		return false;
	while (*p && *p != '\n') {
		const size_t len = strcspn(p, "\n");

		if (split(p, len, &l))
			take_line(&l, ret);
		p += len;
		p += *p == '\n';
	}
	*at = p;
	return true;
}

void cpuinfo_write(const struct cpuinfo *c, char ret[static CPUINFO_REDUCED_MAX])
{
	char package[sizeof("physical id\t: 18446744073709551615\n")] = "";

	if (c->architecture == CPU_ARM_64) {
		(void)snprintf(ret, CPUINFO_REDUCED_MAX, "CPU architecture: 8\n\n");
		return;
	}
	if (c->package.present)
		(void)snprintf(package, sizeof(package), "physical id\t: %llu\n",
			       (unsigned long long)c->package.value);
	(void)snprintf(ret, CPUINFO_REDUCED_MAX,
		       "vendor_id\t: %s\nmodel name\t: %s\n%sflags\t\t:%s%s\n\n", c->vendor,
		       c->model, package, c->architecture == CPU_X86_64 ? " lm" : "",
		       opt_bool_is_true(c->hypervisor) ? " hypervisor" : "");
}
