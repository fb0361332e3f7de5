// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The owner of addresses that each witness treats alike: the strongest claim, in words.
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/names.h"
#include "common/strutil.h"
#include "model/owners_private.h"
#include "model/release.h"
#include "model/topology.h"
#include "prm/decoder_mapping.h"
#include "prm/region_order.h"

enum { CHAIN_TEXT_MAX = 320, WORDS_MAX = 512 };

/* All that is known about one segment, from which its owner is named. */
struct evidence {
	const struct segment *s;
	const struct decoder *window, *other_window; /* two windows overlap */
	const struct region *mapping;
	struct names decoders; /* committed ones */
	size_t n_decoders;
	const struct dax_device *dax;
	const struct firmware_range *firmware;
	struct opt_u64 domain; /* of SRAT */
	bool is_offline, is_avoided;

	/* Names of /proc/iomem; those of PCI and Soft Reserved: inside of the window, or without
	 * one.
	 */
	const char *ram, *dax_name, *pci, *reserved, *in_use, *other;
	const char *pci_around, *innermost;
	const char *unread; /* why there may be more of them, a clause; NULL: these are all */
	bool soft_inside, soft_around;
	char chain[CHAIN_TEXT_MAX]; /* "Soft Reserved > CXL Window 0 > region0" */
};

static const char reboot_frees[] =
	"Soft Reserved keeps these addresses: Linux can make no region here before the next boot";

/* ---- names of /proc/iomem ---------------------------------------------------------------------
 */

static bool name_is_ram(const char *name)
{
	return str_after_prefix(name, "System RAM") != NULL;
}

static bool name_is_memory_in_use(const char *name)
{
	return str_after_prefix(name, "region") || str_after_prefix(name, "namespace") ||
	       str_after_prefix(name, "Persistent Memory");
}

/* "PCI Bus 0000:0c", "PCI MMCONFIG 0000", "0000:0d:00.0" */
static bool name_is_pci(const char *name)
{
	return str_after_prefix(name, "PCI ") ||
	       (strlen(name) > 7 && strchr("0123456789abcdef", *name) && name[4] == ':' &&
		strchr(name, '.'));
}

static bool name_is_reserved(const char *name)
{
	return str_equal(name, "Reserved") || str_equal(name, "reserved");
}

/* ---- gathering --------------------------------------------------------------------------------
 */

/* Return: the index in /proc/iomem of the entry of the window itself; SIZE_MAX without. */
static size_t own_entry(const struct evidence *f)
{
	for (size_t i = 0; i < f->s->n_claims; i++) {
		const struct claim *c = f->s->claims[i];

		if (c->by == BY_IOMEM && str_after_prefix(c->iomem->name, "CXL Window") &&
		    f->window && c->first == f->window->start.value &&
		    c->last - c->first == f->window->size.value - 1)
			return c->index;
	}
	return SIZE_MAX;
}

/*
 * Whether a claim is one that the window, entry @own, lies in. A claim of the same range is one,
 * when it is before. Without an entry of the window, only a larger one is.
 */
static bool claim_is_around(const struct evidence *f, const struct claim *c, size_t own)
{
	const uint64_t first = f->window->start.value, last = first + (f->window->size.value - 1);

	if (c->first > first || c->last < last)
		return false;
	return own == SIZE_MAX ? c->first < first || c->last > last : c->index < own;
}

static void take_name(struct evidence *f, const char *name, bool around)
{
	if (name_is_ram(name))
		f->ram = name;
	else if (str_after_prefix(name, "dax"))
		f->dax_name = name;
	else if (name_is_memory_in_use(name))
		f->in_use = name;
	else if (str_equal(name, "Soft Reserved"))
		*(around ? &f->soft_around : &f->soft_inside) = true;
	else if (name_is_pci(name))
		*(around ? &f->pci_around : &f->pci) = name;
	else if (name_is_reserved(name))
		f->reserved = name;
	else
		f->other = name;
}

static void take_iomem(struct evidence *f)
{
	const size_t own = own_entry(f);
	size_t len = 0;

	for (size_t i = 0; i < f->s->n_claims; i++) {
		const struct claim *c = f->s->claims[i];
		bool around;

		if (c->by != BY_IOMEM)
			continue;
		if (len < sizeof(f->chain))
			len += (size_t)snprintf(f->chain + len, sizeof(f->chain) - len, "%s%s",
						len ? " > " : "", c->iomem->name);
		f->innermost = c->iomem->name;
		if (c->index == own)
			continue;
		around = f->window && claim_is_around(f, c, own);
		f->is_avoided |= f->window && !around;
		take_name(f, c->iomem->name, around);
	}
}

