/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_REASON_H
#define CXLR_PRM_REASON_H

/*
 * Why an answer is not exact or has no address, as a code for programs. Each sentence that a user
 * reads has one beside it; sentences may change, codes and their names do not.
 */

#include <stdbool.h>

enum answer_reason {
	REASON_NONE,

	/* The answer's operand. */
	REASON_RANGE,	     /* more than one address was given */
	REASON_ESTIMATED,    /* the interval holds the address, its place inside is not known */
	REASON_LINEAR_CACHE, /* the same line is in the DRAM of an extended linear cache */
	REASON_BY_DECODERS,  /* Linux has no region for the address, its decoders map it */

	REASON_NO_EXTENT, /* dynamic capacity: mapped, but no or not every byte has memory */

	/* Nothing maps the address. */
	REASON_NO_CXL,		     /* the host has no CXL */
	REASON_NO_WINDOW,	     /* the SPA is in no CXL window */
	REASON_WINDOWS_UNKNOWN,	     /* and whether it is in a window is not known */
	REASON_NO_REGION,	     /* the SPA is in a window, but in no region */
	REASON_NO_REGION_NORMALIZED, /* as the kernel made none for Normalized decoders */
	REASON_NO_MEMDEV,	     /* the memdev is not one of the host's */
	REASON_BEYOND_DEVICE,	     /* the DPA is beyond the device's capacity */
	REASON_NO_ENDPOINT,	     /* the memdev has no endpoint port */
	REASON_NO_DECODER,	     /* no endpoint decoder maps the DPA */
	REASON_DECODER_IDLE,	     /* its endpoint decoder is not committed */
	REASON_DECODER_NO_REGION,    /* its endpoint decoder is in no region */
	REASON_DECODER_NOT_LISTED,   /* its decoder names a region that does not list it */
	REASON_START_UNREADABLE,     /* the start of its decoder is not readable */
	REASON_NOT_REACHED,	     /* the window and the decoders route no SPA to the DPA */
	REASON_NO_PROVIDER,	     /* mapped, but no provider translates it */

	/* Attributes of the host are incomplete or inconsistent. */
	REASON_DECODERS_OVERLAP,
	REASON_REGIONS_OVERLAP,
	REASON_REGION_NO_RANGE,	     /* the region has no SPA range */
	REASON_REGION_UNKNOWN,	     /* its size, ways or granularity is unknown or impossible */
	REASON_REGION_INCOMPLETE,    /* it has fewer targets than ways */
	REASON_REGION_NOT_COMMITTED, /* it, or one of its decoders */
	REASON_COMMIT_UNKNOWN,	     /* whether the region is committed is not readable */
	REASON_REGION_INCONSISTENT,  /* it contradicts its decoders or its window */
	REASON_DECODER_RANGE,	     /* a decoder, or a port, does not decode what its region has */
	REASON_DPA_MISALIGNED,	     /* a decoder's DPA is not a multiple of 256 MiB */
	REASON_XORMAP_INVALID,	     /* an XOR map leaves the interleave block */
	REASON_INTERVAL_REFUTED,     /* an answer of firmware is outside its interleave block */

	/* The decoder arithmetic of the region does not apply. */
	REASON_NORMALIZED,
	REASON_MAYBE_NORMALIZED,
	REASON_WINDOW_UNKNOWN,	     /* the window of the region is not known */
	REASON_ARITHMETIC_UNKNOWN,   /* modulo or XOR is not known: no CEDT, or not readable */
	REASON_ARITHMETIC_UNDEFINED, /* the CEDT defines none that is supported */
	REASON_CEDT_CONTRADICTED,    /* the window has other ways or granularity in the CEDT */
	REASON_XORMAP_AMBIGUOUS,     /* the XOR maps are not one to one */
	REASON_XORMAP_ORDER,	     /* the XOR maps are not those of the target bits */
	REASON_GEOMETRY_UNSUPPORTED, /* no formula for this geometry */
	REASON_DECODER_TARGETS,	     /* a decoder has more or fewer targets than ways */
	REASON_ROUTING_CONTRADICTED, /* the decoders route to other devices than the region lists */
	REASON_ROUTING_UNKNOWN,
	REASON_NOT_REVERSIBLE, /* the inverse of the arithmetic gives another address */

