// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The kernel's own lines about what it refused: a second witness, and the only one of what no
 * attribute shows.
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "model/refusal_private.h"

/* ---- lines by the names in them ---------------------------------------------------------------
 */

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
	const char *line = r->windows ? find_window_line(host) : r->kernel_line;

	if (!line && !r->windows)
		line = find_line(host, subject);
	for (size_t pass = 0; pass < 2 && !line && !r->windows; pass++)
		for (size_t i = 0; i < r->n && !line; i++)
			if ((r->levels[i].agrees == REFUSAL_DIFFERS) == (pass == 0))
				line = find_line(host, r->levels[i].object);
	return line;
}

/* ---- lines that are a refusal -----------------------------------------------------------------
 */

struct log_rule {
	const char *pattern; /* of fnmatch(3), for the text behind "DRIVER DEVICE: " */
	const char *expected;
	enum refusal_way_out way_out;
	const char *remedy;
};

#define UPDATE_DEVICE "update the firmware of the device, or ask its vendor"
#define RESET_DEVICE                                                                               \
	"switch the machine off and on, so that the device starts again, and update its firmware"
#define READ_BEFORE "look at the lines before it in the kernel's log for the reason"

/* cxl_pci makes no memory device (drivers/cxl/pci.c, core/regs.c). The last are less exact. */
static const struct log_rule function_rules[] = {
	{"registers not found:*",
	 "registers for status, mailbox and memory device, as each memory expander has them",
	 WAY_OUT_FIRMWARE,
	 "load an image with these registers into the device's FPGA, or use the driver of its vendor: cxl_pci drives no device without a mailbox"},
	{"Mailbox is too small*", "a mailbox of at least 256 bytes", WAY_OUT_FIRMWARE,
	 UPDATE_DEVICE},
	{"timeout awaiting mailbox ready*", "a mailbox that is ready within a minute",
	 WAY_OUT_REBOOT, RESET_DEVICE},
	{"timeout awaiting mailbox idle*", "a mailbox that ends its command", WAY_OUT_REBOOT,
	 RESET_DEVICE},
	{"mailbox timeout*", "a mailbox that answers within two seconds", WAY_OUT_REBOOT,
	 RESET_DEVICE},
	{"FW still in control of Event Logs*",
	 "the interrupts of event logs, of which firmware gave it the control", WAY_OUT_FIRMWARE,
	 "ask the machine's vendor for firmware that releases the event logs, or keeps the control of CXL errors"},
	{"Failed to get interrupt for event*", "an interrupt (MSI, MSI-X) for event logs",
	 WAY_OUT_FIRMWARE, UPDATE_DEVICE},
	{"probe with driver cxl_pci failed*", "a memory device that its driver accepts",
	 WAY_OUT_NONE, READ_BEFORE},
};

/* cxl_mem and cxl_port make no endpoint (drivers/cxl/mem.c, core/pci.c, core/hdm.c). */
static const struct log_rule memdev_rules[] = {
	{"decoder*: Committed out of order*", "decoders that are committed in their order",
	 WAY_OUT_FIRMWARE, NULL},
	{"decoder*: Committed with zero size*", "a size other than 0 of each committed decoder",
	 WAY_OUT_FIRMWARE, NULL},
	{"decoder*: Invalid interleave*", "ways and granularity that CXL defines", WAY_OUT_FIRMWARE,
	 NULL},
	{"decoder*: Invalid resource range*", "addresses of a decoder below 2^64", WAY_OUT_FIRMWARE,
	 NULL},
	{"decoder*: invalid committed configuration*", "a size that is a multiple of the ways",
	 WAY_OUT_FIRMWARE, NULL},
	{"decoder*: Failed to reserve DPA range*",
	 "ranges of device addresses that ascend inside one partition", WAY_OUT_FIRMWARE, NULL},
	{"Range register decodes outside platform defined CXL ranges*",
	 "DVSEC ranges inside windows of the CEDT", WAY_OUT_FIRMWARE,
	 "ask the machine's vendor for firmware with DVSEC ranges in CXL windows"},
	{"Timeout awaiting memory *", "memory that is active within the time that the device names",
	 WAY_OUT_REBOOT, RESET_DEVICE},
	{"Media not active*", "memory that is active", WAY_OUT_REBOOT, RESET_DEVICE},
	{"Device DVSEC not present*", "the CXL DVSEC of a device, for CXL.mem", WAY_OUT_FIRMWARE,
	 UPDATE_DEVICE},
	{"No component registers*", "component registers, which have the decoders",
	 WAY_OUT_FIRMWARE, UPDATE_DEVICE},
	{"CXL port topology *", "ports with their driver from the root to the device", WAY_OUT_NONE,
	 "load cxl_acpi and cxl_port, then bind the device's driver again"},
	{"endpoint* failed probe*", "an endpoint that its driver cxl_port accepts", WAY_OUT_NONE,
	 READ_BEFORE},
};

/* Linux does not commit or enable a region (drivers/cxl/core/region.c). */
static const struct log_rule region_rules[] = {
	{"Failed to synchronize CPU cache state*",
	 "to flush the caches of the CPUs before it commits a region", WAY_OUT_NONE,
	 "map the memory on the physical machine: in a virtual one the CPUs do not offer that to Linux, and only a kernel for tests does without (CONFIG_CXL_REGION_INVALIDATION_TEST)"},
	{"mismatched CXL topologies detected*",
	 "devices that are all below restricted CXL hosts (CXL 1.1), or none", WAY_OUT_FIRMWARE,
	 NULL},
};

/* Return: the text behind "DRIVER NAME: ", or NULL when the line does not begin so. */
static const char *text_behind(const char *line, const char *name)
{
	const char *p = line + strcspn(line, " :");

	p = *p == ' ' ? str_after_prefix(p + 1, name) : NULL;
	return p ? str_after_prefix(p, ": ") : NULL;
}

