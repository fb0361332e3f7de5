// SPDX-License-Identifier: LGPL-2.1-or-later
#include "libcxlspa/cxlspa.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "capture/captured_tree.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "model/owners.h"
#include "prm/addresses.h"
#include "sysfs/memdev_operand.h"
#include "sysfs/uevents.h"

/* The size of the first version, which every caller has at least. */
enum { ANSWER_SIZE_MIN = sizeof(struct cxlspa_answer) };

struct cxlspa {
	struct host_root *root;
	struct addresses addresses;
	struct answers answers;	 /* of one call; reused */
	struct uevents *uevents; /* NULL until a descriptor was asked for */
	int never_fd;		 /* of a captured host, likewise -1 */
};

_Static_assert((int)CXLSPA_SOURCE_KERNEL == (int)SOURCE_KERNEL &&
		       (int)CXLSPA_SOURCE_PRM == (int)SOURCE_PRM &&
		       (int)CXLSPA_SOURCE_RECORDED == (int)SOURCE_RECORDED &&
		       (int)CXLSPA_SOURCE_EMULATED == (int)SOURCE_EMULATED &&
		       (int)CXLSPA_SOURCE_DECODER == (int)SOURCE_DECODER &&
		       (int)CXLSPA_SOURCE_ESTIMATE == (int)SOURCE_ESTIMATE,
	       "the numbers of sources are those of the interface");
_Static_assert((int)CXLSPA_REASON_MAX >= (int)ANSWER_REASON_MAX, "a reason is whole");

void cxlspa_close(struct cxlspa *c)
{
	if (!c)
		return;
	(void)uevents_close(c->uevents);
	cleanup_close(&c->never_fd);
	answers_done(&c->answers);
	addresses_done(&c->addresses);
	(void)host_root_free(c->root);
	free(c);
}

static void closep(struct cxlspa **c)
{
	cxlspa_close(*c);
}

int cxlspa_open(const char *host, struct cxlspa **ret)
{
	_cleanup_(closep) struct cxlspa *c = calloc(1, sizeof(*c));
	int r;

	if (!c)
		return -ENOMEM;
	c->never_fd = -1;
	r = host ? captured_tree_open(host, &c->root, NULL) : host_root_open_live(&c->root, NULL);
	if (r == 0)
		r = addresses_read(c->root, &c->addresses, NULL);
	if (r < 0)
		return r;
	*ret = STEAL_PTR(c);
	return 0;
}

int cxlspa_refresh(struct cxlspa *c)
{
	struct addresses fresh;
	struct uevent event;
	int r;

	/* First: what changes during the reading makes the descriptor readable again. */
	while (c->uevents && uevents_receive(c->uevents, &event))
		;
	r = addresses_read(c->root, &fresh, NULL);
	if (r < 0)
		return r;
	addresses_done(&c->addresses);
	c->addresses = fresh;
	return 0;
}

int cxlspa_fd(struct cxlspa *c)
{
	int r;

	if (c->root->captured) {
		if (c->never_fd < 0)
			c->never_fd = eventfd(0, EFD_CLOEXEC);
		return c->never_fd < 0 ? -errno : c->never_fd;
	}
	if (!c->uevents) {
		r = uevents_open(&c->uevents);
		if (r < 0)
			return r;
	}
	return uevents_fd(c->uevents);
}

/* ---- answers ----------------------------------------------------------------------------------
 */

static void put_name(char (*ret)[CXLSPA_NAME_MAX], const char *name)
{
	(void)snprintf(*ret, sizeof(*ret), "%s", name ? name : "");
}

static void put_numbers(struct cxlspa_answer *ret, const struct answer *a, bool by_spa)
{
	const bool has_dpa = a->has_dpa || !by_spa, has_spa = a->has_spa || by_spa;

	ret->flags = (a->exact ? CXLSPA_EXACT : 0U) | (has_dpa ? CXLSPA_HAS_DPA : 0U) |
		     (has_spa ? CXLSPA_HAS_SPA : 0U) | (a->has_alias ? CXLSPA_HAS_ALIAS : 0U);
	ret->source = (int32_t)a->source;
	if (has_dpa) {
		ret->dpa = a->dpa;
		ret->dpa_last = a->dpa_last;
	}
	if (has_spa) {
		ret->spa = a->spa;
		ret->spa_last = a->spa_last;
	}
	if (a->has_alias) {
		ret->alias = a->alias;
		ret->alias_last = a->alias_last;
	}
	ret->numa_node = a->numa_node.present ? a->numa_node.value : -1;
	ret->position = a->position.present ? a->position.value : -1;
	ret->n_candidates = a->memdev ? 1 : (uint32_t)a->n_candidates;
}

static void put_answer(const struct host *host, const struct answer *a, bool by_spa,
		       struct cxlspa_answer *ret)
{
	const char *why = answer_why(a, host, by_spa, false);

