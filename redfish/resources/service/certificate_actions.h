/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_CERTIFICATE_ACTIONS_H
#define CXLR_REDFISH_RESOURCES_CERTIFICATE_ACTIONS_H

/* The actions of CertificateService: on a thread of HTTP. */

#include "redfish/service/exchange.h"

int run_generate_csr(struct exchange *x);
extern const struct parameters generate_csr_parameters;
int run_replace_certificate(struct exchange *x);
extern const struct parameters replace_certificate_parameters;

#endif
