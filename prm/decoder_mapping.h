/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_DECODER_MAPPING_H
#define CXLR_PRM_DECODER_MAPPING_H

/* How endpoint decoders map, as their attributes show it. Pure functions, any thread. */

#include "sysfs/host.h"

/*
 * How an endpoint decoder maps, which decides which sources may translate for it. As
 * cxl_prm_setup_root() in drivers/cxl/core/atl.c: it is Normalized when start equals dpa_resource,
 * it has one way, and its region (if any) has another start or size.
 */
enum decoder_mapping {
	MAPPING_IDLE,	    /* not committed */
	MAPPING_ORDINARY,   /* HDM decoding, arithmetic holds */
	MAPPING_NORMALIZED, /* decodes DPA; only firmware knows the SPA */
	MAPPING_UNKNOWN,    /* `start` is not readable and other attributes do not decide */
};

enum decoder_mapping decoder_mapping(const struct decoder *endpoint_decoder);
const char *decoder_mapping_name(enum decoder_mapping m);

/* The result of following the decoders above a region's devices. */
enum region_routing {
	REGION_ROUTING_UNKNOWN,	     /* a decoder is not known */
	REGION_ROUTING_CONFIRMED,    /* the order of devices is that of Linux's formula */
	REGION_ROUTING_DIFFERS,	     /* it is known and used, and Linux's formula gives another */
	REGION_ROUTING_CONTRADICTED, /* targets, ways and positions exclude each other */
};

#endif