	put_numbers(ret, a, by_spa);
	if (a->memdev) {
		put_name(&ret->memdev, a->memdev->name);
		if (a->memdev->serial.present) {
			ret->flags |= CXLSPA_HAS_SERIAL;
			ret->serial = a->memdev->serial.value;
		}
	}
	put_name(&ret->region, a->region ? a->region->name : NULL);
	put_name(&ret->decoder, a->decoder ? a->decoder->name : NULL);
	put_name(&ret->window, a->window ? a->window->name : NULL);
	put_name(&ret->dax, a->dax ? a->dax->name : NULL);
	(void)snprintf(ret->reason, sizeof(ret->reason), "%s", why ? why : "");
}

/* An answer in the size of the caller's struct. */
static void give(const struct cxlspa_answer *answer, struct cxlspa_answer *ret)
{
	const size_t size = ret->size, known = size < sizeof(*answer) ? size : sizeof(*answer);

	memcpy(ret, answer, known);
	memset((char *)ret + known, 0, size - known);
	ret->size = size;
}

/* @memdev: NULL for a system address. */
static int translate(struct cxlspa *c, const struct memdev *memdev, uint64_t address,
		     struct cxlspa_answer *ret)
{
	struct cxlspa_answer answer = {0};
	int r;

	r = addresses_translate(&c->addresses, memdev, address, address, &c->answers);
	if (r < 0)
		return r;
	put_answer(c->addresses.host, &c->answers.items[0], !memdev, &answer);
	give(&answer, ret);
	return 0;
}

int cxlspa_dpa_to_spa(struct cxlspa *c, const char *memdev, uint64_t dpa, struct cxlspa_answer *ret)
{
	const struct memdev *m;
	int r;

	if (ret->size < ANSWER_SIZE_MIN)
		return -EINVAL;
	r = operand_memdev(c->addresses.host, memdev, &m, NULL);
	return r < 0 ? r : translate(c, m, dpa, ret);
}

int cxlspa_spa_to_dpa(struct cxlspa *c, uint64_t spa, struct cxlspa_answer *ret)
{
	return ret->size < ANSWER_SIZE_MIN ? -EINVAL : translate(c, NULL, spa, ret);
}

/* ---- owners -----------------------------------------------------------------------------------
 */

static int32_t answer_of(struct opt_bool value)
{
	return value.present ? value.value : -1;
}

static int give_owners(const struct owners *owners, cxlspa_owner_fn callback, void *arg)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < owners->n; i++) {
		const struct owner *o = &owners->items[i];
		const struct cxlspa_owner owner = {
			.size = sizeof(owner),
			.first = o->first,
			.last = o->last,
			.usable = answer_of(o->usable),
			.releasable = answer_of(o->releasable),
			.what = o->what,
			.made_by = o->made_by,
			.after_release = o->after_release,
		};

		r = callback(&owner, arg);
	}
	return r;
}

int cxlspa_owner(struct cxlspa *c, uint64_t start, uint64_t length, cxlspa_owner_fn callback,
		 void *arg)
{
	struct owners owners = {0};
	struct arena *arena;
	int r;

	if (length == 0 || start > UINT64_MAX - (length - 1))
		return -EINVAL;
	arena = arena_new();
	if (!arena)
		return -ENOMEM;
	r = range_owners(c->addresses.host, NULL, start, start + (length - 1), arena, &owners);
	if (r == 0)
		r = give_owners(&owners, callback, arg);
	owners_done(&owners);
	(void)arena_free(arena);
	return r;
}

/* ---- names ------------------------------------------------------------------------------------
 */

const char *cxlspa_source_name(int source)
{
	if (source == CXLSPA_SOURCE_NONE)
		return "none";
	if (source < CXLSPA_SOURCE_NONE || source > CXLSPA_SOURCE_ESTIMATE)
		return "unknown";
	return answer_source_name((enum answer_source)source);
}

const char *cxlspa_strerror(int error)
{
	static const struct {
		int code;
		const char *text;
	} texts[] = {
		{0, "no error"},
		{EINVAL,
		 "a name, a size or a range is malformed, or the directory is no captured host"},
		{ENODEV, "the host has no such memory device"},
		{EEXIST,
		 "several memory devices have this serial number: name one by its PCI address"},
		{EFBIG, "the captured host is beyond the limits: 256 MiB and 400,000 files"},
		{EBADMSG, "an ACPI table of the captured host is invalid"},
		{ENOTDIR, "not a directory: unpack the archive first"},
	};
	const int code = error < 0 ? -error : error;
	const char *text;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i].code == code)
			return texts[i].text;
	text = strerrordesc_np(code);
	return text ? text : "unknown error";
}

const char *cxlspa_version(void)
{
	return PACKAGE_VERSION;
}
