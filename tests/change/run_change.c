// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Makes one change of this host, for tests in the virtual machine: run_change [DIRECTORY OF KEYS]
 *
 * The change is described on standard input, because arguments and the environment can be read by
 * other processes, and passphrases are part of it:
 *
 *	kind set passphrase		as change_kind_name()
 *	object mem0
 *	identity 0x1			also: force, zone, volatile, address, length, master, ...
 *	new a passphrase
 *
 * Prints progress and what became of it, a line each: "error 0", "outcome done", "object mem0",
 * "text ...". SIGINT cancels it. Exit status: 0 done, 1 not done, 2 the description is not valid.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "change/run.h"
#include "common/array.h"
#include "common/strutil.h"

struct description {
	struct change change;
	int image;
	unsigned int positions;
};

static int set_kind(struct description *d, const char *value)
{
	for (uint32_t kind = 1; kind < CHANGE_KINDS; kind++)
		if (str_equal(change_kind_name(kind), value)) {
			d->change.kind = kind;
			return 0;
		}
	return -EINVAL;
}

static int set_name(char *ret, size_t size, const char *value)
{
	if (strlen(value) >= size)
		return -EINVAL;
	memcpy(ret, value, strlen(value) + 1);
	return 0;
}

static int set_object(struct description *d, const char *value)
{
	return set_name(d->change.object, sizeof(d->change.object), value);
}

static int set_identity(struct description *d, const char *value)
{
	return parse_u64(value, &d->change.identity);
}

static int set_force(struct description *d, const char *value)
{
	(void)value;
	d->change.force = 1;
	return 0;
}

static int set_u32(uint32_t *ret, const char *value)
{
	uint64_t v;
	int r = parse_u64(value, &v);

	if (r == 0 && v > UINT32_MAX)
		r = -ERANGE;
	if (r == 0)
		*ret = (uint32_t)v;
	return r;
}

static int set_mode(struct description *d, const char *value)
{
	d->change.region.mode = str_equal(value, "pmem") ? DECODER_MODE_PMEM : DECODER_MODE_RAM;
	return 0;
}

static int set_granularity(struct description *d, const char *value)
{
	return set_u32(&d->change.region.granularity, value);
}

static int set_size(struct description *d, const char *value)
{
	return parse_u64(value, &d->change.region.size);
}

/* One line for each position, in their order: "position mem0 0x1". */
static int set_position(struct description *d, const char *value)
{
	struct change_region *r = &d->change.region;
	struct change_memdev *p;
	const char *blank = strchr(value, ' ');

	if (!blank || r->ways == INTERLEAVE_WAYS_MAX || blank - value >= CHANGE_NAME_MAX)
		return -EINVAL;
	p = &r->positions[r->ways++];
	memcpy(p->name, value, (size_t)(blank - value));
	return parse_u64(blank + 1, &p->serial);
}

static int set_zone(struct description *d, const char *value)
{
	d->change.zone = str_equal(value, "kernel") ? CHANGE_ZONE_KERNEL : CHANGE_ZONE_MOVABLE;
	return 0;
}

static int set_volatile(struct description *d, const char *value)
{
	return parse_u64(value, &d->change.volatile_bytes);
}

static int set_address(struct description *d, const char *value)
{
	return parse_u64(value, &d->change.poison.address);
}

static int set_length(struct description *d, const char *value)
{
	return parse_u64(value, &d->change.poison.length);
}

/* "alert over-temperature 70", or "off". */
static int set_alert(struct description *d, const char *value)
{
	struct change_alerts *a = &d->change.alerts;
	int v = 0;

	for (uint32_t bit = 0; bit < 5; bit++) {
		static const char *const names[] = {"life-used ", "over-temperature ",
						    "under-temperature ", "corrected-volatile ",
						    "corrected-persistent "};
		const char *number = str_after_prefix(value, names[bit]);

		if (!number)
			continue;
		a->fields |= 1U << bit;
		if (str_equal(number, "off"))
			return 0;
		a->enable |= 1U << bit;
		if (parse_int(number, &v) < 0)
			return -EINVAL;
		a->thresholds[bit] = v;
		return 0;
	}
	return -EINVAL;
}

static int set_master(struct description *d, const char *value)
{
	(void)value;
	d->change.security.master = 1;
	return 0;
}

static int set_repair(struct description *d, const char *value)
{
	d->change.repair.type = (uint32_t)edac_repair_type_of(value);
	return 0;
}

