// SPDX-License-Identifier: LGPL-2.1-or-later
/* PCI functions: memory devices, switch ports and the ports above them. */
#include "sysfs/host_private.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#define FIELD(attr, type, member)                                                                  \
	{                                                                                          \
		attr, type, offsetof(struct pci_function, member)                                  \
	}

static const struct attr_field pci_fields[] = {
	FIELD("vendor", ATTR_U64, vendor),
	FIELD("device", ATTR_U64, device),
	FIELD("subsystem_vendor", ATTR_U64, subsystem_vendor),
	FIELD("subsystem_device", ATTR_U64, subsystem_device),
	FIELD("revision", ATTR_U64, revision),
	FIELD("class", ATTR_U64, class_code),
	FIELD("numa_node", ATTR_INT, numa_node),
	FIELD("current_link_speed", ATTR_TEXT, current_link_speed),
	FIELD("max_link_speed", ATTR_TEXT, max_link_speed),
	FIELD("current_link_width", ATTR_LANES, current_link_width),
	FIELD("max_link_width", ATTR_LANES, max_link_width),
};

/* Domain, bus, device, function: "0000:0d:00.0"; the domain may have more digits (VMD). */
static bool pci_is_bdf(const char *name)
{
	size_t domain = strspn(name, "0123456789abcdef");
	const char *p = name + domain;

	return domain >= 4 && domain <= 8 && strlen(p) == strlen(":0d:00.0") && p[0] == ':' &&
	       isxdigit((unsigned char)p[1]) && isxdigit((unsigned char)p[2]) && p[3] == ':' &&
	       isxdigit((unsigned char)p[4]) && isxdigit((unsigned char)p[5]) && p[6] == '.' &&
	       p[7] >= '0' && p[7] <= '7';
}

/* The kernel prints "Unknown" for a link that is down or whose speed it does not know. */
static void drop_unknown(const char **speed)
{
	if (*speed && str_after_prefix(*speed, "Unknown"))
		*speed = NULL;
}

int build_pci(struct build *b, int fd, const char *name, const struct pci_function **ret)
{
	struct pci_function *pci;

	*ret = NULL;
	if (fd < 0 || !pci_is_bdf(name))
		return 0;
	pci = ARENA_NEW(b->arena, struct pci_function);
	if (!pci)
		return -ENOMEM;
	pci->bdf = build_name(b, name);
	if (!pci->bdf)
		return -ENOMEM;
	attr_read_all(&(struct attr_dir){fd, "PCI function", pci->bdf, &b->notes}, pci_fields,
		      ARRAY_SIZE(pci_fields), pci);
	drop_unknown(&pci->current_link_speed);
	drop_unknown(&pci->max_link_speed);
	build_config(fd, &pci->config);
	*ret = pci;
	return 0;
}
