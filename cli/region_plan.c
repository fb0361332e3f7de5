// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/region_plan.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/output.h"
#include "common/json_writer.h"
#include "model/partitions.h"
#include "model/region_fit.h"

enum { LINE_TEXT_MAX = 512 };

/* The printed plan, in one form for text and JSON. */
struct plan_text {
	const struct region_plan *plan;
	struct json_writer *json; /* NULL: text */
	const char *title;	  /* of the part of the text; NULL once it is printed */
	unsigned int step;	  /* 0: commands and notes have no number */
};

static struct opt_u64 region_last(const struct region_plan *p)
{
	return p->spa.present ? OPT_U64(p->spa.value + (p->size - 1)) : (struct opt_u64){0};
}

/* ---- lines: steps, commands, notes ------------------------------------------------------------
 */

__attribute__((format(printf, 2, 3))) static void line(struct plan_text *t, const char *fmt, ...)
{
	char text[LINE_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (t->json) {
		put_string(t->json, NULL, text);
		return;
	}
	if (t->title) {
		out("%s:", t->title);
		out_end();
	}
	t->title = NULL;
	out_indent(1);
	if (t->step)
		out("%u. ", t->step++);
	out("%s", text);
	out_end();
}

/* DPA of decoders that are behind the one of the plan is released, from the last downwards. */
static void each_left_behind(struct plan_text *t, const struct region_plan_position *at,
			     void (*put)(struct plan_text *t, const struct decoder *d,
					 const struct memdev *m))
{
	const struct port *endpoint = at->decoder->port;

	for (size_t i = at->left_behind ? endpoint->n_decoders : 0; i > 0; i--) {
		const struct decoder *d = endpoint->decoders[i - 1];

		if (d->index < at->left_behind->index)
			break;
		if (d->dpa_size.present && d->dpa_size.value)
			put(t, d, at->memdev);
	}
}

static void put_release_step(struct plan_text *t, const struct decoder *d, const struct memdev *m)
{
	char range[RANGE_TEXT_MAX];

	line(t, "release DPA %s of %s of %s, left behind by a change that was interrupted",
	     range_text(d->dpa_resource, d->dpa_size, range), d->name, m->name);
}

static void put_release_command(struct plan_text *t, const struct decoder *d,
				const struct memdev *m)
{
	line(t, "cxl free-dpa -d %s %s", d->name, m->name);
}

static void put_device_steps(struct plan_text *t)
{
	const struct region_plan *p = t->plan;
	char range[RANGE_TEXT_MAX];

	for (unsigned int i = 0; i < p->ways; i++) {
		const struct region_plan_position *at = &p->positions[i];

		line(t, "reserve DPA %s of %s for %s, and attach it at position %u",
		     range_text(OPT_U64(at->dpa), OPT_U64(p->share), range), at->memdev->name,
		     at->decoder->name, i);
	}
}

static void put_steps(struct plan_text *t)
{
	const struct region_plan *p = t->plan;
	char range[RANGE_TEXT_MAX], bytes[SIZE_TEXT_MAX];

	for (unsigned int i = 0; i < p->ways; i++)
		each_left_behind(t, &p->positions[i], put_release_step);
	line(t, "create a %s region in window %s, %u-way at %" PRIu64 " B",
	     decoder_mode_name(p->mode), p->window->name, p->ways, p->granularity);
	line(t, "allocate %s of system addresses for it%s%s", size_text(OPT_U64(p->size), bytes),
	     p->spa.present ? ", by Linux at " : "",
	     p->spa.present ? range_text(p->spa, OPT_U64(p->size), range) : "");
	put_device_steps(t);
	line(t, "commit the decoders of the devices and of the ports above them");
	line(t, "bind the driver cxl_region, which makes %s of it",
	     p->mode == DECODER_MODE_RAM ? "a dax device" : "an nvdimm region");
}

static void put_commands(struct plan_text *t)
{
	const struct region_plan *p = t->plan;
	char names[LINE_TEXT_MAX];
	size_t used = 0;

	for (unsigned int i = 0; i < p->ways; i++)
		each_left_behind(t, &p->positions[i], put_release_command);
	for (unsigned int i = 0; i < p->ways && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, " %s",
					 p->positions[i].memdev->name);
	line(t, "cxl create-region -m -d %s -t %s -w %u -g %" PRIu64 " -s %" PRIu64 "%s",
	     p->window->name, decoder_mode_name(p->mode), p->ways, p->granularity, p->size, names);
}

/* ---- notes ------------------------------------------------------------------------------------
 */

static struct opt_int class_of(const struct region_plan *p, unsigned int position)
{
	const struct memdev *m = p->positions[position].memdev;

	return p->mode == DECODER_MODE_RAM ? m->ram_qos_class : m->pmem_qos_class;
}

static void put_class_note(struct plan_text *t, unsigned int position)
{
	struct opt_int own = class_of(t->plan, position), window = t->plan->window->qos_class;

	if (own.present && window.present && own.value != window.value)
		line(t,
		     "the QoS class of %s is %d, that of the window %d: the region can be slower than others in this window",
		     t->plan->positions[position].memdev->name, own.value, window.value);
}

/* Linux maps DPA from below, so volatile memory before persistent memory that is mapped is lost. */
static void put_skip_note(struct plan_text *t, unsigned int position)
{
	const struct region_plan_position *at = &t->plan->positions[position];
	struct partition part;
	char bytes[SIZE_TEXT_MAX];
	uint64_t skipped;

	if (t->plan->mode != DECODER_MODE_PMEM || !memdev_partition(at->memdev, "ram", &part))
		return;
	skipped = memdev_mappable(at->memdev, &part);
	if (skipped)
		line(t,
		     "%s of volatile memory of %s cannot be mapped while this region exists, because Linux maps the DPA of a device from below: make a volatile region first to use it",
		     size_text(OPT_U64(skipped), bytes), at->memdev->name);
}

static void put_notes(struct plan_text *t)
{
	const struct region_plan *p = t->plan;

	for (unsigned int i = 0; i < p->ways; i++) {
		put_class_note(t, i);
		put_skip_note(t, i);
	}
	if (!p->spa.present)
		line(t,
		     "its address is not known, because the start of the window is not readable: run this as root");
	if (!p->uses_known)
		line(t,
		     "whether its addresses are in use is not known: /proc/iomem is absent, or shows no addresses because only root may see them; cxl-spa region create, as root, looks before it writes");
}

/* ---- text -------------------------------------------------------------------------------------
 */

static void print_position(const struct region_plan *p, unsigned int position)
{
	const struct region_plan_position *at = &p->positions[position];
	char range[RANGE_TEXT_MAX];

	out_indent(1);
	out("%u: ", position);
	out_styled(STYLE_NAME, "%s", at->memdev->name);
	if (at->memdev->bdf)
		out("  %s", at->memdev->bdf);
	if (at->memdev->serial.present)
		out("  serial 0x%" PRIx64, at->memdev->serial.value);
	out("  %s  DPA %s", at->decoder->name,
	    range_text(OPT_U64(at->dpa), OPT_U64(p->share), range));
	out_end();
}

static void print_part(struct plan_text *t, const char *title, unsigned int step,
		       void (*put)(struct plan_text *t))
{
	t->title = title;
	t->step = step;
	put(t);
}

void region_plan_text(const struct region_plan *p)
{
	struct plan_text t = {.plan = p};
	char bytes[SIZE_TEXT_MAX], each[SIZE_TEXT_MAX], range[RANGE_TEXT_MAX];

	out("a region is possible in window ");
	out_styled(STYLE_NAME, "%s", p->window->name);
	out(": %s, %s, %u-way at %" PRIu64 " B, %s of each device",
	    size_text(OPT_U64(p->size), bytes), decoder_mode_name(p->mode), p->ways, p->granularity,
	    size_text(OPT_U64(p->share), each));
	if (p->spa.present)
		out(", SPA %s", range_text(p->spa, OPT_U64(p->size), range));
	out_end();
	for (unsigned int i = 0; i < p->ways; i++)
		print_position(p, i);
	print_part(&t, "notes", 0, put_notes);
	print_part(&t, "steps", 1, put_steps);
	print_part(&t, "as commands of cxl", 0, put_commands);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static void put_position(struct json_writer *w, const struct region_plan *p, unsigned int position)
{
	const struct region_plan_position *at = &p->positions[position];

	put_object(w, NULL);
	put_number(w, "position", position);
	put_string(w, "memdev", at->memdev->name);
	put_opt_hex(w, "serial", at->memdev->serial);
	put_string(w, "decoder", at->decoder->name);
	put_hex(w, "dpa", at->dpa);
	put_hex(w, "dpa_last", at->dpa + (p->share - 1));
	put_string(w, "left_behind", at->left_behind ? at->left_behind->name : NULL);
	put_end(w);
}

static void put_lines(struct plan_text *t, const char *key, void (*put)(struct plan_text *t))
{
	put_array(t->json, key);
	if (t->plan)
		put(t);
	put_end(t->json);
}

static void put_plan(struct json_writer *w, const struct region_plan *p)
{
	put_string(w, "mode", decoder_mode_name(p->mode));
	put_number(w, "ways", p->ways);
	put_number(w, "granularity", p->granularity);
	put_number(w, "size", p->size);
	put_number(w, "share", p->share);
	put_opt_hex(w, "spa", p->spa);
	put_opt_hex(w, "spa_last", region_last(p));
	put_array(w, "positions");
	for (unsigned int i = 0; i < p->ways; i++)
		put_position(w, p, i);
	put_end(w);
}

int region_plan_json(const struct region_plan *p, const char *window, const char *reason)
{
	_cleanup_writer_ struct json_writer w = {.break_depth = 2, .absent_is_null = true};
	struct plan_text t = {.plan = p, .json = &w};

	put_object(&w, NULL);
	put_bool(&w, "possible", p != NULL);
	put_string(&w, "reason", reason);
	put_string(&w, "window", window);
	if (p) {
		put_plan(&w, p);
		put_lines(&t, "notes", put_notes);
		put_lines(&t, "steps", put_steps);
		put_lines(&t, "commands", put_commands);
	}
	put_end(&w);
	return out_json(&w);
}
