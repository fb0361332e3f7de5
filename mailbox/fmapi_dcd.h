/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_FMAPI_DCD_H
#define CXLR_MAILBOX_FMAPI_DCD_H

/*
 * Layouts of the commands of the FM-API for dynamic capacity devices (DCD), 5600h to 5605h: memory
 * of a device that is given to its hosts in extents, while they run. The rules of fmapi.h are those
 * of this header, too.
 *
 * A host is a number of the device: the LD-ID of an MLD, 0 of a device that is not divided. An
 * extent is a range of device addresses (DPA) of that host. The list of a host has the extents that
 * it accepted; there is no command by which those that it has not answered could be read.
 *
 * Sources: CXL 3.2 7.6.7.6.1 to 7.6.7.6.6, 8.2.10.9.9.1 (flags of a region).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FMAPI_DC_REGIONS_MAX = 8,     /* of a host */
	FMAPI_DC_BLOCK_SHIFT_MIN = 6, /* of block sizes; smaller ones are reserved bits */
	FMAPI_TAG_LEN = 16,
};

/* Bits of `add_policies` by these numbers, which are those of Initiate Dynamic Capacity Add. */
enum fmapi_dc_add {
	FMAPI_DC_ADD_FREE,
	FMAPI_DC_ADD_CONTIGUOUS,
	FMAPI_DC_ADD_PRESCRIPTIVE,
	FMAPI_DC_ADD_SHARED,
};

/* Likewise of `release_policies`. */
enum fmapi_dc_release {
	FMAPI_DC_RELEASE_TAG,
	FMAPI_DC_RELEASE_PRESCRIPTIVE,
};

/* ---- Get DCD Info, 5600h (7.6.7.6.1) ----------------------------------------------------------
 */

struct fmapi_dcd_info {
	uint8_t n_hosts;
	uint8_t n_regions; /* of each host; at most FMAPI_DC_REGIONS_MAX */
	uint16_t add_policies, release_policies;
	uint8_t sanitize;  /* bit n: of region n it can be configured whether it is sanitized */
	uint64_t capacity; /* bytes, of all hosts */
	/* By region; bit b: blocks of 2^b bytes are supported. */
	uint64_t block_sizes[FMAPI_DC_REGIONS_MAX];
};

int fmapi_decode_dcd_info(const uint8_t *p, size_t len, struct fmapi_dcd_info *ret);

/* ---- Get Host DC Region Configuration, 5601h (7.6.7.6.2) --------------------------------------
 */

/* Bits of `flags`. */
enum {
	FMAPI_DC_NONVOLATILE = 1 << 2,
	FMAPI_DC_SHAREABLE = 1 << 3,
	FMAPI_DC_COHERENT = 1 << 4,	/* the hardware manages it */
	FMAPI_DC_INTERCONNECT = 1 << 5, /* interconnect specific management of dynamic capacity */
	FMAPI_DC_READ_ONLY = 1 << 6,
};

struct fmapi_dc_region {
	uint64_t base, decoded, size; /* bytes; the region is in what its host decodes */
	uint64_t block;		      /* bytes, a power of 2 */
	uint8_t flags;		      /* FMAPI_DC_… */
	bool sanitized;		      /* when it is released */
};

struct fmapi_dc_regions {
	uint8_t n_regions;				      /* all that the host has */
	uint8_t n;					      /* those of this reply */
	struct fmapi_dc_region regions[FMAPI_DC_REGIONS_MAX]; /* from the one asked for on */
	uint32_t extents, free_extents, tags, free_tags;      /* supported, and of them available */
};

/* At most @limit regions from @first on; @limit: 1 to FMAPI_DC_REGIONS_MAX */
int fmapi_encode_get_dc_regions(uint16_t host, uint8_t first, uint8_t limit, uint8_t *p,
				size_t size);

/*
 * A region that is empty, wraps around, ends beyond what is decoded, overlaps the one before, or
 * whose block size is no power of 2 is rejected, and so are more available extents or tags than
 * supported ones.
 */
int fmapi_decode_dc_regions(const uint8_t *p, size_t len, uint16_t host, uint8_t first,
			    uint8_t limit, struct fmapi_dc_regions *ret);

/* Return: how many regions a request may ask for, when payloads are @payload_max bytes long. */
size_t fmapi_dc_regions_max(size_t payload_max);

/* ---- Set DC Region Configuration, 5602h (7.6.7.6.3) -------------------------------------------
 */

/* @block: bytes, a power of 2 */
int fmapi_encode_set_dc_region(uint8_t region, uint64_t block, bool sanitized, uint8_t *p,
			       size_t size);

/* ---- Get DC Region Extent Lists, 5603h (7.6.7.6.4) --------------------------------------------
 */

struct fmapi_extent {
	uint64_t start, size;	    /* bytes, DPA of the host */
	uint8_t tag[FMAPI_TAG_LEN]; /* zeros: none */
	uint16_t sequence;	    /* of shared capacity; 0: none */
};

/* A part of a list; the numbers are those of the moment of the reply. */
struct fmapi_extents {
	uint32_t total;	     /* of the whole list */
	uint32_t generation; /* another one when the list has changed */
	uint32_t n;	     /* in this part */
};

/* At most @limit extents from @first on. @limit: not 0 */
int fmapi_encode_get_extents(uint16_t host, uint32_t first, uint32_t limit, uint8_t *p,
			     size_t size);

/*
 * @extents: space for @limit
 *
 * A part that is empty although the list goes on is rejected, and so is one that goes on beyond the
 * list, and an extent that is empty or wraps around.
 */
int fmapi_decode_extents(const uint8_t *p, size_t len, uint16_t host, uint32_t first,
			 uint32_t limit, struct fmapi_extents *ret, struct fmapi_extent *extents);

/* Return: how many extents a reply has, when payloads are @payload_max bytes long. */
size_t fmapi_extents_max(size_t payload_max);

/* ---- Initiate Dynamic Capacity Add and Release, 5604h and 5605h (7.6.7.6.5, 7.6.7.6.6) --------
 */

/* Requests of both; the device completes the command before the host has answered it. */
struct fmapi_dc_request {
	uint16_t host;
	uint8_t policy;		    /* enum fmapi_dc_add, enum fmapi_dc_release */
	uint8_t region;		    /* FREE and CONTIGUOUS */
	uint64_t size;		    /* bytes; FREE, CONTIGUOUS and TAG */
	uint8_t tag[FMAPI_TAG_LEN]; /* not of PRESCRIPTIVE, whose extents have their own */
	bool forced, sanitize;	    /* Release: without the host; before it is given to another */
	const struct fmapi_extent *extents; /* PRESCRIPTIVE */
	uint32_t n;
};

/* @q: of an extent and, without the policy PRESCRIPTIVE, the size: not empty */
int fmapi_encode_dc_add(const struct fmapi_dc_request *q, uint8_t *p, size_t size);
int fmapi_encode_dc_release(const struct fmapi_dc_request *q, uint8_t *p, size_t size);

/* Return: how many extents a request may have, when payloads are @payload_max bytes long. */
size_t fmapi_dc_request_max(size_t payload_max);

#endif
