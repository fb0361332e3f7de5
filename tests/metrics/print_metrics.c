// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints the table of docs/metrics.md from the families that the service writes. */
#include <stdio.h>
#include <string.h>

#include "daemon/metrics_scrape.h"

static void print_labels(const char *labels)
{
	for (; *labels; labels++)
		if (*labels == ',')
			(void)fputs(", ", stdout);
		else
			(void)putchar(*labels);
}

int main(void)
{
	const struct metric_family *f;

	(void)puts("| name | type | labels | meaning |\n|---|---|---|---|");
	for (size_t i = 0; (f = metric_family_at(i)); i++) {
		(void)printf("| `%s%s` | %s | ", f->name, metric_suffix(f->type),
			     metric_type_name(f->type, METRICS_OPENMETRICS));
		print_labels(f->labels);
		(void)printf(" | %s |\n", f->help);
	}
	return ferror(stdout) || fclose(stdout) != 0;
}
