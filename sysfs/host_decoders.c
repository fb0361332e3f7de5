// SPDX-License-Identifier: LGPL-2.1-or-later
/* Root, switch and endpoint decoders. */
#include "sysfs/host_decoders.h"
#include "sysfs/host_dports.h"
#include "sysfs/host_regions.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"

enum { MODE_BYTES_MAX = 48 };

#define FIELD(attr, type, member)                                                                  \
	{                                                                                          \
		attr, type, offsetof(struct decoder, member)                                       \
	}

static const struct attr_field common_fields[] = {
	FIELD("size", ATTR_U64, size),
	FIELD("locked", ATTR_BOOL, locked),
};

static const struct attr_field range_fields[] = {
	FIELD("start", ATTR_ADDRESS, start),
	FIELD("interleave_ways", ATTR_WAYS, ways),
	FIELD("interleave_granularity", ATTR_U64, granularity),
};

static const struct attr_field root_fields[] = {
	FIELD("cap_ram", ATTR_BOOL, cap_ram),	  FIELD("cap_pmem", ATTR_BOOL, cap_pmem),
	FIELD("cap_type2", ATTR_BOOL, cap_type2), FIELD("cap_type3", ATTR_BOOL, cap_type3),
	FIELD("qos_class", ATTR_INT, qos_class),
};

static const struct attr_field switch_fields[] = {
	FIELD("target_type", ATTR_TEXT, target_type),
};

static const struct attr_field endpoint_fields[] = {
	FIELD("target_type", ATTR_TEXT, target_type),
	FIELD("dpa_size", ATTR_U64, dpa_size),
};

static const struct attr_field dpa_resource_field =
	FIELD("dpa_resource", ATTR_ADDRESS, dpa_resource);

struct words {
	const char *region, *mode;
};

static const struct attr_field region_word = {"region", ATTR_TEXT, offsetof(struct words, region)};
static const struct attr_field mode_word = {"mode", ATTR_TEXT, offsetof(struct words, mode)};

static int decoder_read_targets(struct build *b, const struct attr_dir *dir,
				struct decoder *decoder)
{
	struct decoder_target targets[INTERLEAVE_WAYS_MAX];
	char list[ATTR_BYTES_MAX + 1], *rest = list, *word;
	unsigned int n = 0;

	if (attr_read_text(dir, "target_list", list) < 0 || list[0] == '\0')
		return 0;
	while ((word = strsep(&rest, ","))) {
		uint64_t id;

		if (n == ARRAY_SIZE(targets) || build_dport_id(word, &id) < 0) {
			read_notes_add(&b->notes, "%s: target_list is not a list of dports",
				       dir->name);
			return 0;
		}
		targets[n] = (struct decoder_target){n, id, build_find_dport(decoder->port, id)};
		if (!targets[n].dport)
			read_notes_add(&b->notes,
				       "%s: target %u is dport %llu, which %s does not have",
				       dir->name, n, (unsigned long long)id, decoder->port->name);
		n++;
	}
	decoder->targets = arena_memdup(b->arena, targets, n * sizeof(targets[0]));
	if (!decoder->targets)
		return -ENOMEM;
	decoder->n_targets = n;
	return 0;
}

static int read_region_word(struct build *b, const struct attr_dir *dir, struct decoder *decoder)
{
	struct decoder_link *link;
	struct words words = {0};

	if (attr_read(dir, &region_word, &words) < 0)
		return 0;
	link = decoder_link_list_add(&b->links);
	if (!link)
		return -ENOMEM;
	*link = (struct decoder_link){decoder, words.region};
	return 0;
}

static struct opt_bool has_attribute(const struct attr_dir *dir, const char *name)
{
	return OPT_BOOL(faccessat(dir->fd, name, F_OK, 0) == 0);
}

DEFINE_ARRAY(const char *, mode_list);

static int mode_order(const void *a, const void *b)
{
	return str_natural_cmp(*(const char *const *)a, *(const char *const *)b);
}

