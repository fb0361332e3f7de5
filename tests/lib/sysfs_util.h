/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_SYSFS_UTIL_H
#define CXLR_TESTS_LIB_SYSFS_UTIL_H

/*
 * For the suites about invalid hosts: the tree of a bundled host in a scratch directory, which is
 * changed and then entered. Each test is a process of its own, and enters one host.
 */

#include <stdbool.h>
#include <stddef.h>

#include "sysfs/host.h"
#include "tests/lib/capture_util.h"

/* normalized-7.3: mem0 is endpoint4, whose decoder4.0 is target 1 of region2. */
#define ROOT_PORT  "sys/devices/platform/ACPI0017:00/root0"
#define REGION1	   ROOT_PORT "/decoder0.1/region1"
#define REGION2	   ROOT_PORT "/decoder0.2/region2"
#define PORT1	   ROOT_PORT "/port1"
#define ENDPOINT4  PORT1 "/endpoint4"
#define DECODER4_0 ENDPOINT4 "/decoder4.0"
#define PCI_MEM0   "sys/devices/pci0000:de/0000:de:01.0/0000:e0:00.0"
#define MEM0	   PCI_MEM0 "/mem0"
#define DAX1	   REGION1 "/dax_region1/dax1.0"

extern int tree;		/* the directory of the host, before it is entered */
extern const struct host *host; /* after it was entered */

/* Fixtures: the tree of normalized-7.3, of another one, or one that is empty but for `sys`. */
void tree_setup(void);
void tree_setup_from(const char *bundled);
void tree_setup_empty(void);
void tree_teardown(void);

/* Replace or remove a file of the tree. */
void set(const char *path, const char *text);
void drop(const char *path);

/* Enter the tree and read the host; enter() fails the test when that fails. */
int read_host(struct error *e);
void enter(void);
void leave(void);

/* Return: whether a note begins with @name and contains @what. */
bool noted(const char *name, const char *what);

/* Return: how often @what is listed as denied. */
size_t count_denied(const char *what);

#endif