/* Return: the last line of the device by the rule. */
static const char *find_by_rule(const struct host *host, const struct log_rule *rule,
				const char *name, const char **ret_text)
{
	for (size_t i = host->n_kernel_log; name && i-- > 0;) {
		*ret_text = text_behind(host->kernel_log[i].text, name);
		if (*ret_text && fnmatch(rule->pattern, *ret_text, 0) == 0)
			return host->kernel_log[i].text;
	}
	return NULL;
}

/* The level of @object by the first of the rules that a line of one of the names has. */
static void add_by_rules(struct refusal_builder *b, const char *object, const char *const *names,
			 size_t n_names, const struct log_rule *rules, size_t n_rules)
{
	char found[REFUSAL_TEXT], difference[3 * REFUSAL_TEXT];
	const char *text, *line = NULL;

	for (size_t i = 0; i < n_rules && !line; i++) {
		for (size_t k = 0; k < n_names && !line; k++)
			line = find_by_rule(b->host, &rules[i], names[k], &text);
		if (!line)
			continue;
		(void)snprintf(found, sizeof(found), "%s", text);
		for (size_t end = strlen(found); end > 0 && found[end - 1] == ' '; end--)
			found[end - 1] = '\0';
		(void)snprintf(difference, sizeof(difference),
			       "%s: Linux expects %s, and its log says: %s", object,
			       rules[i].expected, found);
		if (!b->out->first_difference) {
			b->out->kernel_line = line;
			b->out->way_out = rules[i].way_out;
			b->out->remedy = rules[i].remedy;
		}
		refusal_add(b, REFUSAL_DIFFERS, object, rules[i].expected, found, difference);
	}
}

void refusal_add_region_log(struct refusal_builder *b, const struct region *r)
{
	add_by_rules(b, r->name, &r->name, 1, region_rules, ARRAY_SIZE(region_rules));
}

void refusal_add_function_log(struct refusal_builder *b, const char *bdf)
{
	add_by_rules(b, bdf, &bdf, 1, function_rules, ARRAY_SIZE(function_rules));
}

/* Return: a builder for one level. */
static int begin(struct refusal_builder *b, const struct host *host, struct arena *arena,
		 struct refusal *ret)
{
	*ret = (struct refusal){0};
	*b = (struct refusal_builder){.host = host, .arena = arena, .out = ret, .size = 1};
	ret->levels = ARENA_ARRAY(arena, 1, struct refusal_level);
	return ret->levels ? 0 : -ENOMEM;
}

int refusal_of_function(const struct host *host, const char *bdf, struct arena *arena,
			struct refusal *ret)
{
	struct refusal_builder b;
	int r = begin(&b, host, arena, ret);

	if (r == 0)
		refusal_add_function_log(&b, bdf);
	return r < 0 || b.no_memory ? -ENOMEM : 0;
}

int refusal_of_memdev(const struct host *host, const struct memdev *m, struct arena *arena,
		      struct refusal *ret)
{
	static const struct log_rule failed = {.pattern = "endpoint* failed probe*"};
	const char *names[] = {m->name, m->bdf, NULL}, *text;
	char endpoint[32];
	struct refusal_builder b;
	int r = begin(&b, host, arena, ret);

	if (r < 0 || m->endpoint)
		return r;
	if (find_by_rule(host, &failed, m->name, &text)) {
		(void)snprintf(endpoint, sizeof(endpoint), "%.*s", (int)strcspn(text, " "), text);
		names[2] = endpoint;
	}
	add_by_rules(&b, m->name, names, ARRAY_SIZE(names), memdev_rules, ARRAY_SIZE(memdev_rules));
	return b.no_memory ? -ENOMEM : 0;
}

/* ---- functions that only the log names --------------------------------------------------------
 */

/* Return: the name of the PCI function in a line of cxl_pci, "" when it is none. */
static void read_function(const char *line, char bdf[static REFUSAL_TEXT])
{
	const char *p = str_after_prefix(line, "cxl_pci ");
	const char *end = p ? strstr(p, ": ") : NULL;
	const size_t n = end ? (size_t)(end - p) : 0;

	bdf[0] = '\0';
	if (n >= strlen("0000:00:00.0") && n < 32 && strspn(p, "0123456789abcdef:.") >= n)
		(void)snprintf(bdf, REFUSAL_TEXT, "%.*s", (int)n, p);
}

static bool is_refusing(const char *line, const char *bdf)
{
	const char *text = text_behind(line, bdf);

	for (size_t i = 0; text && i < ARRAY_SIZE(function_rules); i++)
		if (fnmatch(function_rules[i].pattern, text, 0) == 0)
			return true;
	return false;
}

static bool has_memdev(const struct host *host, const char *bdf)
{
	for (size_t i = 0; i < host->n_memdevs; i++)
		if (str_equal(host->memdevs[i]->bdf, bdf))
			return true;
	return false;
}

bool refusal_next_function(const struct host *host, size_t *at, char bdf[static REFUSAL_BDF_MAX])
{
	for (; *at < host->n_kernel_log; (*at)++) {
		const char *line = host->kernel_log[*at].text;
		char name[REFUSAL_TEXT];
		bool again = false;

		read_function(line, name);
		if (!name[0] || !is_refusing(line, name) || has_memdev(host, name))
			continue;
		for (size_t i = 0; i < *at && !again; i++)
			again = is_refusing(host->kernel_log[i].text, name);
		if (again)
			continue;
		(void)snprintf(bdf, REFUSAL_BDF_MAX, "%.*s", REFUSAL_BDF_MAX - 1, name);
		(*at)++;
		return true;
	}
	return false;
}
