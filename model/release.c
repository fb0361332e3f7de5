// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/release.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"

#define MIB(bytes) ((bytes) >> 20)

enum { BLOCK_REASONS_MAX = 3 }; /* blocks with unmovable pages that have a reason of their own */

__attribute__((format(printf, 3, 4))) static void
add_reason(struct release *ret, enum release_verdict verdict, const char *fmt, ...)
{
	va_list args;

	/* No outweighs doubt, which outweighs yes. */
	if (verdict == RELEASE_NO || ret->verdict == RELEASE_YES)
		ret->verdict = verdict;
	if (ret->n_reasons == RELEASE_REASONS_MAX)
		return;
	va_start(args, fmt);
	(void)vsnprintf(ret->reasons[ret->n_reasons++], RELEASE_REASON_TEXT, fmt, args);
	va_end(args);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Sums of all dax devices; absent when they are not known of one. */
struct sums {
	struct opt_u64 online, movable, pinned, unclear;
	size_t more_pinned, more_unclear; /* blocks that are not among those of the release */
};

/* Return: the length of @text with what was added. */
__attribute__((format(printf, 3, 4))) static size_t append(char *text, size_t len, const char *fmt,
							   ...)
{
	va_list args;

	if (len >= RELEASE_REASON_TEXT)
		return len;
	va_start(args, fmt);
	(void)vsnprintf(text + len, RELEASE_REASON_TEXT - len, fmt, args);
	va_end(args);
	return len + strlen(text + len);
}

static size_t append_kinds(char *text, size_t len, const struct block_pages *pages)
{
	static const char *const names[] = {[PAGES_SLAB] = "slab",
					    [PAGES_TABLES] = "page tables",
					    [PAGES_RESERVED] = "reserved",
					    [PAGES_OTHER] = "other"};
	const char *before = " (";

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (pages->n[i] == 0)
			continue;
		len = append(text, len, "%s%" PRIu32 " %s", before, pages->n[i], names[i]);
		before = ", ";
	}
	return append(text, len, ")");
}

const char *memory_block_name(const struct memory_block *b, char text[static RELEASE_BLOCK_NAME])
{
	(void)snprintf(text, RELEASE_BLOCK_NAME, "memory%" PRIu64, b->number);
	return text;
}

const char *memory_block_text(const struct memory_block *b, char text[static RELEASE_REASON_TEXT])
{
	const uint64_t unmovable = block_pages_unmovable(&b->pages);
	const uint32_t unclear = b->pages.n[PAGES_UNCLEAR];
	char name[RELEASE_BLOCK_NAME];
	size_t len = append(text, 0, "%s, ", memory_block_name(b, name));

	if (b->zone)
		len = append(text, len, "zone %s", b->zone);
	else
		len = append(text, len, "zone not known");
	if (unmovable > 0)
		len = append(text, len, ", %" PRIu64 " unmovable page%s", unmovable,
			     unmovable == 1 ? "" : "s");
	if (unmovable > 0)
		(void)append_kinds(text, len, &b->pages);
	else if (unclear > 0)
		(void)append(text, len, ", %" PRIu32 " page%s that may be unmovable", unclear,
			     unclear == 1 ? "" : "s");
	return text;
}

static void add(struct opt_u64 *sum, struct opt_u64 one)
{
	sum->present &= one.present;
	sum->value += one.value;
}

static void add_use(struct sums *s, const struct dax_use *u)
{
	static const struct dax_use nothing;

	u = u ? u : &nothing;
	add(&s->online, u->online);
	add(&s->movable, u->movable);
	add(&s->pinned, u->pinned);
	add(&s->unclear, u->unclear);
}

/* Pinned blocks come first. */
static void add_blocks(const struct dax_use *u, struct sums *s, struct release *ret)
{
	for (size_t i = 0; i < u->n_blocks; i++) {
		const bool pinned = memory_block_is_pinned(&u->blocks[i]);
		size_t at = ret->n_blocks;

		if (at == RELEASE_BLOCKS_MAX) {
			s->more_pinned += pinned;
			s->more_unclear += !pinned;
			continue;
		}
		for (; pinned && at > 0 && !memory_block_is_pinned(&ret->blocks[at - 1]); at--)
			ret->blocks[at] = ret->blocks[at - 1];
		ret->blocks[at] = u->blocks[i];
		ret->n_blocks++;
	}
	s->more_pinned += u->n_more_pinned;
	s->more_unclear += u->n_more_unclear;
}