	/* Firmware: no answer, queried or captured. */
	REASON_FIRMWARE_NOT_QUERIED,
	REASON_FIRMWARE_UNAVAILABLE, /* firmware_answer.state has more */
	REASON_RATE_LIMITED,
	REASON_FIRMWARE_TIMEOUT,
	REASON_FIRMWARE_ERROR,
	REASON_NO_PCI_ADDRESS, /* of the memdev, by which firmware is queried */
	REASON_RECORDED_ERROR,
	REASON_RECORDED_CHUNKS, /* recorded by chunks, so not for a range */
	REASON_NOT_RECORDED,	/* the capture has no answer */
	REASON_TOO_MANY_ADDRESSES,

	/* Firmware: the answer was rejected. */
	REASON_SPA_LOW_BITS,	      /* DPA and SPA differ in the low 8 bits */
	REASON_SPA_SHARED,	      /* two DPAs have the same SPA */
	REASON_SPA_NO_WINDOW,	      /* the SPA is in no CXL window */
	REASON_SPA_OUTSIDE_REGION,    /* outside the region of the decoder */
	REASON_SPA_OUTSIDE_BLOCK,     /* outside the interleave block of the DPA */
	REASON_SPA_OTHER_REGION,      /* in a region that the decoder is no part of */
	REASON_SPA_NO_INTERLEAVE_SET, /* the SPAs of a decoder describe no interleave set */
	REASON_SPA_NOT_FOUND,	      /* no device that can have the SPA has it */

	ANSWER_REASONS
};

/* A code and its sentence; REASON_NONE and NULL when there is none. */
struct reason {
	enum answer_reason code;
	const char *text; /* without final stop */
};

/* Return: a stable name for programs, as "rate-limited"; NULL for REASON_NONE. */
const char *answer_reason_name(enum answer_reason reason);

/*
 * Return: whether the reason is only that a table or an attribute is missing or unreadable, and not
 * that some contradict each other or that no formula is known.
 */
bool answer_reason_lacks_data(enum answer_reason reason);

/*
 * An assumption of an answer that could not be confirmed. An answer with doubts is used like
 * any other; a caller that requires certainty can check for them.
 */
enum answer_doubt {
	DOUBT_WINDOWS_OVERLAP,	   /* its window overlaps another one */
	DOUBT_WINDOW_UNVERIFIED,   /* start or size of its region's window is not known */
	DOUBT_DECODERS_UNVERIFIED, /* an endpoint decoder was not compared with its region in all */
	DOUBT_CACHE_INFERRED,  /* the kernel names no extended linear cache, decoders show one, or
				  may */
	DOUBT_ROUTING_UNKNOWN, /* positions are the kernel's, not confirmed by the decoders above */
	DOUBT_SPA_UNVERIFIED,  /* firmware's SPA was not compared with all windows */
	DOUBT_GEOMETRY_UNKNOWN, /* firmware's SPA was compared with no interleave block */
	DOUBT_DAX_INFERRED,	/* the address of its dax device is not readable */
	ANSWER_DOUBTS
};

/* An entry of translator_notes(): something of the host or its files that is not used. */
enum translator_note {
	NOTE_TABLE_UNREADABLE, /* an ACPI table, for a reason other than absence or permission */
	NOTE_TABLE_INVALID,    /* an ACPI table */
	NOTE_WINDOWS_OVERLAP,
	NOTE_DECODERS_OVERLAP,
	NOTE_REGIONS_OVERLAP,
	NOTE_HANDLER_INVALID, /* the pairs of a capture cannot be read: no pairs and no rules */
	NOTE_RULES_INVALID,   /* the rules of a capture are malformed: no rules */
	NOTE_PAIR_REJECTED,   /* one pair of a capture, or one line */
	NOTE_RULE_REJECTED,   /* one rule of a capture */
	NOTES_DROPPED,	      /* there were more notes than are kept */
	TRANSLATOR_NOTES
};

#endif