/* With its flags in bits 1:0. */
static int set_dpa(struct description *d, const char *value)
{
	return parse_u64(value, &d->change.repair.dpa);
}

/* One line for each part that is known: "part row 77". */
static int set_part(struct description *d, const char *value)
{
	struct change_repair *r = &d->change.repair;

	for (int i = 0; i < REPAIR_PARTS; i++) {
		const char *at = str_after_prefix(value, repair_part_name((enum repair_part)i));

		if (!at || *at != ' ')
			continue;
		r->known |= 1U << i;
		return set_u32(&r->part[i], at + 1);
	}
	return -EINVAL;
}

static int set_secret(struct change_secret *s, const char *value)
{
	s->len = (uint32_t)strlen(value);
	if (s->len > CHANGE_SECRET_MAX)
		return -EINVAL;
	memcpy(s->bytes, value, s->len);
	return 0;
}

static int set_old(struct description *d, const char *value)
{
	return set_secret(&d->change.security.old, value);
}

static int set_new(struct description *d, const char *value)
{
	return set_secret(&d->change.security.new, value);
}

static int set_image(struct description *d, const char *value)
{
	struct stat st;

	d->image = open(value, O_RDONLY | O_CLOEXEC);
	if (d->image < 0 || fstat(d->image, &st) < 0)
		return -errno;
	d->change.firmware.size = (uint64_t)st.st_size;
	return 0;
}

static int set_uuid(struct description *d, const char *value)
{
	return set_name(d->change.region.uuid, sizeof(d->change.region.uuid), value);
}

static const struct {
	const char *name;
	int (*set)(struct description *d, const char *value);
} words[] = {
	{"kind", set_kind},	  {"object", set_object},     {"identity", set_identity},
	{"force", set_force},	  {"mode", set_mode},	      {"granularity", set_granularity},
	{"size", set_size},	  {"uuid", set_uuid},	      {"position", set_position},
	{"zone", set_zone},	  {"volatile", set_volatile}, {"alert", set_alert},
	{"master", set_master},	  {"old", set_old},	      {"new", set_new},
	{"address", set_address}, {"length", set_length},     {"image", set_image},
	{"repair", set_repair},	  {"dpa", set_dpa},	      {"part", set_part},
};

static int read_line(struct description *d, char *line)
{
	char *value = strchr(line, ' ');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_equal(words[i].name, line))
			return words[i].set(d, value ? value : "");
	return -EINVAL;
}

/* Not by stdio, whose buffers would keep a passphrase. */
static int read_description(struct description *d)
{
	char text[4096], *at = text, *line;
	size_t len = 0;
	ssize_t n;
	int r = 0;

	while ((n = read(STDIN_FILENO, text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)n;
	text[len] = '\0';
	while (r == 0 && (line = strsep(&at, "\n")))
		if (*line)
			r = read_line(d, line);
	explicit_bzero(text, sizeof(text));
	return n < 0 ? -errno : r;
}

static volatile sig_atomic_t cancelled;

static void on_signal(int signo)
{
	(void)signo;
	cancelled = 1;
}

static bool is_cancelled(void *userdata)
{
	(void)userdata;
	return cancelled;
}

static void print_progress(void *userdata, const struct change_progress *p)
{
	(void)userdata;
	printf("progress %llu %llu %s %s\n", (unsigned long long)p->done,
	       (unsigned long long)p->total, p->unit, p->part);
	(void)fflush(stdout);
}

int main(int argc, char **argv)
{
	struct description d = {.image = -1};
	struct change_result result;
	struct host_root *root;
	struct error e = {0};
	int r = read_description(&d);

	if (r < 0 || host_root_open_live(&root, &e) < 0) {
		(void)fprintf(stderr, "run_change: %s\n", r < 0 ? strerror(-r) : e.text);
		return 2;
	}
	(void)signal(SIGINT, on_signal);
	(void)change_run(&(struct change_context){.root = root,
						  .image = d.image,
						  .key_directory = argc > 1 ? argv[1] : NULL,
						  .progress = print_progress,
						  .cancelled = is_cancelled},
			 &d.change, &result);
	change_wipe(&d.change);
	printf("error %d\noutcome %s\nobject %s\n", -result.error,
	       change_outcome_name(result.outcome), result.object);
	if (*result.text)
		printf("text %s\n", result.text);
	(void)host_root_free(root);
	return result.error == 0 ? 0 : 1;
}
