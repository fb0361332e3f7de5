// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Look-ups of addresses of a captured host, in both directions: bench_lookup DIRECTORY|ARCHIVE
 *
 * Prints "dpa N ns, spa N ns, N exact": of one address that a decoder maps, in the fastest round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "capture/captured_host.h"
#include "prm/translate.h"

enum { ADDRESSES = 4096, ROUNDS = 40 };

static struct place {
	const struct memdev *memdev;
	uint64_t dpa, spa;
} places[ADDRESSES];

static double now_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static void check(int r)
{
	if (r < 0)
		exit(EXIT_FAILURE);
}

/* Spreads the addresses over all mapped decoders. */
static size_t choose(const struct host *host)
{
	size_t n = 0;

	for (uint64_t step = 0; n < ADDRESSES && step < ADDRESSES; step++)
		for (size_t i = 0; i < host->n_decoders && n < ADDRESSES; i++) {
			const struct decoder *d = host->decoders[i];

			if (d->port->memdev && d->dpa_resource.present && d->dpa_size.value > 0)
				places[n++] = (struct place){
					.memdev = d->port->memdev,
					.dpa = d->dpa_resource.value +
					       step * 4160 % d->dpa_size.value,
				};
		}
	return n;
}

static double time_round(const struct translator *t, size_t n, bool backwards, size_t *ret_exact)
{
	struct answers out = {0};
	size_t exact = 0;
	double start = now_ns(), end;

	for (size_t i = 0; i < n; i++) {
		struct place *p = &places[i];

		out.n = 0;
		check(backwards ? translate_spa(t, p->spa, p->spa, &out)
				: translate_dpa(t, p->memdev, p->dpa, p->dpa, &out));
		exact += out.items[0].exact;
		p->spa = out.items[0].spa;
	}
	end = now_ns();
	answers_done(&out);
	*ret_exact = exact;
	return (end - start) / (double)n;
}

int main(int argc, char **argv)
{
	double best[2] = {1e12, 1e12};
	const struct host *host;
	struct host_root *root;
	struct translator *t;
	size_t n, exact = 0;
	struct error e;

	if (argc != 2)
		return 2;
	check(host_root_open(argv[1], &root, &e));
	check(host_read(root, &host, &e));
	check(translator_new(host, NULL, &t, &e));
	n = choose(host);
	for (int i = 0; i < 2 * ROUNDS && n > 0; i++) {
		double ns = time_round(t, n, i % 2, &exact);

		best[i % 2] = ns < best[i % 2] ? ns : best[i % 2];
	}
	printf("dpa %.1f ns, spa %.1f ns, %zu exact\n", best[0], best[1], exact);
	return EXIT_SUCCESS;
}
