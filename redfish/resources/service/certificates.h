/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_CERTIFICATES_H
#define CXLR_REDFISH_RESOURCES_CERTIFICATES_H

/* Words and errors of certificates, for their resources and for the actions. Any thread. */

#include "http/tls.h"
#include "redfish/service/exchange.h"

/* The names of the bits of enum tls_usage in Redfish's KeyUsage, to a NULL. */
extern const char *const key_usages[];

/* Return: the error @e of a change of the store, as operations return it. */
int certificate_result(struct exchange *x, int r, const struct error *e);

#endif
