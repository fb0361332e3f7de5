/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_RAW_LAYOUTS_H
#define CXLR_MAILBOX_RAW_LAYOUTS_H

/*
 * Payloads of the commands that are sent only on request, most of them as raw ones
 * (memdev_ioctl.h): the QoS control of a device with one logical device, and the scan of its media.
 *
 * Outputs are untrusted: a field is read only when the payload has it, reserved bits are not used,
 * and a range that is not possible is recognized. Plain data and pure functions.
 *
 * Sources: CXL 3.2 8.2.10.9.4.4 to 8.2.10.9.4.6 (4303h to 4305h), 8.2.10.9.8 (4700h, 4701h).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Get and Set SLD QoS Control --------------------------------------------------------------
 */

enum { SLD_QOS_BYTES = 4 };

struct sld_qos {
	uint8_t egress_port_congestion;		 /* 1: enabled */
	uint8_t temporary_throughput_reduction;	 /* 1: enabled */
	uint8_t egress_moderate, egress_severe;	 /* percent */
	uint8_t backpressure_sample_interval_ns; /* at most 15; 0: no samples */
};

/* Return: 0; -EMSGSIZE: the payload is too short. */
int sld_qos_decode(const uint8_t *data, size_t len, struct sld_qos *ret);

/* Reserved bits are 0. */
void sld_qos_encode(const struct sld_qos *qos, uint8_t ret[static SLD_QOS_BYTES]);

/* ---- Scan Media -------------------------------------------------------------------------------
 */

enum {
	MEDIA_UNIT = 64, /* bytes: addresses and lengths are multiples of it */
	MEDIA_RANGE_BYTES = 16,
	SCAN_MEDIA_BYTES = MEDIA_RANGE_BYTES + 1,
	SCAN_ESTIMATE_BYTES = 4,
	SCAN_RESULTS_BYTES = 32, /* of Get Scan Media Results, before its records */
	SCAN_RECORD_BYTES = 16,
};

/* Device physical addresses; both numbers are multiples of MEDIA_UNIT. */
struct media_range {
	uint64_t address, length;
};

/* The input of Get Scan Media Capabilities (4303h), and of Scan Media (4304h). */
void media_range_encode(const struct media_range *range, uint8_t ret[static MEDIA_RANGE_BYTES]);
void scan_media_encode(const struct media_range *range, bool no_event_log,
		       uint8_t ret[static SCAN_MEDIA_BYTES]);

/*
 * scan_estimate_decode() - the output of Get Scan Media Capabilities
 * @ret_ms: how long the device expects to scan the range; 0: it does not know
 *
 * Return: 0; -EMSGSIZE: the payload is too short.
 */
int scan_estimate_decode(const uint8_t *data, size_t len, uint32_t *ret_ms);

/* The output of Get Scan Media Results (4305h), one of several. */
struct scan_results {
	bool more;    /* another output has further records */
	bool stopped; /* the scan has, before its end: it is to be started again at `restart` */
	struct media_range restart;
	size_t n;     /* records that are in the payload */
	size_t n_cut; /* further ones that it announces, and does not have */
	const uint8_t *records;
};

/* @ret: refers to @data. Return: 0; -EMSGSIZE: the payload is too short. */
int scan_results_decode(const uint8_t *data, size_t len, struct scan_results *ret);

/* Poison that a scan found. */
struct found_poison {
	struct media_range range;
	uint64_t source; /* as the event field of the same name */
};

/*
 * scan_record_decode() - the @i-th record, below results->n
 * @scanned: a valid range; what is beyond it is cut off
 *
 * Return: whether it is of any of that memory.
 */
bool scan_record_decode(const struct scan_results *results, size_t i,
			const struct media_range *scanned, struct found_poison *ret);

/* Return: whether a range that another process reports is one: in units, not empty, with an end. */
bool media_range_is_valid(const struct media_range *range);

#endif
