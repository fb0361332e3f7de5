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
#include "model/range_use.h"
#include "model/topology.h"

enum { CHAIN_TEXT_MAX = 320, WORDS_MAX = 512 };

struct facts {
	const struct segment *s;
	const struct decoder *window, *other_window; /* two windows overlap */
	const struct region *mapping;
	struct names decoders; /* committed ones */
	size_t n_decoders;
	const struct dax_device *dax;
	const struct firmware_range *firmware;
	struct opt_u64 domain; /* of SRAT */
	bool is_offline;

	/* Names of /proc/iomem: inside of the window, or anywhere without one. */
	const char *ram, *dax_name, *pci, *reserved, *in_use, *other;
	const char *innermost;
	bool soft_inside, soft_around;
	char chain[CHAIN_TEXT_MAX]; /* "Soft Reserved > CXL Window 0 > region0" */
};

static const char reboot_frees[] =
	"Soft Reserved keeps these addresses: Linux can make no region here before the next boot";

/* ---- gathering --------------------------------------------------------------------------------
 */

/* Return: the index in /proc/iomem of the entry of the window itself; SIZE_MAX without. */
static size_t own_entry(const struct facts *f)
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

/* As iomem_is_around_window(), by the claims of the segment. */
static bool claim_is_around(const struct facts *f, const struct claim *c, size_t own)
{
	const uint64_t first = f->window->start.value, last = first + (f->window->size.value - 1);

	if (c->first > first || c->last < last)
		return false;
	return own == SIZE_MAX ? c->first < first || c->last > last : c->index < own;
}

static void take_name(struct facts *f, const char *name, bool around)
{
	if (iomem_name_is_ram(name))
		f->ram = name;
	else if (str_after_prefix(name, "dax"))
		f->dax_name = name;
	else if (iomem_name_is_memory_in_use(name))
		f->in_use = name;
	else if (iomem_name_leaves_free(name))
		*(around ? &f->soft_around : &f->soft_inside) = true;
	else if (iomem_name_is_pci(name))
		f->pci = name;
	else if (iomem_name_is_reserved(name))
		f->reserved = name;
	else
		f->other = name;
}

static void take_iomem(struct facts *f)
{
	const size_t own = own_entry(f);
	size_t len = 0;

	for (size_t i = 0; i < f->s->n_claims; i++) {
		const struct claim *c = f->s->claims[i];

		if (c->by != BY_IOMEM)
			continue;
		if (len < sizeof(f->chain))
			len += (size_t)snprintf(f->chain + len, sizeof(f->chain) - len, "%s%s",
						len ? " > " : "", c->iomem->name);
		f->innermost = c->iomem->name;
		if (c->index != own)
			take_name(f, c->iomem->name, f->window && claim_is_around(f, c, own));
	}
}

