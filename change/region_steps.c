// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The steps of a region's life, as Documentation/driver-api/cxl of Linux and cxl create-region have
 * them: each writes one attribute of the region, of its window or of an endpoint decoder.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change/dax_wait.h"
#include "change/region_objects.h"
#include "common/cleanup.h"
#include "common/strutil.h"

enum { ATTRIBUTE_MAX = 256 };

/* Functions of libcxl that return a pointer leave the reason in errno, or nothing. */
static int last_error(void)
{
	return errno ? -errno : -EIO;
}

static enum cxl_decoder_mode mode_of(enum decoder_mode mode)
{
	return mode == DECODER_MODE_PMEM ? CXL_DECODER_MODE_PMEM : CXL_DECODER_MODE_RAM;
}

/* ---- making and deleting ----------------------------------------------------------------------
 */

static struct cxl_region *create_by_libcxl(struct region_objects *o,
					   struct cxl_region *(*create)(struct cxl_decoder *window))
{
	struct cxl_decoder *window = region_objects_decoder(o, o->window);

	if (!window)
		errno = ENODEV;
	return window ? create(window) : NULL;
}

#if HAVE_CXL_DECODER_CREATE_RAM_REGION
static struct cxl_region *create_ram_region(struct region_objects *o)
{
	return create_by_libcxl(o, cxl_decoder_create_ram_region);
}
#else
static bool is_region_name(const char *name)
{
	const char *number = str_after_prefix(name, "region");

	return number && *number && strspn(number, "0123456789") == strlen(number) &&
	       strlen(name) < CHANGE_NAME_MAX;
}

static int write_window(const struct region_objects *o, const char *attribute, const char *value)
{
	char path[ATTRIBUTE_MAX];

	(void)snprintf(path, sizeof(path), "/sys/bus/cxl/devices/%s/%s", o->window, attribute);
	return change_write(o->x->root, path, value);
}

/*
 * Does the same as libcxl since 77: the attribute has the name of the next region, which is made by
 * writing that name to it. libcxl 76 reads the regions of a window together with the window, so
 * the window is looked up only after that, or anew: that takes libcxl as long as all else here.
 */
static struct cxl_region *create_ram_region(struct region_objects *o)
{
	_cleanup_free_ char *name = NULL;
	char path[ATTRIBUTE_MAX];
	int r;

	(void)snprintf(path, sizeof(path), "sys/bus/cxl/devices/%s/create_ram_region", o->window);
	r = host_root_read(o->x->root, path, ATTRIBUTE_MAX, &name, NULL);
	if (r == 0 && !is_region_name(str_chomp(name)))
		r = -EPROTO;
	if (r == 0)
		r = write_window(o, "create_ram_region", name);
	if (r == 0) {
		region_objects_forget(o);
		r = region_objects_region(o, name);
		if (r < 0)
			(void)write_window(o, "delete_region", name);
	}
	errno = -r;
	return r == 0 ? o->region : NULL;
}
#endif

static int make_region(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;

	(void)position;
	errno = 0;
	o->region = o->mode == DECODER_MODE_PMEM
			    ? create_by_libcxl(o, cxl_decoder_create_pmem_region)
			    : create_ram_region(o);
	if (!o->region)
		return last_error();
	(void)snprintf(o->name, sizeof(o->name), "%s", cxl_region_get_devname(o->region));
	return 0;
}

static int delete_region(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;
	int r = cxl_region_delete(o->region);

	(void)position;
	if (r == 0)
		o->region = NULL; /* freed */
	return r;
}

const struct change_step region_step_create = {"create_region", make_region, delete_region};
const struct change_step region_step_delete = {"delete_region", delete_region, .final = true};

/* ---- attributes of the region -----------------------------------------------------------------
 */

static int set_uuid(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;

	(void)position;
	return cxl_region_set_uuid(o->region, o->uuid);
}

static int set_granularity(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;

	(void)position;
	return cxl_region_set_interleave_granularity(o->region, o->granularity);
}

static int set_ways(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;

	(void)position;
	return cxl_region_set_interleave_ways(o->region, o->ways);
}

static int set_size(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;

	(void)position;
	return cxl_region_set_size(o->region, o->size);
}

/* These go with the region. */
const struct change_step region_step_uuid = {"uuid", set_uuid};
const struct change_step region_step_granularity = {"interleave_granularity", set_granularity};
const struct change_step region_step_ways = {"interleave_ways", set_ways};
const struct change_step region_step_size = {"size", set_size};

/* ---- of the decoders --------------------------------------------------------------------------
 */

static int set_dpa_size(struct region_objects *o, const char *name, uint64_t size)
{
	struct cxl_decoder *decoder = region_objects_decoder(o, name);

	return decoder ? cxl_decoder_set_dpa_size(decoder, size) : -ENODEV;
}

static int release_dpa(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;

	return set_dpa_size(o, o->releases[position], 0);
}

static int set_mode(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;
	struct cxl_decoder *decoder = region_objects_decoder(o, o->decoders[position]);

	return decoder ? cxl_decoder_set_mode(decoder, mode_of(o->mode)) : -ENODEV;
}

static int allocate_dpa(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;

	return set_dpa_size(o, o->decoders[position], o->share);
}

static int free_dpa(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;

	return set_dpa_size(o, o->decoders[position], 0);
}

static int attach_decoder(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;
	struct cxl_decoder *decoder = region_objects_decoder(o, o->decoders[position]);

	return decoder ? cxl_region_set_target(o->region, (int)position, decoder) : -ENODEV;
}

static int detach_decoder(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;

	return cxl_region_clear_target(o->region, (int)position);
}

/* Releases DPA that belonged to a change that has ended. */
const struct change_step region_step_release = {"dpa_size", release_dpa};
/* Without memory a decoder's mode has no effect, and the kernel does not accept "none". */
const struct change_step region_step_mode = {"mode", set_mode};
const struct change_step region_step_allocate = {"dpa_size", allocate_dpa, free_dpa};
const struct change_step region_step_attach = {"target", attach_decoder, detach_decoder};
const struct change_step region_step_detach = {"target", detach_decoder, .final = true};
const struct change_step region_step_free = {"dpa_size", free_dpa, .final = true};

/* ---- in use -----------------------------------------------------------------------------------
 */

static int commit_region(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;
	int r = cxl_region_decode_commit(o->region);

	(void)position;
	return r == 0 && cxl_region_decode_is_committed(o->region) != 1 ? -EIO : r;
}

static int reset_region(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;
	int r = cxl_region_decode_reset(o->region);

	(void)position;
	return r == 0 && cxl_region_decode_is_committed(o->region) != 0 ? -EIO : r;
}

static int enable_region(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;
	int r = cxl_region_enable(o->region);

	(void)position;
	if (r == 0 && cxl_region_is_enabled(o->region) != 1)
		r = -EIO;
	/* Without the device the region is enabled all the same. */
	if (r == 0)
		(void)dax_wait(o->x, cxl_region_get_devname(o->region), DAX_WAIT_MS);
	return r;
}

static int disable_region(void *userdata, unsigned int position)
{
	struct region_objects *o = userdata;
	int r = cxl_region_disable(o->region);

	(void)position;
	return r == 0 && cxl_region_is_enabled(o->region) != 0 ? -EIO : r;
}

const struct change_step region_step_commit = {"commit", commit_region, reset_region};
/* Always the last one: its memory may be in use at once, so it is never undone here. */
const struct change_step region_step_enable = {"driver", enable_region};
const struct change_step region_step_disable = {"driver", disable_region, enable_region};
const struct change_step region_step_reset = {"commit", reset_region, commit_region};