static void explain_pinned(const struct sums *s, struct release *ret)
{
	char text[RELEASE_REASON_TEXT];
	size_t n = 0;

	for (size_t i = 0; i < ret->n_blocks && memory_block_is_pinned(&ret->blocks[i]); i++)
		if (n++ < BLOCK_REASONS_MAX)
			add_reason(ret, RELEASE_NO, "%s: free only after a restart",
				   memory_block_text(&ret->blocks[i], text));
	n += s->more_pinned;
	if (n > BLOCK_REASONS_MAX)
		add_reason(ret, RELEASE_NO,
			   "%zu more memory blocks have unmovable pages: free only after a restart",
			   n - BLOCK_REASONS_MAX);
}

static const char *error_text(int64_t error)
{
	switch (error) {
	case 0:
		return "";
	case -ENXIO:
		return ": its zone or state cannot be read";
	case -E2BIG:
		return ": its pages were not looked at, because there are too many";
	case -EACCES:
	case -EPERM:
		return ": its pages cannot be seen, because only root may read /proc/kpageflags";
	default:
		return ": its pages cannot be seen, because /proc/kpageflags does not have them";
	}
}

static void explain_unclear(const struct sums *s, struct release *ret)
{
	const struct memory_block *first = NULL;
	char text[RELEASE_REASON_TEXT];
	size_t n = s->more_unclear;

	for (size_t i = 0; i < ret->n_blocks; i++) {
		if (memory_block_is_pinned(&ret->blocks[i]))
			continue;
		first = first ? first : &ret->blocks[i];
		n++;
	}
	if (!first && n > 0)
		add_reason(ret, RELEASE_UNKNOWN, "%zu more memory block%s may have unmovable pages",
			   n, n == 1 ? "" : "s");
	else if (n == 1)
		add_reason(ret, RELEASE_UNKNOWN, "%s%s", memory_block_text(first, text),
			   error_text(first->error));
	else if (n > 1)
		add_reason(ret, RELEASE_UNKNOWN, "%s%s; so it is with %zu more memory block%s",
			   memory_block_text(first, text), error_text(first->error), n - 1,
			   n == 2 ? "" : "s");
}

static void explain_memory(const struct sums *s, struct release *ret)
{
	const uint64_t online = MIB(s->online.value);

	if (!s->online.present) {
		add_reason(ret, RELEASE_UNKNOWN,
			   "it cannot be read which of its memory blocks are online");
		return;
	}
	explain_pinned(s, ret);
	explain_unclear(s, ret);
	if (ret->verdict != RELEASE_YES)
		return;
	if (s->online.value > 0 && s->movable.value == s->online.value)
		add_reason(
			ret, RELEASE_YES,
			"all %" PRIu64
			" MiB online are in ZONE_MOVABLE: the kernel moves what is in use, if there is room elsewhere",
			online);
	else if (s->online.value > 0)
		add_reason(ret, RELEASE_YES,
			   "the kernel has no page of its own in the %" PRIu64
			   " MiB online at present, but may have later: %" PRIu64
			   " MiB are not in ZONE_MOVABLE",
			   online, online - MIB(s->movable.value));
}

/* ---- holders ----------------------------------------------------------------------------------
 */

static void explain_holders(const struct dax_use *u, struct release *ret)
{
	const struct memory_holder *first = u->holders;
	const size_t n = u->n_holders + u->n_more;

	if (n == 1 && first->pid > 0)
		add_reason(ret, RELEASE_NO, "process %" PRIu32 " (%s) has %s open or mapped",
			   first->pid, first->name, u->dax);
	else if (n > 1 && first->pid > 0)
		add_reason(ret, RELEASE_NO,
			   "%zu processes have %s open or mapped, the first is %" PRIu32 " (%s)", n,
			   u->dax, first->pid, first->name);
	else if (n > 0)
		add_reason(ret, RELEASE_NO, "%zu %s in use: %s%s", n,
			   n == 1 ? "namespace or mount is" : "namespaces and mounts are",
			   first->name, n == 1 ? "" : ", ...");
	if (!opt_bool_is_true(u->holders_known))
		add_reason(ret, RELEASE_UNKNOWN, "it cannot be seen who %suses %s",
			   n > 0 ? "else " : "", u->dax);
}