static void take_window(struct evidence *f, const struct decoder *window)
{
	uint64_t last;

	/* A window that wraps has no addresses. */
	if (window == f->window || !window_last(window, &last))
		return;
	*(f->window ? &f->other_window : &f->window) = window;
}

static void take_decoder(struct evidence *f, const struct claim *c)
{
	names_add(&f->decoders, "%s", c->decoder->name);
	f->n_decoders++;
	if (!f->mapping)
		f->mapping = c->decoder->region;
}

static void take_mapping(struct evidence *f, const struct region *mapping)
{
	if (!f->mapping) /* those of Linux come first */
		f->mapping = mapping;
	f->is_avoided |= !mapping->by_decoders && f->window && mapping->root == f->window;
}

static void take_claim(struct evidence *f, const struct claim *c)
{
	switch (c->by) {
	case BY_WINDOW:
		take_window(f, c->decoder);
		break;
	case BY_MAPPING:
		take_mapping(f, c->mapping);
		break;
	case BY_DECODER:
		take_decoder(f, c);
		break;
	case BY_DAX:
		f->dax = c->dax;
		break;
	case BY_OFFLINE:
		f->is_offline = true;
		break;
	case BY_SRAT:
		f->domain = OPT_U64(c->index);
		break;
	case BY_UNREAD:
		f->unread = c->iomem->name;
		break;
	case BY_FIRMWARE:
		f->firmware = c->firmware;
		break;
	case BY_IOMEM:
		break;
	}
}

/* ---- words ------------------------------------------------------------------------------------
 */

/* Sets *@field to a formatted text of the arena. Return: 0 or -ENOMEM. */
__attribute__((format(printf, 3, 4))) static int say(const struct evidence *f, const char **field,
						     const char *fmt, ...)
{
	char text[WORDS_MAX];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	*field = arena_strdup(f->s->arena, text);
	return *field ? 0 : -ENOMEM;
}

static const char *where(const struct evidence *f, char text[static 64])
{
	text[0] = '\0';
	if (f->window)
		(void)snprintf(text, 64, " in CXL window %.32s", f->window->name);
	return text;
}

/* "driver kmem (/proc/iomem: ...; firmware's memory map: Soft Reserved; SRAT: domain 1)" */
static int say_made_by(const struct evidence *f, struct owner *o, const char *who)
{
	static const char *const sources[] = {[FIRMWARE_MAP_SYSFS] = "/sys/firmware/memmap",
					      [FIRMWARE_MAP_E820] = "kernel log, e820",
					      [FIRMWARE_MAP_EFI] = "kernel log, efi"};
	char text[WORDS_MAX];
	size_t n = 0;

	text[0] = '\0';
	if (f->chain[0])
		n += (size_t)snprintf(text, sizeof(text), "; /proc/iomem: %s", f->chain);
	if (f->firmware && n < sizeof(text))
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "; memory map of firmware (%s): %s%s",
				      sources[f->firmware->source], f->firmware->type,
				      f->firmware->specific_purpose ? ", specific purpose" : "");
	if (f->domain.present && n < sizeof(text))
		(void)snprintf(text + n, sizeof(text) - n, "; SRAT: proximity domain %" PRIu64,
			       f->domain.value);
	return say(f, &o->made_by, "%s%s", who, text);
}

static bool is_kept(const struct evidence *f)
{
	return f->mapping && opt_bool_is_true(f->mapping->locked);
}

/* Return: the region of Linux that has the addresses; NULL. */
static const struct region *region_of(const struct evidence *f)
{
	return f->mapping && !f->mapping->by_decoders ? f->mapping : NULL;
}

/* As many as there is place for. Return: 0 or -ENOMEM. */
static int say_reasons(const struct evidence *f, const struct release *release, struct owner *o)
{
	char text[WORDS_MAX] = "";
	size_t n = 0;

	for (size_t i = 0; i < release->n_reasons; i++) {
		const char *reason = release->reasons[i];

		if (n + 2 + strlen(reason) < sizeof(text))
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", n ? "; " : "",
					      reason);
	}
	return say(f, &o->release_reason, "%s", text);
}

/*
 * Whether the memory of a region or a dax device can be released now, and what holds it.
 * Return: 0 or -ENOMEM.
 */