/* Return: the NAME of an attribute "PREFIX NAME SUFFIX", NULL for another, and for ram and pmem. */
static const char *other_mode_of(struct build *b, const char *attr, const char *prefix,
				 const char *suffix)
{
	const char *name = str_after_prefix(attr, prefix);
	const size_t n = name ? strlen(name) : 0, n_suffix = strlen(suffix);
	char text[MODE_BYTES_MAX];

	if (n <= n_suffix || n - n_suffix >= sizeof(text) ||
	    !str_equal(name + n - n_suffix, suffix))
		return NULL;
	(void)snprintf(text, sizeof(text), "%.*s", (int)(n - n_suffix), name);
	if (str_equal(text, "ram") || str_equal(text, "pmem") || str_equal(text, "type2") ||
	    str_equal(text, "type3") || !build_name_is_valid(text))
		return NULL;
	return build_name(b, text);
}

static int add_mode(struct build *b, struct mode_list *list, const char *mode)
{
	const char **slot;

	if (!mode || list->n == NAMED_PARTITIONS_MAX)
		return b->notes.out_of_memory ? -ENOMEM : 0;
	slot = mode_list_add(list);
	if (!slot)
		return -ENOMEM;
	*slot = mode;
	return 0;
}

static int freeze_modes(struct build *b, struct mode_list *list, const char *const **ret,
			size_t *ret_n)
{
	if (list->n > 1)
		qsort(list->items, list->n, sizeof(list->items[0]), mode_order);
	*ret = arena_memdup(b->arena, list->items, list->n * sizeof(list->items[0]));
	*ret_n = list->n;
	return *ret ? 0 : -ENOMEM;
}

/* Modes of dynamic capacity and of kernels to come: they are what the attributes are named after.
 */
static int read_other_modes(struct build *b, const struct attr_dir *dir, struct decoder *decoder)
{
	_cleanup_(mode_list_done) struct mode_list caps = {0}, makes = {0};
	_cleanup_closedir_ DIR *entries = build_open_list(dir->fd);
	const struct dirent *entry;
	int r = 0;

	while (r == 0 && entries && (entry = readdir(entries))) {
		const struct attr_field field = {entry->d_name, ATTR_BOOL, 0};
		const char *cap = other_mode_of(b, entry->d_name, "cap_", "");
		struct opt_bool allows = {0};

		if (cap && attr_read(dir, &field, &allows) == 0 && opt_bool_is_true(allows))
			r = add_mode(b, &caps, cap);
		if (r == 0)
			r = add_mode(b, &makes,
				     other_mode_of(b, entry->d_name, "create_", "_region"));
	}
	if (r == 0)
		r = freeze_modes(b, &caps, &decoder->other_caps, &decoder->n_other_caps);
	return r < 0 ? r : freeze_modes(b, &makes, &decoder->other_makes, &decoder->n_other_makes);
}

static int read_by_kind(struct build *b, const struct attr_dir *dir, struct decoder *decoder)
{
	struct words words = {0};
	int r;

	switch (decoder->port->kind) {
	case PORT_ROOT:
		attr_read_all(dir, root_fields, ARRAY_SIZE(root_fields), decoder);
		decoder->makes_ram = has_attribute(dir, "create_ram_region");
		decoder->makes_pmem = has_attribute(dir, "create_pmem_region");
		if (read_other_modes(b, dir, decoder) < 0)
			return -ENOMEM;
		r = decoder_read_targets(b, dir, decoder);
		return r < 0 ? r : build_regions(b, dir->fd, decoder);
	case PORT_HOST_BRIDGE:
	case PORT_SWITCH:
		attr_read_all(dir, switch_fields, ARRAY_SIZE(switch_fields), decoder);
		r = decoder_read_targets(b, dir, decoder);
		return r < 0 ? r : read_region_word(b, dir, decoder);
	case PORT_ENDPOINT:
		attr_read_all(dir, endpoint_fields, ARRAY_SIZE(endpoint_fields), decoder);
		(void)attr_read(dir, &mode_word, &words);
		decoder->mode = build_mode(b, decoder->name, words.mode, &decoder->other_mode);
		/* An idle one without DPA has no base and is in no region. */
		if (opt_u64_is(decoder->dpa_size, 0) && opt_u64_is(decoder->size, 0))
			return 0;
		(void)attr_read(dir, &dpa_resource_field, decoder);
		return read_region_word(b, dir, decoder);
	}
	return 0;
}

