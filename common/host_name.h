/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_HOST_NAME_H
#define CXLR_COMMON_HOST_NAME_H

/* Names of hosts, as in URLs. No state: any thread. */

#include "common/error.h"

enum { HOST_NAME_BYTES = 256 }; /* with the NUL */

/* host_name_check() - whether a text is a host name without a port. Return: 0 or -EINVAL. */
int host_name_check(const char *name, struct error *e);

#endif