static int say_releasable(const struct evidence *f, struct owner *o)
{
	const struct region *region = region_of(f);
	struct release release;

	if (is_kept(f)) {
		o->releasable = OPT_BOOL(false);
		return say(f, &o->release_reason, "firmware has locked the region");
	}
	if (!region && !f->dax && f->ram && !f->dax_name) {
		o->releasable = OPT_BOOL(false);
		return say(f, &o->release_reason,
			   "Linux got this memory from firmware at its start, and keeps it");
	}
	if (!region && !f->dax)
		return say(f, &o->release_reason, "sysfs does not show %s", f->dax_name);
	if (!f->s->use)
		return 0;
	if (region)
		region_release(region, f->s->use, &release);
	else
		dax_release(f->dax, f->s->use, &release);
	if (release.verdict != RELEASE_UNKNOWN)
		o->releasable = OPT_BOOL(release.verdict == RELEASE_YES);
	return say_reasons(f, &release, o);
}

/* The claims that are left when a region, and the memory in it, is gone. */
static int say_after_release(const struct evidence *f, struct owner *o)
{
	if (is_kept(f) || !(f->dax || f->dax_name || (region_of(f) && !f->ram)))
		return 0;
	if (f->soft_inside)
		return say(f, &o->after_release, "%s", reboot_frees);
	if (f->unread)
		return say(f, &o->after_release, "%s", f->unread);
	if (!f->s->host->n_iomem)
		return say(
			f, &o->after_release,
			"not known: /proc/iomem shows addresses only with CAP_SYS_ADMIN, as root");
	if (f->soft_around)
		return say(
			f, &o->after_release,
			"Soft Reserved stays around the window; a region can be made here again");
	if (!f->window)
		return say(f, &o->after_release, "the addresses stay those of the memory");
	return say(f, &o->after_release, "nothing: the addresses are free in %s", f->window->name);
}

/* ---- the claims, strongest first --------------------------------------------------------------
 */

static int own_pci(struct evidence *f, struct owner *o)
{
	char at[64];
	int r;

	o->kind = OWNER_PCI;
	o->name = f->pci ? f->pci : f->pci_around;
	o->is_fault = true;
	o->usable = o->releasable = OPT_BOOL(false);
	r = say(f, &o->what, "%s%s", o->name, where(f, at));
	return r < 0 ? r
		     : say_made_by(
			       f, o,
			       "firmware, by an error: it gave addresses of the window to PCI devices, too; ask the machine's vendor for an update");
}

static int own_ram(struct evidence *f, struct owner *o)
{
	const char *dax = f->dax ? f->dax->name : f->dax_name;
	const struct region *region = region_of(f);
	char at[64];
	int r;

	o->kind = OWNER_SYSTEM_RAM;
	o->dax = dax;
	o->usable = OPT_BOOL(true);
	r = say(f, &o->what, "%s%s%s%s%s%s%s", f->is_offline ? "offline " : "",
		f->ram ? f->ram : "System RAM (kmem)", dax ? " of " : "", dax ? dax : "",
		region ? " of " : "", region ? region->name : "", where(f, at));
	if (r == 0)
		r = say_made_by(
			f, o,
			region ? "driver kmem, on the dax device of the region"
			: dax ? "driver kmem, on a dax device without region: this kernel made none of what firmware mapped"
			      : "firmware, which gave it to Linux as memory");
	if (r == 0)
		r = say_releasable(f, o);
	if (r == 0 && dax && !region)
		return f->soft_inside ? say(f, &o->after_release, "%s", reboot_frees)
		       : is_kept(f)
			       ? 0
			       : say(f, &o->after_release,
				     "%s keeps these addresses: Linux can make no region here before the next boot",
				     dax);
	return r < 0 ? r : say_after_release(f, o);
}

static int own_dax(struct evidence *f, struct owner *o)
{
	const char *dax = f->dax ? f->dax->name : f->dax_name;
	const struct region *region = region_of(f);
	char at[64];
	int r;

	o->kind = OWNER_DAX;
	o->name = o->dax = dax;
	o->usable = OPT_BOOL(true);
	r = say(f, &o->what, "memory of %s%s%s%s", dax, region ? " of " : "",
		region ? region->name : "", where(f, at));
	if (r == 0)
		r = say_made_by(f, o,
				region ? "the dax device of the region: programs use it"
				       : "a dax device without region");
	if (r == 0)
		r = say_releasable(f, o);
	return r < 0 ? r : say_after_release(f, o);
}