static void take_holders(const struct dax_use *u, struct release *ret)
{
	for (size_t i = 0; i < u->n_holders; i++) {
		if (ret->n_holders == RELEASE_HOLDERS_MAX)
			break;
		ret->holders[ret->n_holders++] = u->holders[i];
	}
}

/* ---- regions ----------------------------------------------------------------------------------
 */

static void add_device(const struct memory_use *use, const char *name, struct sums *s,
		       struct release *ret)
{
	const struct dax_use *u = memory_use_of(use, name);

	add_use(s, u);
	if (!u)
		return;
	if (opt_bool_is_true(u->boot_memory))
		add_reason(
			ret, RELEASE_NO,
			"the kernel got this memory from the firmware at its start, and cannot give it back");
	add_blocks(u, s, ret);
	explain_holders(u, ret);
	take_holders(u, ret);
}

/* They may have data, also those that no driver has. */
static void explain_namespaces(const struct region *r, struct release *ret)
{
	if (r->namespaces.present && r->namespaces.value > 0)
		add_reason(
			ret, RELEASE_NO,
			"it has %" PRIu64
			" namespace%s, active or not: ndctl destroy-namespace removes what is not needed any more",
			r->namespaces.value, r->namespaces.value == 1 ? "" : "s");
}

/* Linux gives the extents of a region that is destroyed back to the device. */
static void explain_extents(const struct region *r, struct release *ret)
{
	const struct opt_u64 bytes = region_backed(r);

	if (ret->verdict != RELEASE_YES || !region_has_extents(r))
		return;
	if (bytes.present && !bytes.value)
		add_reason(ret, RELEASE_YES, "it has no extent, so there is no memory to release");
	else if (bytes.present)
		add_reason(ret, RELEASE_YES,
			   "its extents (%zu, 0x%" PRIx64
			   " bytes) go back to the device, which may give them to another host",
			   r->dax->n_extents, bytes.value);
	else
		add_reason(ret, RELEASE_YES,
			   "its extents, of which not all are known, go back to the device");
}

/* @nothing: the reason when there is no other */
static void conclude(const struct sums *s, const char *nothing, struct release *ret)
{
	if (ret->verdict == RELEASE_YES || s->online.present)
		explain_memory(s, ret);
	ret->online = s->online;
	if (s->online.present && s->pinned.present && opt_u64_is(s->unclear, 0))
		ret->movable = OPT_U64(s->online.value - s->pinned.value);
	/* Pages that are not clear may be pinned, too: that none is pinned is not known then. */
	ret->pinned = s->pinned;
	ret->pinned.present &= s->pinned.value > 0 || !s->unclear.value;
	if (nothing && ret->n_reasons == 0)
		add_reason(ret, RELEASE_YES, "%s", nothing);
}

void region_release(const struct region *r, const struct memory_use *use, struct release *ret)
{
	struct sums s = {OPT_U64(0), OPT_U64(0), OPT_U64(0), OPT_U64(0), 0, 0};

	*ret = (struct release){.verdict = RELEASE_YES};
	if (r->by_decoders) {
		add_reason(
			ret, RELEASE_NO,
			"Linux has no region there that could be destroyed: only firmware can map this memory differently, at the next boot");
		return;
	}
	if (!r->dax || r->dax->n_devices == 0 || r->mode == DECODER_MODE_PMEM)
		add_device(use, r->name, &s, ret);
	else
		for (size_t i = 0; i < r->dax->n_devices; i++)
			add_device(use, r->dax->devices[i]->name, &s, ret);
	explain_namespaces(r, ret);
	conclude(&s, NULL, ret);
	explain_extents(r, ret);
	if (ret->n_reasons == 0)
		add_reason(
			ret, RELEASE_YES, "%s",
			r->mode == DECODER_MODE_PMEM
				? "it has no namespace"
				: "none of its memory is online, and no process has its dax devices open");
}

void dax_release(const struct dax_device *d, const struct memory_use *use, struct release *ret)
{
	struct sums s = {OPT_U64(0), OPT_U64(0), OPT_U64(0), OPT_U64(0), 0, 0};

	*ret = (struct release){.verdict = RELEASE_YES};
	add_device(use, d->name, &s, ret);
	conclude(&s, "none of its memory is online, and no process has it open", ret);
}

const char *release_verdict_name(enum release_verdict v)
{
	static const char *const names[] = {"Releasable", "NotReleasable", "Unknown"};

	return names[v];
}
