// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/limits.h"

const struct http_limits http_limits_default = {
	.head_ms = 30 * 1000,
	.body_ms = 30 * 1000,
	.reply_ms = 60 * 1000,
	.stalled_ms = 30 * 1000,
	.crowded_ms = 2 * 1000,
	.crowd = 384,
	.kept_ms = 1000,
	.connections = HTTP_CONNECTIONS_MAX,
	.head_bytes = HTTP_HEAD_MAX,
};
