// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/host/releasable.h"

#include "model/release.h"
#include "redfish/core/odata.h"

/* A mount or a namespace has no process id. */
static void put_holders(const struct release *release, struct json_writer *w)
{
	put_array(w, "Holders");
	for (size_t i = 0; i < release->n_holders; i++) {
		const struct memory_holder *h = &release->holders[i];

		put_object(w, NULL);
		if (h->pid > 0)
			put_number(w, "ProcessId", h->pid);
		put_string(w, "Name", h->name);
		put_end(w);
	}
	put_end(w);
}

static void put_blocks(const struct release *release, struct json_writer *w)
{
	static const char *const keys[PAGE_KINDS] = {
		"SlabPages",	"PageTablePages", "ReservedPages", "OtherPages",
		"UnclearPages", "MovablePages",	  "FreePages"};

	put_array(w, "MemoryBlocks");
	for (size_t i = 0; i < release->n_blocks; i++) {
		const struct memory_block *b = &release->blocks[i];
		const bool counted = b->error == 0;
		char name[RELEASE_BLOCK_NAME];

		put_object(w, NULL);
		put_string(w, "KernelName", memory_block_name(b, name));
		put_string(w, "Zone", b->zone);
		put_opt_number(w, "UnmovablePages",
			       (struct opt_u64){.present = counted,
						.value = block_pages_unmovable(&b->pages)});
		for (size_t k = 0; k < PAGE_KINDS; k++)
			put_opt_number(
				w, keys[k],
				(struct opt_u64){.present = counted, .value = b->pages.n[k]});
		put_end(w);
	}
	put_end(w);
}

void put_releasable(const struct view *v, const struct region *region, struct json_writer *w)
{
	const bool absent_is_null = w->absent_is_null;
	struct release release;

	region_release(region, v->inputs.memory_use, &release);
	put_object(w, "Releasable");
	put_string(w, "Verdict", release_verdict_name(release.verdict));
	/* Always there, so that a client finds them whatever can be read. */
	w->absent_is_null = true;
	put_opt_number(w, "OnlineBytes", release.online);
	put_opt_number(w, "MovableBytes", release.movable);
	put_opt_number(w, "PinnedBytes", release.pinned);
	put_blocks(&release, w);
	w->absent_is_null = absent_is_null;
	put_holders(&release, w);
	put_array(w, "Reasons");
	for (size_t i = 0; i < release.n_reasons; i++)
		put_string(w, NULL, release.reasons[i]);
	put_end(w);
	put_end(w);
}
