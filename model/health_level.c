// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/health_level.h"

const char *health_name(enum health_level level)
{
	static const char *const names[] = {
		[HEALTH_OK] = "OK",
		[HEALTH_WARNING] = "Warning",
		[HEALTH_CRITICAL] = "Critical",
	};

	return names[level];
}
