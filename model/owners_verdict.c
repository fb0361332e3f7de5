// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The verdict about a part of a window: whether a region can be made there, as a finding.
#include <errno.h>

#include "common/strutil.h"
#include "model/owners_private.h"

bool window_last(const struct decoder *window, uint64_t *ret)
{
	return window->start.present && window->size.present && window->size.value &&
	       !__builtin_add_overflow(window->start.value, window->size.value - 1, ret);
}

bool owner_is_in_the_way(const struct owner *o)
{
	return o->kind != OWNER_FREE && o->kind != OWNER_UNKNOWN && o->kind != OWNER_NOTHING;
}

bool texts_equal(const char *a, const char *b)
{
	return a == b || str_equal(a, b);
}

static bool decoders_equal(const struct owner *a, const struct owner *b)
{
	if (a->n_decoders != b->n_decoders)
		return false;
	for (size_t i = 0; i < a->n_decoders; i++)
		if (a->decoders[i] != b->decoders[i])
			return false;
	return true;
}

bool owners_are_alike(const struct owner *a, const struct owner *b)
{
	return a->kind == b->kind && a->mapping == b->mapping && a->is_avoided == b->is_avoided &&
	       a->is_soft_reserved == b->is_soft_reserved && texts_equal(a->name, b->name) &&
	       texts_equal(a->dax, b->dax) && decoders_equal(a, b);
}

static int put_decoders(const struct owner *o, struct arena *arena, struct finding *f)
{
	struct finding_item *items = ARENA_ARRAY(arena, o->n_decoders, struct finding_item);

	if (!items)
		return -ENOMEM;
	for (size_t i = 0; i < o->n_decoders; i++) {
		items[i] = (struct finding_item){.name = o->decoders[i]->name};
		items[i].next = i + 1 < o->n_decoders ? &items[i + 1] : NULL;
	}
	f->code = FINDING_WINDOW_DECODED;
	f->args[1] = finding_list(items);
	return 0;
}

static int put_pci(const struct owner *o, struct arena *arena, struct finding *f)
{
	struct finding_item *item = ARENA_NEW(arena, struct finding_item);

	if (!item)
		return -ENOMEM;
	*item = (struct finding_item){
		.name = o->name, .start = f->args[0].range.start, .size = f->args[0].range.size};
	f->code = FINDING_WINDOW_PCI;
	f->args[0] = finding_list(item);
	return 0;
}

static void put_free(const struct owner *o, struct finding *f)
{
	f->code = o->kind == OWNER_UNKNOWN ? FINDING_WINDOW_GAP_UNKNOWN : FINDING_WINDOW_GAP;
	f->args[1] = finding_size(f->args[0].range.size);
	if (o->kind == OWNER_UNKNOWN)
		f->args[2] = finding_text(o->name);
}

int owner_finding(const struct owner *o, const struct decoder *window, struct arena *arena,
		  struct finding *ret)
{
	static const struct {
		enum finding_code code;
		bool has_name;
	} rows[] = {
		[OWNER_REGION] = {FINDING_WINDOW_UNKNOWN_USE, true},
		[OWNER_DAX] = {FINDING_WINDOW_DAX_DEVICE, true},
		[OWNER_RESERVED] = {FINDING_WINDOW_RESERVED, false},
		[OWNER_SOFT_RESERVED] = {FINDING_WINDOW_SOFT_RESERVED, false},
		[OWNER_OTHER] = {FINDING_WINDOW_UNKNOWN_USE, true},
		[OWNER_WINDOWS] = {FINDING_WINDOW_OVERLAP, true},
		[OWNER_UNREAD] = {FINDING_WINDOW_UNREAD, true},
	};

	*ret = (struct finding){.object = window->name};
	ret->args[0] = finding_range(OPT_U64(o->first), OPT_U64(o->last - o->first + 1));
	switch (o->kind) {
	case OWNER_DECODERS:
		return put_decoders(o, arena, ret);
	case OWNER_PCI:
		return put_pci(o, arena, ret);
	case OWNER_FREE:
	case OWNER_UNKNOWN:
	case OWNER_NOTHING:
		put_free(o, ret);
		return 0;
	case OWNER_SYSTEM_RAM:
		ret->code = FINDING_WINDOW_SYSTEM_RAM;
		ret->args[1] = finding_name(o->dax);
		return 0;
	default:
		ret->code = rows[o->kind].code;
		if (rows[o->kind].has_name)
			ret->args[1] = o->kind == OWNER_UNREAD ? finding_text(o->name)
							       : finding_name(o->name);
		return 0;
	}
}

bool finding_is_of_owner(enum finding_code code)
{
	static const enum finding_code codes[] = {
		FINDING_WINDOW_ROOM,	    FINDING_WINDOW_NO_ROOM,	  FINDING_WINDOW_GAP,
		FINDING_WINDOW_GAP_UNKNOWN, FINDING_WINDOW_SYSTEM_RAM,	  FINDING_WINDOW_RESERVED,
		FINDING_WINDOW_PCI,	    FINDING_WINDOW_SOFT_RESERVED, FINDING_WINDOW_DECODED,
		FINDING_WINDOW_DAX_DEVICE,  FINDING_WINDOW_UNKNOWN_USE,	  FINDING_WINDOW_OVERLAP,
		FINDING_WINDOW_UNREAD,	    FINDING_REGION_SOFT_RESERVED,
	};

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		if (codes[i] == code)
			return true;
	return false;
}
