// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Puts the system address into lines of the kernel's CXL trace events that have none, as a program
 * like rasdaemon would do it: fill-hpa [CAPTURED-HOST] <trace. Lines must be of this boot, since
 * they name devices by memN. Only an exact answer is put in.
 */
#include <cxlspa.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	static const char none[] = " hpa=ffffffffffffffff";
	struct cxlspa_answer a = {.size = sizeof(a)};
	char line[8192], name[32];
	struct cxlspa *c;
	uint64_t dpa;
	int r = cxlspa_open(argc > 1 ? argv[1] : NULL, &c);

	if (r < 0) {
		fprintf(stderr, "fill-hpa: %s\n", cxlspa_strerror(r));
		return 1;
	}
	while (fgets(line, sizeof(line), stdin)) {
		const char *m = strstr(line, " memdev="), *d = strstr(line, " dpa="),
			   *h = strstr(line, none);

		if (m && d && h && sscanf(m, " memdev=%31s", name) == 1 &&
		    sscanf(d, " dpa=%" SCNx64, &dpa) == 1 &&
		    cxlspa_dpa_to_spa(c, name, dpa, &a) == 0 && (a.flags & CXLSPA_EXACT))
			printf("%.*s hpa=%" PRIx64 "%s", (int)(h - line), line, a.spa,
			       h + strlen(none));
		else
			fputs(line, stdout);
	}
	cxlspa_close(c);
	return 0;
}
