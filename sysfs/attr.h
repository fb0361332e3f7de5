/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_ATTR_H
#define CXLR_SYSFS_ATTR_H

/*
 * Reader of sysfs attributes.
 *
 * libcxl 76 lacks some attributes, and for the others it does not distinguish a printed 0 from an
 * attribute that was missing or invalid (strtoull() returns 0 for all three). So attributes are
 * read here, strictly, by a table for each kind of object: one that is missing, unreadable, empty,
 * too long or invalid leaves its field absent. Missing permission and invalid values are noted.
 *
 * Private to sysfs/. Single-threaded; strings are allocated from the arena of the notes.
 */

#include <stddef.h>

#include "opener/opener.h"
#include "sysfs/read_notes.h"

/* sysfs prints at most a page. */
enum { ATTR_BYTES_MAX = 4096 };

/* A directory of sysfs whose attributes are read; all members stay the caller's. */
struct attr_dir {
	int fd;
	const char *kind; /* "decoder": what `denied` calls it */
	const char *name; /* "decoder3.0": what notes call it */
	struct read_notes *notes;
	struct opener *opener; /* for those that an ordinary user may not read; NULL: none */
};

enum attr_type {
	ATTR_U64,     /* struct opt_u64: decimal, or hexadecimal with 0x */
	ATTR_ADDRESS, /* struct opt_u64: likewise; all-ones and -1 mean "none" */
	ATTR_LANES,   /* struct opt_u64: link width, 1..PCI_LANES_MAX; 0 and 255 mean "none" */
	ATTR_WAYS,    /* struct opt_u64: 1..INTERLEAVE_WAYS_MAX */
	ATTR_INT,     /* struct opt_int: NUMA node or QoS class; negative means "none" */
	ATTR_BOOL,    /* struct opt_bool: 0 or 1 */
	ATTR_TEXT,    /* const char *: printable ASCII, NULL when empty */
	ATTR_UUID,    /* const char *: 8-4-4-4-12; the nil UUID means "none" */
};

struct attr_field {
	const char *attr; /* relative to the directory, e.g. "ram/size" */
	enum attr_type type;
	size_t offset; /* of the member that holds it */
};

/*
 * attr_read() - read one attribute into its field
 * @object: the zeroed struct to which `field->offset` applies
 *
 * Return: 0 when the field is set; -ENODATA when the attribute means "none"; -EINVAL when it is
 * invalid; or the error of open or read. All are noted already, and may be ignored.
 */
int attr_read(const struct attr_dir *dir, const struct attr_field *field, void *object);

/* attr_read_all() - attr_read() for a whole table */
void attr_read_all(const struct attr_dir *dir, const struct attr_field *fields, size_t n,
		   void *object);

/*
 * attr_read_text() - the text of one attribute, for the few that are lists
 * @buf: at least ATTR_BYTES_MAX + 1 bytes; white space at the end is cut
 *
 * Return: as attr_read(); an empty text is 0.
 */
int attr_read_text(const struct attr_dir *dir, const char *attr, char *buf);

/* attr_uuid_is_valid() - whether @s has the form 8-4-4-4-12 */
bool attr_uuid_is_valid(const char *s);

/*
 * attr_open_dir() - a directory below @fd, for struct attr_dir
 * @fd: a directory, or AT_FDCWD
 *
 * Return: a descriptor for attr_read() only (O_PATH); -1 and errno.
 */
int attr_open_dir(int fd, const char *path);

/* attr_open_pci() - the same of a PCI function of this machine; @bdf: "0000:0d:00.0" */
int attr_open_pci(const char *bdf);

#endif
