// SPDX-License-Identifier: LGPL-2.1-or-later
//
// An hour without collector, by the service's own delays and a clock that is a number:
// bench_outage SERVICES
#include <stdio.h>
#include <stdlib.h>

#include "common/log.h"
#include "tests/lib/outage.h"

int main(int argc, char **argv)
{
	const unsigned long n = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	struct outage o;

	if (n < 1 || n > 10000000) {
		(void)fputs("usage: bench_outage SERVICES\n", stderr);
		return EXIT_FAILURE;
	}
	/* Each of them would say that its collector is away. */
	log_setup("bench_outage", LOG_LEVEL_ERR);
	outage_run((unsigned int)n, OUTAGE_HOUR_S, &o);
	(void)printf("attempts/s %.1f most %u back most %u/s half %u s all %u s start most %u/s\n",
		     o.attempts_mean, o.attempts_max, o.back_max, o.back_s[0], o.back_s[1],
		     outage_start((unsigned int)n, 60));
	return EXIT_SUCCESS;
}
