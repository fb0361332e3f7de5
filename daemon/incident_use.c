// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/incident_use.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/log.h"
#include "pages/page_facts.h"
#include "redfish/feed/incident_message.h"

enum { USE_TEXT_MAX = PAGE_CONSEQUENCE_MAX + 160 };

/* Return: whether an address of the incident is exactly in its first page now. */
static bool find_answer(const struct view *v, const struct incident *i,
			const struct incident_now *now, struct answer *ret)
{
	bool found = false;

	for (size_t k = 0; !found && now->memdev && k < i->n_pages; k++) {
		const uint64_t dpa = i->pages[k].dpa;
		struct answers answers = {0};

		if (translate_dpa(v->translator, now->memdev, dpa, dpa, &answers) == 0 &&
		    answers.n == 1 && answers.items[0].exact && answers.items[0].has_spa &&
		    answers.items[0].spa - answers.items[0].spa % v->host->page_size ==
			    now->pages[0]) {
			*ret = answers.items[0];
			found = true;
		}
		answers_done(&answers);
	}
	return found;
}

static const char *use_text(const struct incident_now *now, const struct page_facts *f,
			    bool show_cgroup, char ret[static USE_TEXT_MAX])
{
	char consequence[PAGE_CONSEQUENCE_MAX];

	(void)snprintf(ret, USE_TEXT_MAX,
		       "page 0x%" PRIx64 " is of the kind %s; an uncorrectable access there %s",
		       now->pages[0], frame_kind_name(f->kind),
		       page_consequence_text(f, show_cgroup, consequence));
	return ret;
}

json_t *incident_use_record(const struct view *v, const struct incident *i,
			    const struct incident_now *now)
{
	char text[USE_TEXT_MAX];
	struct page_facts facts;
	struct answer a;

	if (now->n_pages == 0 || v->host->root->captured || !find_answer(v, i, now, &a))
		return NULL;
	page_describe(v->host, &a, &facts);
	if (facts.consequence == CONSEQUENCE_NOT_KNOWN)
		return NULL;
	log_info("incident %" PRIu64 " of %s: %s", i->id, i->device,
		 use_text(now, &facts, true, text));
	return incident_page_record(v, i, now, use_text(now, &facts, false, text));
}
