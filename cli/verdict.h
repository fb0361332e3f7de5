/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_VERDICT_H
#define CXLR_CLI_VERDICT_H

/*
 * The verdict about an object and all below it, or about what maps addresses of a range, the first
 * line of explain: whether addresses are exact, and whether the memory is healthy. One thread.
 */

#include "cli/cli.h"
#include "cli/object.h"
#include "common/names.h"
#include "model/finding_text.h"

struct verdict {
	char mapping[FINDING_TEXT_MAX], health[FINDING_TEXT_MAX];
};

/*
 * verdict_mapping() - which source translates the addresses of the decoders of an object
 *
 * "exact by decoder"; "exact by decoder for 6 decoders, an interval for 2 decoders"; "nothing is
 * mapped".
 */
void verdict_mapping(const struct cli *cli, const struct object *o,
		     char text[static FINDING_TEXT_MAX]);

/*
 * verdict_health() - the health of the memory devices and regions of an object, as `cxl-spa health`
 * has it for the host
 *
 * "OK"; "Warning (mem2)"; "not known (the devices do not report their health)".
 *
 * Return: 0 or -ENOMEM.
 */
int verdict_health(struct cli *cli, const struct object *o, char text[static FINDING_TEXT_MAX]);

/* The first line, and its parts. */
struct verdict_line {
	char mapping[FINDING_TEXT_MAX]; /* with the problems */
	char text[2 * FINDING_TEXT_MAX + 32];
	const char *health; /* of the verdict */
};

/*
 * verdict_line() - "Mapping: exact by decoder; 2 problems: region0, mem3. Health: OK"
 * @problems: the word for one of them
 * @objects: that have them
 */
void verdict_line(const struct verdict *v, size_t n_problems, const char *problems,
		  struct names *objects, struct verdict_line *ret);

/* Whether an endpoint decoder, a device or a mapping is the object, or below it. */
bool verdict_has_decoder(const struct object *o, const struct decoder *d);
bool verdict_has_memdev(const struct object *o, const struct memdev *m);
bool verdict_has_mapping(const struct object *o, const struct region *r);

#endif
