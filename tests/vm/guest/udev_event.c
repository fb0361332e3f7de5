// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Announces that a memory block is online, where no udev does it:
//
//	udev_event memoryN
//
// Sends what systemd-udevd sends to its listeners after an "online" of the kernel (libsystemd/sd-device/device-monitor.c).
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/netlink.h>

enum { UDEV_GROUP = 2, PROPERTIES_MAX = 512 };

struct header {
	char prefix[8];
	unsigned int magic, header_size, properties_off, properties_len;
	unsigned int subsystem_hash, devtype_hash, tag_bloom_hi, tag_bloom_lo;
};

struct packet {
	struct header header;
	char properties[PROPERTIES_MAX];
};

static size_t describe(const char *block, char *ret)
{
	/* Each property ends with a NUL. */
	const int n = snprintf(ret, PROPERTIES_MAX,
			       "ACTION=online%cDEVPATH=/devices/system/memory/%s%cSUBSYSTEM=memory%cSEQNUM=1%c", 0,
			       block, 0, 0, 0);

	return n > 0 && n < PROPERTIES_MAX ? (size_t)n : 0;
}

int main(int argc, char **argv)
{
	const struct sockaddr_nl to = {.nl_family = AF_NETLINK, .nl_groups = UDEV_GROUP};
	struct packet p = {.header = {.prefix = "libudev",
				      .magic = htonl(0xfeedcafe),
				      .header_size = sizeof(p.header),
				      .properties_off = sizeof(p.header),
				      /* MurmurHash2 of "memory", by which listeners filter. */
				      .subsystem_hash = htonl(0x86e45acf)}};
	const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
	size_t length;

	if (argc != 2)
		return EXIT_FAILURE;
	p.header.properties_len = (unsigned int)describe(argv[1], p.properties);
	length = sizeof(p.header) + p.header.properties_len;
	if (fd < 0 || p.header.properties_len == 0 ||
	    sendto(fd, &p, length, 0, (const struct sockaddr *)&to, sizeof(to)) != (ssize_t)length) {
		perror("udev_event");
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