/* The memory of one that is not complete cannot be used, although Linux calls it enabled. */
static bool is_usable(const struct region *r)
{
	return r->enabled && r->commit != REGION_NOT_COMMITTED &&
	       (r->commit == REGION_COMMITTED || !r->n_targets || region_is_complete(r));
}

static int own_mapping(struct evidence *f, struct owner *o)
{
	char at[64], who[WORDS_MAX];
	const char *decoders = names_end(&f->decoders);
	int r;

	if (f->mapping && !f->mapping->by_decoders) {
		o->kind = OWNER_REGION;
		o->name = f->mapping->name;
		o->usable = OPT_BOOL(is_usable(f->mapping));
		r = say(f, &o->what, "%s%s", f->mapping->name, where(f, at));
		if (r == 0)
			r = say_made_by(f, o, "the region of Linux");
		if (r == 0)
			r = say_releasable(f, o);
		return r < 0 ? r : say_after_release(f, o);
	}
	o->kind = OWNER_DECODERS;
	o->usable = o->releasable = OPT_BOOL(false);
	r = say(f, &o->what, "memory that committed decoders map, and no region of Linux has%s",
		where(f, at));
	(void)snprintf(who, sizeof(who), "firmware or an earlier kernel, by %s", decoders);
	return r < 0 ? r : say_made_by(f, o, who);
}

static int own_reserved(struct evidence *f, struct owner *o)
{
	char at[64];
	int r;

	o->kind = OWNER_RESERVED;
	o->name = f->reserved;
	o->is_fault = f->window;
	o->usable = o->releasable = OPT_BOOL(false);
	r = say(f, &o->what, "%s%s%s%s", f->reserved, where(f, at),
		f->n_decoders ? ", which committed decoders map: " : "",
		f->n_decoders ? names_end(&f->decoders) : "");
	return r < 0 ? r
		     : say_made_by(
			       f, o,
			       f->window
				       ? "firmware's memory map: firmware must not list addresses of a window as Reserved, so no region is possible here; ask the machine's vendor for an update"
				       : "firmware's memory map");
}

static int own_soft_reserved(struct evidence *f, struct owner *o)
{
	char at[64];
	int r;

	o->kind = OWNER_SOFT_RESERVED;
	o->usable = OPT_BOOL(false);
	o->releasable = OPT_BOOL(false);
	r = say(f, &o->what, "Soft Reserved%s", where(f, at));
	if (r == 0)
		r = say_made_by(f, o, "firmware's memory map, as memory for a special use");
	return r < 0 || !f->window ? r : say(f, &o->after_release, "%s", reboot_frees);
}

static int own_other(struct evidence *f, struct owner *o, const char *name)
{
	char at[64];
	int r;

	o->kind = OWNER_OTHER;
	o->name = name;
	o->usable = OPT_BOOL(false);
	if (f->window)
		o->releasable = OPT_BOOL(false);
	r = say(f, &o->what, "%s%s", name, where(f, at));
	return r < 0 ? r : say_made_by(f, o, "Linux, as /proc/iomem has it");
}

static int own_unknown(struct evidence *f, struct owner *o, const char *why)
{
	int r;

	o->kind = f->s->too_many || f->unread ? OWNER_UNREAD : OWNER_UNKNOWN;
	o->name = why;
	if (f->window)
		r = say(f, &o->what, "CXL window %s; whether it is in use is not known",
			f->window->name);
	else
		r = say(f, &o->what, "unknown");
	return r < 0 ? r : say_made_by(f, o, why);
}

const char *owners_unseen(const struct host *host)
{
	if (!host->n_iomem)
		return "not known: /proc/iomem shows addresses only with CAP_SYS_ADMIN: run this as root";
	for (size_t i = 0; i < host->n_decoders; i++) {
		const struct decoder *d = host->decoders[i];

		/* The region tells where the decoder is. */
		if (!decoder_is_committed(d) || (d->region && d->region->resource.present))
			continue;
		if (!d->start.present)
			return "not known: the start address of a committed decoder cannot be read, which needs CAP_DAC_READ_SEARCH: run this as root";
		if (d->port->kind == PORT_ENDPOINT && decoder_mapping(d) == MAPPING_NORMALIZED)
			return "not known: a decoder with Normalized addressing is in no region, and only firmware knows its system addresses";
	}
	return NULL;
}

