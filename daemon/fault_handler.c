// SPDX-License-Identifier: LGPL-2.1-or-later
//
// All of it but the installation runs in a signal handler: only functions of signal-safety(7).
#include "daemon/fault_handler.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAPS_LINE_MAX = 4096 + 128, MAPS_CHUNK = 1024 };

static bool to_journal;

/* A line of /proc/self/maps: "START-END PERMISSIONS OFFSET DEVICE INODE   /PATH" */
struct maps_line {
	char text[MAPS_LINE_MAX];
	size_t n;
};

static uintptr_t parse_hex(const char **at)
{
	uintptr_t value = 0;

	for (;; (*at)++) {
		if (**at >= '0' && **at <= '9')
			value = value << 4 | (uintptr_t)(**at - '0');
		else if (**at >= 'a' && **at <= 'f')
			value = value << 4 | (uintptr_t)(**at - 'a' + 10);
		else
			return value;
	}
}

/* Return: the path, when the mapping has the address and is one of a file; NULL otherwise. */
static const char *path_of(const struct maps_line *line, uintptr_t address)
{
	const char *at = line->text;
	uintptr_t first = parse_hex(&at), end;

	if (*at++ != '-')
		return NULL;
	end = parse_hex(&at);
	return address >= first && address < end ? strchr(at, '/') : NULL;
}

/* Return: the path of the file that is mapped at the address; "a mapped file" if unknown. */
static const char *find_mapping(uintptr_t address, struct maps_line *line)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	const char *path = NULL;
	char chunk[MAPS_CHUNK];
	ssize_t n = 0;

	line->n = 0;
	while (!path && fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0) {
		for (ssize_t i = 0; i < n && !path; i++) {
			if (chunk[i] != '\n') {
				if (line->n < MAPS_LINE_MAX - 1)
					line->text[line->n++] = chunk[i];
				continue;
			}
			line->text[line->n] = '\0';
			line->n = 0;
			path = path_of(line, address);
		}
	}
	if (fd >= 0)
		(void)close(fd);
	return path ? path : "a mapped file";
}

static void put(const char *text)
{
	(void)!write(STDERR_FILENO, text, strlen(text));
}

/* The handler is reset: the access is repeated after the return, and ends the process. */
static void on_bus_error(int number, siginfo_t *info, void *context)
{
	static struct maps_line line;
	const char *path = find_mapping((uintptr_t)info->si_addr, &line);

	(void)number;
	(void)context;
	put(to_journal ? "<2>" : "cxl-redfishd: ");
	put(path);
	put(" was truncated by another program, or its disk failed, while it was in use; the service ends by SIGBUS\n");
}

void fault_handler_install(void)
{
	struct sigaction action = {.sa_sigaction = on_bus_error,
				   .sa_flags = SA_SIGINFO | (int)SA_RESETHAND};

	to_journal = getenv("JOURNAL_STREAM") != NULL;
	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGBUS, &action, NULL);
}
