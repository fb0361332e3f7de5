/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_DECODER_ROUTE_H
#define CXLR_SYSFS_DECODER_ROUTE_H

/*
 * Where the decoders of a mapping send an address, one port at a time. Addresses are host physical
 * ones with XOR undone: the maps of a window change only the bits that the window uses, and undone
 * they give the modulo result. Functions read the snapshot only; any thread.
 */

#include "sysfs/host.h"

enum route_step {
	ROUTE_UNKNOWN,	 /* the port has no decoder for the mapping, or it is not known in all */
	ROUTE_TAKEN,	 /* to that child */
	ROUTE_ELSEWHERE, /* to another dport */
};

/*
 * route_decoder() - the decoder by which a port routes a mapping
 *
 * Return: NULL when there is none, as on a port that passes everything through.
 */
const struct decoder *route_decoder(const struct port *port, const struct region *mapping);

/* route_target() - the target of @d for an address; NULL when it is not known */
const struct decoder_target *route_target(const struct decoder *d, uint64_t hpa);

/* route_step() - whether the port above @child sends an address of the mapping to it */
enum route_step route_step(const struct port *child, const struct region *mapping, uint64_t hpa);

/*
 * route_follow() - route_step() of each port from the endpoint up to the root
 * @ret_port: the port that sends it elsewhere, set with ROUTE_ELSEWHERE; may be NULL
 *
 * Return: ROUTE_ELSEWHERE when one does; otherwise ROUTE_UNKNOWN when one is not known.
 */
enum route_step route_follow(const struct port *endpoint, const struct region *mapping,
			     uint64_t hpa, const struct port **ret_port);

#endif
