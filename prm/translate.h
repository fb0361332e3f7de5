/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_TRANSLATE_H
#define CXLR_PRM_TRANSLATE_H

/*
 * The translation engine: device physical addresses (DPA) to system physical addresses (SPA) and
 * back, each answer with its source and its precision.
 *
 * A `struct translator` belongs to one snapshot of the host and holds a reference on it. It is
 * immutable after translator_new(), so any thread may use it. Providers are tried in this order;
 * the first that can answer names itself as the source:
 *
 *	recorded, emulated	the PRM handler of a captured host: pairs that its firmware gave
 *				when it was captured, or a rule that emulates it
 *	prm			the PRM handler of the live host, by /dev/cxl_prm
 *	decoder			arithmetic over the HDM decoders, never for Normalized addressing
 *	estimate		an interval from the region's attributes, never exact
 *
 * An answer is never a guess: it is exact, or an interval that holds the address, or no address;
 * unless it is exact, `reason` has the reason. Addresses are bytes; ranges include their last byte.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "prm/answer.h"
#include "prm/decoder_mapping.h"
#include "sysfs/host.h"

struct cedt;
struct firmware;
struct firmware_timeout;
struct prmt;

struct translator;

/*
 * translator_new() - create the translator of a snapshot
 * @host: a reference is taken
 * @firmware: the client of /dev/cxl_prm, which must outlive the translator; NULL without. Not used
 *            when @host is a captured one. A new topology needs firmware_invalidate()
 * @ret: one reference
 * @e: reason on failure
 *
 * Parses CEDT and PRMT and, on a captured host, prm/pairs.txt and prm/rule.json. Malformed tables
 * or files are not an error: what depends on them is not used, and translator_notes() reports it.
 *
 * Return: 0 or -ENOMEM.
 */
int translator_new(const struct host *host, struct firmware *firmware, struct translator **ret,
		   struct error *e);

/* Take and drop a reference; any thread. translator_unref() accepts NULL and returns NULL. */
struct translator *translator_ref(struct translator *t);
struct translator *translator_unref(struct translator *t);

/* One sentence for each thing that is not used or is missing, naming it. */
const char *const *translator_notes(const struct translator *t, size_t *ret_n);

/* The code of each note, in the same order. */
const enum translator_note *translator_note_codes(const struct translator *t);

/* The client that it uses; NULL when there is none, as on a captured host. */
struct firmware *translator_firmware(const struct translator *t);

/* The parsed tables; NULL when absent, unreadable or invalid. Owned by the translator. */
const struct cedt *translator_cedt(const struct translator *t);
const struct prmt *translator_prmt(const struct translator *t);

/*
 * translate_dpa() - from device to system; never waits for firmware, but uses cached answers
 * @first, @last: an inclusive range; first == last is a single address
 * @out: answers are added, in DPA order: one for a single address, for a range one per extent
 *       (endpoint decoder, gap between decoders, part beyond the device); together they cover the
 *       range without gaps
 *
 * Return: 0 or -ENOMEM. "No answer" is an answer, not an error.
 */
int translate_dpa(const struct translator *t, const struct memdev *memdev, uint64_t first,
		  uint64_t last, struct answers *out);

/*
 * translate_spa() - from system to device; as translate_dpa(), in SPA order, an extent being a
 * region's part of the range, a piece of a window without region, or a piece outside all windows
 */
int translate_spa(const struct translator *t, uint64_t first, uint64_t last, struct answers *out);

/* The same, but waits for firmware where needed: for worker threads and cxl-spa only. */
int translate_dpa_wait(const struct translator *t, const struct memdev *memdev, uint64_t first,
		       uint64_t last, struct firmware_timeout *timeout, struct answers *out);
int translate_spa_wait(const struct translator *t, uint64_t first, uint64_t last,
		       struct firmware_timeout *timeout, struct answers *out);

/*
 * translate_prefetch() - query firmware for many DPAs of a device before they are translated
 * @dpas: @n of them, in any order; those that need no firmware are skipped
 *
 * They are sent in batches of FIRMWARE_BATCH_MAX, where each translate_dpa_wait() would send its
 * own. Optional: without it, or at the end of the timeout, translate_dpa_wait() queries itself.
 */
void translate_prefetch(const struct translator *t, const struct memdev *memdev,
			const uint64_t *dpas, size_t n, struct firmware_timeout *timeout);

/*
 * The arithmetic of a window: "modulo", "xor", or NULL when the CEDT, which defines it, is missing
 * or does not describe this window, unless the window has one or three ways, which need no
 * CEDT.
 */
const char *translator_arithmetic(const struct translator *t, const struct decoder *window);

/*
 * translator_is_ambiguous() - whether the CEDT gives a window XOR maps that are not one to one
 *
 * Then no system address reaches some addresses of its devices, and several reach others.
 */
bool translator_is_ambiguous(const struct translator *t, const struct decoder *window);

/*
 * translator_region_routing() - what following the decoders from each endpoint to the root found
 * @region: of the translator's host
 *
 * Found once, by translator_new(). Only regions whose numbers are consistent are followed;
 * Normalized addressing gives REGION_ROUTING_UNKNOWN.
 */
enum region_routing translator_region_routing(const struct translator *t,
					      const struct region *region);

/*
 * translator_region_reason() - why the addresses of a region are not exact by arithmetic
 * @region: of the translator's host
 *
 * answer_reason_lacks_data() says of its code whether something is only missing.
 *
 * Return: the reason, with REASON_NONE when they are exact; it lives as long as the translator.
 * NULL when the region is not of this host.
 */
const struct reason *translator_region_reason(const struct translator *t,
					      const struct region *region);

/*
 * translator_kernel_errs() - whether the hpa that Linux 7.x reports for addresses of a region is
 * known to be another device's, at least for some of them
 *
 * It computes hpa from positions: where decoders route in another order (REGION_ROUTING_DIFFERS),
 * or where XOR maps contain each other's target bits, the result is wrong.
 */
bool translator_kernel_errs(const struct translator *t, const struct region *region);

/*
 * translator_kernel_is_right() - whether the hpa of Linux 7.x for addresses of a region is known to
 * be right
 *
 * False also where anything that this depends on is not known. Of Normalized addressing Linux gives
 * no hpa, and so none that is wrong.
 */
bool translator_kernel_is_right(const struct translator *t, const struct region *region);

/*
 * translator_usual_source() - the source that in general translates the DPAs of an endpoint decoder
 * @memdev: the device of the decoder
 * @endpoint_decoder: of the translator's host
 *
 * Recorded pairs are not considered, because each holds for one 256-byte chunk only. A single
 * address may get its answer from a lower provider than this, for example when firmware returns
 * an error for it. Never waits for firmware.
 *
 * Return: SOURCE_PRM, SOURCE_EMULATED, SOURCE_DECODER or SOURCE_ESTIMATE; SOURCE_NONE when no
 * provider translates the addresses of this decoder.
 */
enum answer_source translator_usual_source(const struct translator *t, const struct memdev *memdev,
					   const struct decoder *endpoint_decoder);

#endif
