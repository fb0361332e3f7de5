/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_RELEASE_H
#define CXLR_CLI_RELEASE_H

/* Whether the memory of a region can be released, as explain prints it. */

#include "common/json_writer.h"
#include "model/release.h"

void release_text(const struct release *r);
void put_release(struct json_writer *w, const char *key, const struct release *r);

#endif
