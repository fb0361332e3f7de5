// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Why the kernel does not accept a write, in words for those who run the machine. The same errno of
 * different attributes has different causes (drivers/cxl/core/region.c, hdm.c).
 */
#include <errno.h>
#include <string.h>

#include "change/region_objects.h"
#include "common/array.h"

static const struct {
	const struct change_step *step;
	int error;
	const char *reason;
} reasons[] = {
	{&region_step_create, -EBUSY,
	 "another program made a region at the same time; repeat the request"},
	{&region_step_create, -ENOENT, "this kernel makes no regions of this kind in this window"},
	{&region_step_uuid, -EBUSY, "another region has this UUID"},
	{&region_step_granularity, -EINVAL,
	 "Linux accepts powers of two from 256 to 16384, and in a window that is interleaved over several host bridges only the granularity of the window"},
	{&region_step_ways, -EINVAL,
	 "Linux accepts 1, 2, 3, 4, 6, 8, 12 and 16 devices, and multiples of the number of host bridges that the window is interleaved over"},
	{&region_step_size, -EINVAL, "the size is a multiple of 256 MiB for each device"},
	{&region_step_size, -ENOMEM, "the window has no free range of this size"},
	{&region_step_size, -ERANGE, "the window has no free range of this size"},
	{&region_step_size, -ENOSPC, "the window has no free range of this size"},
	{&region_step_size, -EBUSY, "the window has no free range of this size"},
	{&region_step_mode, -EBUSY, "the decoder has been taken by another program"},
	{&region_step_mode, -ENXIO, "the device has no memory of this kind"},
	{&region_step_mode, -EINVAL, "the device has no memory of this kind"},
	{&region_step_allocate, -ENOSPC, "the device has less free memory of this kind"},
	{&region_step_allocate, -EBUSY,
	 "Linux gives memory to the decoders of a device in their order, and an earlier one has none, or this one has been taken by another program"},
	{&region_step_attach, -ENXIO,
	 "accesses of this position are not routed to this device: the order of the devices has to follow that of the window's host bridges"},
	{&region_step_attach, -EINVAL,
	 "the device does not fit to the others of the region: its share, its position or its path"},
	{&region_step_attach, -EBUSY,
	 "the device, its decoder or one of a port above it is part of another region"},
	{&region_step_mode, -ENODEV, "the device has been removed or disabled"},
	{&region_step_allocate, -ENODEV, "the device has been removed or disabled"},
	{&region_step_attach, -ENODEV, "the device has been removed or disabled"},
	{&region_step_detach, -ENODEV, "the device has been removed or disabled"},
	{&region_step_free, -ENODEV, "the device has been removed or disabled"},
	{&region_step_commit, -ENXIO,
	 "Linux does not use new memory without invalidating the CPU caches, which is not possible in a virtual machine whose processors have the hypervisor bit; or a device of the region has been removed"},
	{&region_step_commit, -EBUSY,
	 "decoders are committed in their order, and an earlier one of a device or port is not"},
	{&region_step_commit, -ETIMEDOUT, "a decoder of a device or port did not commit in time"},
	{&region_step_enable, -ENXIO,
	 "the driver cxl_region does not accept it; the kernel log (dmesg) has its reason"},
	{&region_step_enable, -ENODEV, "the driver cxl_region is not loaded"},
	{&region_step_enable, -EBUSY, "its addresses are in use, see /proc/iomem"},
	{&region_step_free, -EBUSY,
	 "Linux releases the memory of a device's decoders in the reverse of their order, and a later one has some"},
	{&region_step_release, -EBUSY,
	 "Linux releases the memory of a device's decoders in the reverse of their order, and a later one has some"},
};

const char *region_step_reason(const struct change_step *step, int error)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (reasons[i].step == step && reasons[i].error == error)
			return reasons[i].reason;
	return NULL;
}

static bool is_of_decoder(const struct change_step *s)
{
	return s == &region_step_mode || s == &region_step_allocate || s == &region_step_free;
}

enum { STEP_TEXT_MAX = 96 };

/* "commit of region3", "dpa_size of decoder4.0 (mem1, position 1)" */
static void name_step(const struct region_objects *o, const struct change_step_at *at,
		      char ret[static STEP_TEXT_MAX])
{
	const struct change_step *s = at->step;
	const unsigned int n = at->position;

	if (s == &region_step_create)
		(void)snprintf(ret, STEP_TEXT_MAX, "create_%s_region of %s",
			       decoder_mode_name(o->mode), o->window);
	else if (s == &region_step_release)
		(void)snprintf(ret, STEP_TEXT_MAX, "dpa_size of %s", o->releases[n]);
	else if (is_of_decoder(s))
		(void)snprintf(ret, STEP_TEXT_MAX, "%s of %s (%s, position %u)", s->what,
			       o->decoders[n], o->memdevs[n], n);
	else if (s == &region_step_attach || s == &region_step_detach)
		(void)snprintf(ret, STEP_TEXT_MAX, "target%u of %s (%s of %s)", n, o->name,
			       o->decoders[n], o->memdevs[n]);
	else
		(void)snprintf(ret, STEP_TEXT_MAX, "%s of %s", s->what, o->name);
}

/* Describes the objects that a later request finds, and how they are removed. */
static void say_kept(const struct region_objects *o, const struct change_steps_result *s,
		     char *text, size_t size)
{
	char step[STEP_TEXT_MAX];

	name_step(o, s->kept, step);
	if (o->region && o->name[0] != '\0')
		(void)snprintf(
			text, size,
			"%s is left, not usable (%s%s%s); remove it by: cxl-spa region destroy %s",
			o->name, step, s->kept_error ? ": " : "",
			s->kept_error ? strerror(-s->kept_error) : "", o->name);
	else
		(void)snprintf(
			text, size,
			"%s cannot be undone (%s); the next region that is made of this device releases its memory",
			step, strerror(-s->kept_error));
}

int region_steps_say(const struct region_objects *o, const struct change_steps_result *s,
		     const char *intent, struct change_result *ret)
{
	const char *reason = region_step_reason(s->failed->step, s->error);
	char end[CHANGE_TEXT_MAX / 2] = "nothing was changed";
	char step[STEP_TEXT_MAX];

	name_step(o, s->failed, step);
	if (s->outcome == CHANGE_UNDONE)
		(void)snprintf(end, sizeof(end), "what was changed before is undone");
	else if (s->kept)
		say_kept(o, s, end, sizeof(end));
	if (s->error == -ECANCELED)
		return change_result_set(ret, s->error, s->outcome,
					 "%s: it was cancelled on request before %s; %s", intent,
					 step, end);
	return change_result_set(ret, s->error, s->outcome, "%s: %s: %s%s%s; %s", intent, step,
				 strerror(-s->error), reason ? ": " : "", reason ? reason : "",
				 end);
}
