/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_CERTIFICATES_H
#define CXLR_REDFISH_RESOURCES_CERTIFICATES_H

/*
 * Shared by the certificates and the actions of CertificateService.
 */

#include "http/tls.h"
#include "redfish/service/exchange.h"

/* Return: the name of the @i-th bit of enum tls_usage in Redfish's KeyUsage; NULL behind the last.
 */
const char *key_usage_name(unsigned int i);

/* Return: the error @e of a change of the store, as operations return it. */
int certificate_result(struct exchange *x, int r, const struct error *e);

/* The actions of CertificateService: on a thread of HTTP. */
int run_generate_csr(struct exchange *x);
int run_replace_certificate(struct exchange *x);

void render_generate_csr_info(const struct view *v, const struct resource *r,
			      struct json_writer *w);
void render_replace_certificate_info(const struct view *v, const struct resource *r,
				     struct json_writer *w);

#endif