/* @ret: NULL when the decoder is left out */
static int read_decoder(struct build *b, int port_fd, const char *name, unsigned int index,
			const struct port *port, struct decoder_list *own)
{
	_cleanup_close_ int fd = -1;
	struct decoder *decoder, **slot, **own_slot;
	struct attr_dir dir;

	fd = build_open_child(b, port_fd, name);
	if (fd < 0)
		return 0;
	decoder = ARENA_NEW(b->arena, struct decoder);
	slot = decoder_list_add(&b->decoders);
	own_slot = decoder_list_add(own);
	if (!decoder || !slot || !own_slot)
		return -ENOMEM;
	*slot = *own_slot = decoder;
	decoder->name = build_name(b, name);
	if (!decoder->name)
		return -ENOMEM;
	decoder->port = port;
	decoder->index = index;
	dir = (struct attr_dir){fd, "decoder", decoder->name, &b->notes, b->root->opener};
	attr_read_all(&dir, common_fields, ARRAY_SIZE(common_fields), decoder);
	/* Most decoders are idle: they decode nothing, and how they would says nothing. */
	if (!opt_u64_is(decoder->size, 0))
		attr_read_all(&dir, range_fields, ARRAY_SIZE(range_fields), decoder);
	return read_by_kind(b, &dir, decoder);
}

/* Found by their names: port3 has decoder3.0, endpoint4 has decoder4.0. */
static int read_decoders(struct build *b, int fd, const struct port *port, struct decoder_list *own)
{
	_cleanup_closedir_ DIR *dir = build_open_list(fd);
	const struct dirent *entry;
	char prefix[PATH_MAX];
	int r;

	(void)snprintf(prefix, sizeof(prefix), "decoder%s.",
		       port->name + strcspn(port->name, "0123456789"));
	while (dir && (entry = readdir(dir))) {
		const char *number = str_after_prefix(entry->d_name, prefix);
		uint64_t index;

		if (!number || parse_u64(number, &index) < 0 || index > UINT_MAX)
			continue;
		r = read_decoder(b, fd, entry->d_name, (unsigned int)index, port, own);
		if (r < 0)
			return r;
	}
	return 0;
}

/*
 * Whether the only decoder of a port stands for none, see devm_cxl_add_passthrough_decoder() of the
 * kernel: it has the granularity of a page, where an idle HDM decoder has that of its register.
 */
static bool is_passthrough(struct build *b, int port_fd, const struct port *port,
			   const struct decoder *d)
{
	_cleanup_close_ int fd = -1;
	struct decoder how = {0};

	if (port->n_dports != 1 || !opt_u64_is(d->size, 0) || d->n_targets != 1 ||
	    d->targets[0].dport != &port->dports[0])
		return false;
	fd = build_open_child(b, port_fd, d->name);
	if (fd < 0)
		return false;
	attr_read_all(&(struct attr_dir){fd, "decoder", d->name, &b->notes, b->root->opener},
		      range_fields, ARRAY_SIZE(range_fields), &how);
	/* Pages of 4 or 64 KiB; after a reset of the machine the register has 256 bytes. */
	return opt_u64_is(how.ways, 1) &&
	       (opt_u64_is(how.granularity, 4096) || opt_u64_is(how.granularity, 65536));
}

int build_decoders(struct build *b, int fd, struct port *port)
{
	_cleanup_(decoder_list_done) struct decoder_list own = {0};
	int r;

	r = read_decoders(b, fd, port, &own);
	if (r < 0)
		return r;
	LIST_SORT(&own, decoder);
	port->decoders = LIST_FREEZE(&own, b->arena);
	port->n_decoders = own.n;
	port->passes_through = own.n == 1 &&
			       (port->kind == PORT_HOST_BRIDGE || port->kind == PORT_SWITCH) &&
			       is_passthrough(b, fd, port, own.items[0]);
	return port->decoders ? 0 : -ENOMEM;
}
