// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/reason.h"

static const char *const reason_names[ANSWER_REASONS] = {
	[REASON_RANGE] = "range",
	[REASON_ESTIMATED] = "estimated",
	[REASON_LINEAR_CACHE] = "extended-linear-cache",
	[REASON_BY_DECODERS] = "by-decoders",
	[REASON_NO_EXTENT] = "no-extent",
	[REASON_NO_CXL] = "no-cxl",
	[REASON_NO_WINDOW] = "no-window",
	[REASON_WINDOWS_UNKNOWN] = "windows-unknown",
	[REASON_NO_REGION] = "no-region",
	[REASON_NO_REGION_NORMALIZED] = "no-region-normalized",
	[REASON_NO_MEMDEV] = "no-memdev",
	[REASON_BEYOND_DEVICE] = "beyond-device",
	[REASON_NO_ENDPOINT] = "no-endpoint",
	[REASON_NO_DECODER] = "no-decoder",
	[REASON_DECODER_IDLE] = "decoder-not-committed",
	[REASON_DECODER_NO_REGION] = "decoder-without-region",
	[REASON_DECODER_NOT_LISTED] = "decoder-not-listed",
	[REASON_START_UNREADABLE] = "start-unreadable",
	[REASON_NOT_REACHED] = "not-reached",
	[REASON_NO_PROVIDER] = "no-provider",
	[REASON_DECODERS_OVERLAP] = "decoders-overlap",
	[REASON_REGIONS_OVERLAP] = "regions-overlap",
	[REASON_REGION_NO_RANGE] = "region-without-range",
	[REASON_REGION_UNKNOWN] = "region-unknown",
	[REASON_REGION_INCOMPLETE] = "region-incomplete",
	[REASON_REGION_NOT_COMMITTED] = "region-not-committed",
	[REASON_COMMIT_UNKNOWN] = "commit-unknown",
	[REASON_REGION_INCONSISTENT] = "region-inconsistent",
	[REASON_DECODER_RANGE] = "decoder-range",
	[REASON_DPA_MISALIGNED] = "dpa-misaligned",
	[REASON_INTERVAL_REFUTED] = "interval-refuted",
	[REASON_XORMAP_INVALID] = "xor-map-invalid",
	[REASON_NORMALIZED] = "normalized",
	[REASON_MAYBE_NORMALIZED] = "maybe-normalized",
	[REASON_WINDOW_UNKNOWN] = "window-unknown",
	[REASON_ARITHMETIC_UNKNOWN] = "arithmetic-unknown",
	[REASON_ARITHMETIC_UNDEFINED] = "arithmetic-undefined",
	[REASON_CEDT_CONTRADICTED] = "cedt-contradicted",
	[REASON_XORMAP_AMBIGUOUS] = "xor-map-not-one-to-one",
	[REASON_XORMAP_ORDER] = "xor-map-order",
	[REASON_DECODER_TARGETS] = "decoder-targets",
	[REASON_GEOMETRY_UNSUPPORTED] = "geometry-unsupported",
	[REASON_ROUTING_CONTRADICTED] = "routing-contradicted",
	[REASON_ROUTING_UNKNOWN] = "routing-unknown",
	[REASON_NOT_REVERSIBLE] = "not-reversible",
	[REASON_FIRMWARE_NOT_QUERIED] = "firmware-not-queried",
	[REASON_FIRMWARE_UNAVAILABLE] = "firmware-unavailable",
	[REASON_RATE_LIMITED] = "rate-limited",
	[REASON_FIRMWARE_TIMEOUT] = "firmware-timeout",
	[REASON_FIRMWARE_ERROR] = "firmware-error",
	[REASON_NO_PCI_ADDRESS] = "no-pci-address",
	[REASON_RECORDED_ERROR] = "recorded-error",
	[REASON_RECORDED_CHUNKS] = "recorded-chunks",
	[REASON_NOT_RECORDED] = "not-recorded",
	[REASON_TOO_MANY_ADDRESSES] = "too-many-addresses",
	[REASON_SPA_LOW_BITS] = "spa-low-bits",
	[REASON_SPA_SHARED] = "spa-shared",
	[REASON_SPA_NO_WINDOW] = "spa-in-no-window",
	[REASON_SPA_OUTSIDE_REGION] = "spa-outside-region",
	[REASON_SPA_OUTSIDE_BLOCK] = "spa-outside-block",
	[REASON_SPA_OTHER_REGION] = "spa-in-other-region",
	[REASON_SPA_NO_INTERLEAVE_SET] = "spa-no-interleave-set",
	[REASON_SPA_NOT_FOUND] = "spa-not-found",
};

const char *answer_reason_name(enum answer_reason reason)
{
	return reason_names[reason];
}

bool answer_reason_lacks_data(enum answer_reason reason)
{
	switch (reason) {
	case REASON_START_UNREADABLE:
	case REASON_MAYBE_NORMALIZED:
	case REASON_COMMIT_UNKNOWN:
	case REASON_WINDOWS_UNKNOWN:
	case REASON_WINDOW_UNKNOWN:
	case REASON_ARITHMETIC_UNKNOWN:
	case REASON_ROUTING_UNKNOWN:
		return true;
	default:
		return false;
	}
}