static void take_claim(struct facts *f, const struct claim *c)
{
	switch (c->by) {
	case BY_WINDOW:
		*(f->window ? &f->other_window : &f->window) = c->decoder;
		break;
	case BY_MAPPING:
		if (!f->mapping) /* those of Linux come first */
			f->mapping = c->mapping;
		break;
	case BY_DECODER:
		names_add(&f->decoders, "%s", c->decoder->name);
		f->n_decoders++;
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
__attribute__((format(printf, 3, 4))) static int say(const struct facts *f, const char **field,
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

static const char *where(const struct facts *f, char text[static 64])
{
	text[0] = '\0';
	if (f->window)
		(void)snprintf(text, 64, " in CXL window %.32s", f->window->name);
	return text;
}

/* "driver kmem (/proc/iomem: ...; firmware's memory map: Soft Reserved; SRAT: domain 1)" */
static int say_made_by(const struct facts *f, struct owner *o, const char *who)
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

/* The claims that are left when a region, and the memory in it, is gone. */
static int say_after_release(const struct facts *f, struct owner *o)
{
	if (!opt_bool_is_true(o->releasable))
		return 0;
	if (f->soft_inside)
		return say(f, &o->after_release, "%s", reboot_frees);
	if (!range_uses_are_known(f->s->host))
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

static int own_pci(struct facts *f, struct owner *o)
{
	char at[64];
	int r;

	o->is_fault = true;
	o->usable = o->releasable = OPT_BOOL(false);
	r = say(f, &o->what, "%s%s", f->pci, where(f, at));
	return r < 0 ? r
		     : say_made_by(
			       f, o,
			       "firmware, by an error: it gave addresses of the window to PCI devices, too; ask the machine's vendor for an update");
}

static bool is_kept(const struct facts *f)
{
	return f->mapping && opt_bool_is_true(f->mapping->locked);
}

/* Return: the region of Linux that has the addresses; NULL. */
static const struct region *region_of(const struct facts *f)
{
	return f->mapping && !f->mapping->by_decoders ? f->mapping : NULL;
}

static int own_ram(struct facts *f, struct owner *o)
{
	const char *dax = f->dax ? f->dax->name : f->dax_name;
	const struct region *region = region_of(f);
	char at[64];
	int r;

	o->usable = OPT_BOOL(true);
	o->releasable = OPT_BOOL(dax && !is_kept(f));
	r = say(f, &o->what, "%s%s%s%s%s%s%s", f->is_offline ? "offline " : "",
		f->ram ? f->ram : "System RAM (kmem)", dax ? " of " : "", dax ? dax : "",
		region ? " of " : "", region ? region->name : "", where(f, at));
	if (r == 0)
		r = say_made_by(
			f, o,
			region ? "driver kmem, on the dax device of the region"
			: dax ? "driver kmem, on a dax device without region: this kernel made none of what firmware mapped"
			      : "firmware, which gave it to Linux as memory");
	if (r == 0 && dax && !region)
		return f->soft_inside ? say(f, &o->after_release, "%s", reboot_frees)
		       : is_kept(f)
			       ? 0
			       : say(f, &o->after_release,
				     "%s keeps these addresses: Linux can make no region here before the next boot",
				     dax);
	return r < 0 ? r : say_after_release(f, o);
}

static int own_dax(struct facts *f, struct owner *o)
{
	const char *dax = f->dax ? f->dax->name : f->dax_name;
	const struct region *region = region_of(f);
	char at[64];
	int r;

	o->usable = OPT_BOOL(true);
	o->releasable = OPT_BOOL(!is_kept(f));
	r = say(f, &o->what, "memory of %s%s%s%s", dax, region ? " of " : "",
		region ? region->name : "", where(f, at));
	if (r == 0)
		r = say_made_by(f, o,
				region ? "the dax device of the region: programs use it"
				       : "a dax device without region");
	return r < 0 ? r : say_after_release(f, o);
}

static int own_mapping(struct facts *f, struct owner *o)
{
	char at[64], who[WORDS_MAX];
	const char *decoders = names_end(&f->decoders);
	int r;

	if (f->mapping && !f->mapping->by_decoders) {
		o->usable = OPT_BOOL(f->mapping->enabled);
		o->releasable = OPT_BOOL(!is_kept(f));
		r = say(f, &o->what, "%s%s", f->mapping->name, where(f, at));
		if (r == 0)
			r = say_made_by(f, o, "the region of Linux");
		return r < 0 ? r : say_after_release(f, o);
	}
	o->usable = o->releasable = OPT_BOOL(false);
	r = say(f, &o->what, "memory that committed decoders map, and no region of Linux has%s",
		where(f, at));
	(void)snprintf(who, sizeof(who), "firmware or an earlier kernel, by %s", decoders);
	return r < 0 ? r : say_made_by(f, o, who);
}

static int own_reserved(struct facts *f, struct owner *o)
{
	char at[64];
	int r;

	o->is_fault = f->window;
	o->usable = o->releasable = OPT_BOOL(false);
	r = say(f, &o->what, "%s%s", f->reserved, where(f, at));
	return r < 0 ? r
		     : say_made_by(
			       f, o,
			       f->window
				       ? "firmware's memory map: firmware must not list addresses of a window as Reserved, so no region is possible here; ask the machine's vendor for an update"
				       : "firmware's memory map");
}

static int own_soft_reserved(struct facts *f, struct owner *o)
{
	char at[64];
	int r;

	o->usable = OPT_BOOL(false);
	o->releasable = OPT_BOOL(false);
	r = say(f, &o->what, "Soft Reserved%s", where(f, at));
	if (r == 0)
		r = say_made_by(f, o, "firmware's memory map, as memory for a special use");
	return r < 0 || !f->window ? r : say(f, &o->after_release, "%s", reboot_frees);
}

static int own_other(struct facts *f, struct owner *o, const char *name)
{
	char at[64];
	int r;

	if (f->window)
		o->usable = o->releasable = OPT_BOOL(false);
	else
		o->usable = OPT_BOOL(false);
	r = say(f, &o->what, "%s%s", name, where(f, at));
	return r < 0 ? r : say_made_by(f, o, "Linux, as /proc/iomem has it");
}

static int own_unknown(struct facts *f, struct owner *o, const char *why)
{
	int r;

	if (f->window)
		r = say(f, &o->what, "CXL window %s; whether it is in use is not known",
			f->window->name);
	else
		r = say(f, &o->what, "unknown");
	return r < 0 ? r : say_made_by(f, o, why);
}

/* Return: why the window may be in use without being seen; NULL. */
static const char *why_unseen(const struct facts *f)
{
	const struct host *host = f->s->host;

	if (!range_uses_are_known(host))
		return "not known: /proc/iomem shows addresses only with CAP_SYS_ADMIN: run this as root";
	for (size_t i = 0; i < host->n_decoders; i++)
		if (decoder_is_committed(host->decoders[i]) && !host->decoders[i]->start.present)
			return "not known: the start address of a committed decoder cannot be read, which needs CAP_DAC_READ_SEARCH: run this as root";
	return NULL;
}

static int own_window(struct facts *f, struct owner *o)
{
	const bool no_region = f->window->makes_ram.present && !f->window->makes_ram.value &&
			       f->window->makes_pmem.present && !f->window->makes_pmem.value;
	int r;

	o->usable = OPT_BOOL(!no_region);
	r = say(f, &o->what, "free in CXL window %s%s", f->window->name,
		no_region ? ", where this kernel makes no regions" : "");
	return r < 0 ? r : say_made_by(f, o, "firmware, which set up the window");
}

/* Addresses outside of all windows that nothing more is known about. */
static int own_nothing(struct facts *f, struct owner *o)
{
	const char *unseen = why_unseen(f);
	int r;

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

static int own_outside_or_free(struct facts *f, struct owner *o)
{
	const char *unseen = why_unseen(f);

	if (f->reserved)
		return own_reserved(f, o);
	if (f->soft_inside)
		return own_soft_reserved(f, o);
	if (f->in_use || f->other || f->pci)
		return own_other(f, o, f->other ? f->innermost : f->pci ? f->pci : f->in_use);
	if (!f->window)
		return own_nothing(f, o);
	return unseen ? own_unknown(f, o, unseen) : own_window(f, o);
}

static int own_overlap(struct facts *f, struct owner *o)
{
	int r;

	o->is_fault = true;
	r = say(f, &o->what, "CXL windows %s and %s, which overlap", f->window->name,
		f->other_window->name);
	return r < 0 ? r : say_made_by(f, o, "firmware, by an error");
}

int owner_of_segment(const struct segment *s, struct owner *ret)
{
	struct facts f = {.s = s};

	for (size_t i = 0; i < s->n_claims; i++)
		take_claim(&f, s->claims[i]);
	take_iomem(&f);
	if (s->too_many)
		return own_unknown(&f, ret,
				   "not known: more ranges than are looked at have this address");
	if (f.other_window)
		return own_overlap(&f, ret);
	if (f.pci && (f.window || f.n_decoders))
		return own_pci(&f, ret);
	if (f.ram || (f.dax && f.dax->mode == DAX_MODE_SYSTEM_RAM))
		return own_ram(&f, ret);
	if (f.dax || f.dax_name)
		return own_dax(&f, ret);
	if (f.mapping || f.n_decoders)
		return own_mapping(&f, ret);
	return own_outside_or_free(&f, ret);
}
