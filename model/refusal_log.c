// SPDX-License-Identifier: LGPL-2.1-or-later
/* The kernel's own line about what it refused: a second witness. */
#include <ctype.h>
#include <string.h>

#include "common/strutil.h"
#include "model/refusal.h"

/* Whether @word stands in the text, and not as a part of a longer name. */
static bool has_word(const char *text, const char *word)
{
	const size_t n = strlen(word);

	for (const char *at = text; n && (at = strstr(at, word)); at += n) {
		const bool begins = at == text || !isalnum((unsigned char)at[-1]);

		if (begins && !isalnum((unsigned char)at[n]) &&
		    !(at[n] == '.' && isdigit((unsigned char)at[n + 1])))
			return true;
	}
	return false;
}

static const char *find_line(const struct host *host, const char *word)
{
	for (size_t i = 0; i < host->n_kernel_log; i++)
		if (has_word(host->kernel_log[i].text, word))
			return host->kernel_log[i].text;
	return NULL;
}

/* The words that Linux has for a refused window, in drivers/cxl/acpi.c. */
static const char *find_window_line(const struct host *host)
{
	const char *line = find_line(host, "CFMWS");

	return line ? line : find_line(host, "decode range");
}

const char *refusal_kernel_says(const struct host *host, const struct refusal *r,
				const char *subject)
{
	const char *line = r->windows ? find_window_line(host) : find_line(host, subject);

	for (size_t pass = 0; pass < 2 && !line && !r->windows; pass++)
		for (size_t i = 0; i < r->n && !line; i++)
			if ((r->levels[i].agrees == REFUSAL_DIFFERS) == (pass == 0))
				line = find_line(host, r->levels[i].object);
	return line;
}