static int own_window(struct evidence *f, struct owner *o)
{
	const struct host *host = f->s->host;
	const bool no_region = f->window->makes_ram.present && !f->window->makes_ram.value &&
			       f->window->makes_pmem.present && !f->window->makes_pmem.value &&
			       !host_has_made_regions(host, DECODER_MODE_RAM) &&
			       !host_has_made_regions(host, DECODER_MODE_PMEM);
	int r;

	o->kind = OWNER_FREE;
	o->usable = OPT_BOOL(!no_region);
	r = say(f, &o->what, "free in CXL window %s%s", f->window->name,
		no_region ? ", where this kernel makes no regions" : "");
	return r < 0 ? r : say_made_by(f, o, "firmware, which set up the window");
}

/* Addresses outside of all windows that nothing more is known about. */
static int own_nothing(struct evidence *f, struct owner *o)
{
	const char *unseen = owners_unseen(f->s->host);
	int r;

	o->kind = OWNER_NOTHING;
	if (f->firmware && !f->innermost) {
		r = say(f, &o->what, "%s", f->firmware->type);
		return r < 0 ? r : say_made_by(f, o, "firmware");
	}
	if (unseen)
		return own_unknown(f, o, unseen);
	o->usable = OPT_BOOL(false);
	r = say(f, &o->what, "nothing: no memory and no device has these addresses");
	return r < 0 ? r : say_made_by(f, o, "nobody");
}

static int own_outside_or_free(struct evidence *f, struct owner *o)
{
	const char *unseen = owners_unseen(f->s->host);

	if (f->reserved)
		return own_reserved(f, o);
	if (f->soft_inside)
		return own_soft_reserved(f, o);
	if (f->pci_around)
		return own_pci(f, o);
	if (f->in_use || f->other || f->pci)
		return own_other(f, o, f->other ? f->other : f->pci ? f->pci : f->in_use);
	if (f->unread)
		return own_unknown(f, o, f->unread);
	if (!f->window)
		return own_nothing(f, o);
	return unseen ? own_unknown(f, o, unseen) : own_window(f, o);
}

static int own_overlap(struct evidence *f, struct owner *o)
{
	int r;

	o->kind = OWNER_WINDOWS;
	o->name = f->other_window->name;
	o->is_fault = true;
	o->usable = OPT_BOOL(false);
	r = say(f, &o->what, "CXL windows %s and %s, which overlap", f->window->name,
		f->other_window->name);
	return r < 0 ? r : say_made_by(f, o, "firmware, by an error");
}

/* The decoders that map the addresses. Return: 0 or -ENOMEM. */
static int set_decoders(const struct evidence *f, struct owner *o)
{
	const struct decoder **list =
		ARENA_ARRAY(f->s->arena, f->n_decoders, const struct decoder *);

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < f->s->n_claims; i++)
		if (f->s->claims[i]->by == BY_DECODER)
			list[o->n_decoders++] = f->s->claims[i]->decoder;
	o->decoders = list;
	return 0;
}

/* The strongest claim, in words. Return: 0 or -ENOMEM. */
static int own(struct evidence *f, struct owner *o)
{
	if (f->s->too_many)
		return own_unknown(f, o,
				   "not known: more ranges than are looked at have this address");
	if (f->other_window)
		return own_overlap(f, o);
	if (f->pci && (f->window || f->n_decoders))
		return own_pci(f, o);
	if (f->ram || (f->dax && f->dax->mode == DAX_MODE_SYSTEM_RAM))
		return own_ram(f, o);
	if (f->dax || f->dax_name)
		return own_dax(f, o);
	if (f->reserved && f->window && !region_of(f))
		return own_reserved(f, o);
	if (f->mapping || f->n_decoders)
		return own_mapping(f, o);
	return own_outside_or_free(f, o);
}

int owner_of_segment(const struct segment *s, struct owner *ret)
{
	struct evidence f = {.s = s, .window = s->window};

	for (size_t i = 0; i < s->n_claims; i++)
		take_claim(&f, s->claims[i]);
	take_iomem(&f);
	ret->is_avoided = f.is_avoided;
	ret->is_soft_reserved = f.soft_inside && f.window;
	ret->is_in_soft_reserved = f.soft_around;
	ret->mapping = f.mapping;
	return set_decoders(&f, ret) < 0 ? -ENOMEM : own(&f, ret);
}
