// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page_locator.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/strutil.h"

/* As long as cxl-spa waits for firmware. */
enum { CALL_MS = 10000, BUCKET_MS = 30000 };

static const struct memdev *find_memdev(const struct page_locator *l, const struct page_request *q,
					struct page_result *ret)
{
	const struct memdev *m = memdev_by_id(l->ids, q->device);

	if (m && (q->serial == 0 || opt_u64_is(m->serial, q->serial)))
		return m;
	if (m)
		(void)page_result_set(
			ret, ESTALE, PAGE_REFUSED,
			"%s is another memory device now: its serial number is not 0x%" PRIx64
			"; look at it, and repeat the request if it is still meant",
			q->device, q->serial);
	else
		(void)page_result_set(
			ret, ENODEV, PAGE_REFUSED,
			"there is no memory device %s on this host; it may have been removed",
			q->device);
	return NULL;
}

static int check_answer(const struct page_request *q, const struct memdev *m,
			const struct answer *a, struct page_result *ret)
{
	if (!a->exact || !a->has_spa)
		return page_result_set(ret, ERANGE, PAGE_REFUSED,
				       "%s DPA 0x%" PRIx64
				       " has no exact system address at present: %.160s",
				       m->name, q->dpa, a->reason);
	if (a->spa != q->spa)
		return page_result_set(ret, ESTALE, PAGE_REFUSED,
				       "%s DPA 0x%" PRIx64 " is at SPA 0x%" PRIx64
				       " now, not at 0x%" PRIx64
				       ": the mapping has changed; translate it again",
				       m->name, q->dpa, a->spa, q->spa);
	return 0;
}

/* Return: the answer, which holds until the next request; NULL with the reason in @ret. */
static const struct answer *resolve(struct page_locator *l, const struct page_request *q,
				    struct page_result *ret)
{
	struct answers *answers = &l->answers;
	struct error e = {0};
	const struct memdev *m;
	int r = page_check(q, &e);

	if (r < 0)
		(void)page_result_set(ret, r, PAGE_REFUSED, "%.300s", e.text);
	m = r < 0 ? NULL : find_memdev(l, q, ret);
	if (!m)
		return NULL;
	answers->n = 0;
	r = translate_dpa_wait(l->translator, m, q->dpa, q->dpa, &l->timeout, answers);
	if (r < 0 || answers->n != 1)
		r = page_result_set(ret, ENOMEM, PAGE_REFUSED, "out of memory");
	else
		r = check_answer(q, m, &answers->items[0], ret);
	return r < 0 ? NULL : &answers->items[0];
}

/* The host may have been read before the driver of the memory was bound. */
static bool is_system_ram(const struct page_locator *l, const struct dax_device *d)
{
	char path[128], target[PATH_MAX];
	const char *driver;
	ssize_t n;

	(void)snprintf(path, sizeof(path), "sys/bus/dax/devices/%.64s/driver", d->name);
	n = readlinkat(l->root, path, target, sizeof(target) - 1);
	if (n < 0)
		return false;
	target[n] = '\0';
	driver = strrchr(target, '/');
	return driver && str_equal(driver, "/kmem");
}

/* Memory that is no system RAM has no page of its own for the kernel to take out. */
static int check_use(struct page_locator *l, const struct answer *a, struct page_result *ret)
{
	if (!a->dax || a->dax->mode != DAX_MODE_DEVDAX || a->dax == l->ram)
		return 0;
	if (!is_system_ram(l, a->dax))
		return page_result_set(
			ret, ENXIO, PAGE_REFUSED,
			"SPA 0x%" PRIx64
			" is of %s, which is device-dax memory: only pages of online system RAM can be taken out",
			a->spa, a->dax->name);
	l->ram = a->dax;
	return 0;
}

const struct answer *page_locate(struct page_locator *l, const struct page_request *q,
				 struct page_result *ret)
{
	const struct answer *a = resolve(l, q, ret);

	return a && check_use(l, a, ret) == 0 ? a : NULL;
}

/* Return: the device of a request, whatever else is wrong with it; NULL without. */
static const struct memdev *memdev_of(const struct page_locator *l, const struct page_request *q)
{
	return memchr(q->device, 0, sizeof(q->device)) ? memdev_by_id(l->ids, q->device) : NULL;
}

void page_locator_ask(struct page_locator *l, const struct page_request *requests, size_t n)
{
	const struct memdev *of[PAGE_BATCH_MAX];
	uint64_t dpas[PAGE_BATCH_MAX];

	/* A lone request is one call of firmware in any case. */
	if (n < 2 || !translator_firmware(l->translator))
		return;
	for (size_t i = 0; i < n; i++)
		of[i] = memdev_of(l, &requests[i]);
	for (size_t i = 0; i < n; i++) {
		const struct memdev *m = of[i];
		size_t k = 0;

		for (size_t j = i; m && j < n; j++) {
			if (of[j] != m)
				continue;
			dpas[k++] = requests[j].dpa;
			of[j] = NULL;
		}
		if (m)
			translate_prefetch(l->translator, m, dpas, k, &l->timeout);
	}
}

int page_locator_init(struct page_locator *l, int root, const struct host *host,
		      const struct translator *translator)
{
	*l = (struct page_locator){
		.root = root,
		.translator = translator,
		.arena = arena_new(),
		.timeout = {CALL_MS, BUCKET_MS},
	};
	l->ids = l->arena ? memdev_ids_new(l->arena, host) : NULL;
	return l->ids ? 0 : -ENOMEM;
}

void page_locator_done(struct page_locator *l)
{
	answers_done(&l->answers);
	(void)arena_free(l->arena);
}
