// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/memdev_change.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/strutil.h"
#include "model/partitions.h"

/* ---- partitions -------------------------------------------------------------------------------
 */

/* Set Partition Info (CXL 3.2 8.2.10.9.2.2) has units of 256 MiB. */
enum { UNIT_SHIFT = 28, MIB_SHIFT = 20, MIB_TEXT_MAX = 32 };

/* With all digits, which size_text() rounds. */
static const char *mib_text(uint64_t bytes, char text[static MIB_TEXT_MAX])
{
	const bool is_mib = bytes % (1 << MIB_SHIFT) == 0;

	(void)snprintf(text, MIB_TEXT_MAX, "%" PRIu64 " %s", is_mib ? bytes >> MIB_SHIFT : bytes,
		       is_mib ? "MiB" : "bytes");
	return text;
}

int memdev_check_partitions(const struct mailbox *said, struct error *e)
{
	if (!said->total_size.present || !said->volatile_only_size.present ||
	    !said->persistent_only_size.present || !said->partition_alignment.present)
		return error_set(
			e, EIO,
			"its answer to Identify Memory Device has no valid capacities: which of them can be partitioned is not known");
	if (said->partition_doubt != PARTITION_CONSISTENT)
		return error_set(e, EIO, "%s", mailbox_partition_doubt_text(said->partition_doubt));
	if (said->partition_alignment.value == 0)
		return error_set(
			e, EOPNOTSUPP,
			"its capacity cannot be partitioned: none of it can be either volatile or persistent");
	return 0;
}

/* The capacity that can be either is a multiple of the alignment; the one that is only volatile
 * always is (8.2.10.9.1.1). */
int memdev_check_volatile_size(const struct mailbox *said, uint64_t volatile_bytes, struct error *e)
{
	const uint64_t least = said->volatile_only_size.value;
	const uint64_t total = said->total_size.value;
	const uint64_t most = total - said->persistent_only_size.value;
	const uint64_t alignment = said->partition_alignment.value;
	char size[MIB_TEXT_MAX], of[MIB_TEXT_MAX], from[MIB_TEXT_MAX], to[MIB_TEXT_MAX];

	(void)mib_text(volatile_bytes, size);
	(void)mib_text(least, from);
	if (volatile_bytes > total)
		return error_set(e, EINVAL, "%s is more than its capacity of %s", size,
				 mib_text(total, of));
	if (volatile_bytes < least || volatile_bytes > most)
		return error_set(
			e, EINVAL,
			"%s of volatile memory cannot be had: of %s, from %s to %s can be volatile",
			size, mib_text(total, of), from, mib_text(most, to));
	if ((volatile_bytes - least) % alignment != 0 ||
	    volatile_bytes % (UINT64_C(1) << UNIT_SHIFT) != 0)
		return error_set(
			e, EINVAL,
			"%s of volatile memory cannot be had: its capacity is partitioned in steps of %s from %s on",
			size, mib_text(alignment, of), from);
	return 0;
}

/* ---- alerts -----------------------------------------------------------------------------------
 */

const struct alert_range *alert_range(enum mailbox_alert_kind kind)
{
	static const struct alert_range ranges[MAILBOX_ALERTS] = {
		[ALERT_LIFE_USED] = {"life used", "percent", 0, 100},
		[ALERT_OVER_TEMPERATURE] = {"over-temperature", "degrees Celsius", INT16_MIN,
					    INT16_MAX},
		[ALERT_UNDER_TEMPERATURE] = {"under-temperature", "degrees Celsius", INT16_MIN,
					     INT16_MAX},
		[ALERT_CORRECTED_VOLATILE] = {"corrected volatile memory errors", "errors", 0,
					      UINT16_MAX},
		[ALERT_CORRECTED_PERSISTENT] = {"corrected persistent memory errors", "errors", 0,
						UINT16_MAX},
	};

	return &ranges[kind];
}

int memdev_check_alert(const struct mailbox *said, enum mailbox_alert_kind kind, struct error *e)
{
	if (!said->has_alerts)
		return error_set(e, EIO, "it has not reported an alert configuration");
	if (!said->alerts[kind].programmable)
		return error_set(
			e, EOPNOTSUPP,
			"the warning threshold of %s cannot be set: the device reports that it is not programmable",
			alert_range(kind)->name);
	return 0;
}

/* A warning beyond the critical threshold would come after it. */
int memdev_check_threshold(const struct mailbox *said, enum mailbox_alert_kind kind,
			   int64_t threshold, struct error *e)
{
	const struct alert_range *range = alert_range(kind);
	const struct opt_int critical = said->alerts[kind].critical;

	if (threshold < range->min || threshold > range->max)
		return error_set(e, EINVAL, "the threshold of %s can be from %d to %d %s",
				 range->name, range->min, range->max, range->unit);
	if (critical.present && (kind == ALERT_UNDER_TEMPERATURE ? threshold < critical.value
								 : threshold > critical.value))
		return error_set(e, EINVAL,
				 "a warning of %s at %" PRId64
				 " %s would come after the device's critical threshold of %d",
				 range->name, threshold, range->unit, critical.value);
	return 0;
}

/* ---- poison -----------------------------------------------------------------------------------
 */

int poison_check_lines(uint64_t dpa, uint64_t length, struct error *e)
{
	if (dpa % POISON_LINE != 0)
		return error_set(e, EINVAL,
				 "poison is of lines of %d bytes, and 0x%" PRIx64
				 " is not the start of one",
				 POISON_LINE, dpa);
	if (length == 0 || length % POISON_LINE != 0)
		return error_set(e, EINVAL,
				 "poison is of lines of %d bytes, and %" PRIu64
				 " is no multiple of it",
				 POISON_LINE, length);
	if (length > POISON_MAX)
		return error_set(
			e, EINVAL,
			"%" PRIu64
			" bytes are more than the %d that are changed at once; repeat it for parts",
			length, POISON_MAX);
	return 0;
}

static int check_capacity(const struct memdev *m, uint64_t dpa, uint64_t length, struct error *e)
{
	const struct opt_u64 capacity = memdev_dpa_end(m);

	if (m->n_named && memdev_capacity(m).present)
		return 0; /* the device refuses what it does not have */
	if (!capacity.present)
		return error_set(e, EIO, "its capacity is not known");
	if (length > capacity.value || dpa > capacity.value - length)
		return error_set(e, EINVAL,
				 "%" PRIu64 " bytes from DPA 0x%" PRIx64
				 " on are beyond its capacity of 0x%" PRIx64,
				 length, dpa, capacity.value);
	return 0;
}

int memdev_check_poison(const struct memdev *m, uint64_t dpa, uint64_t length, struct error *e)
{
	int r = poison_check_lines(dpa, length, e);

	return r < 0 ? r : check_capacity(m, dpa, length, e);
}

int memdev_check_scan(const struct memdev *m, const struct media_range *range, struct error *e)
{
	if (!media_range_is_valid(range))
		return error_set(
			e, EINVAL,
			"a scan begins at a multiple of %d bytes and has a length of one, and %" PRIu64
			" bytes from DPA 0x%" PRIx64 " on are none",
			MEDIA_UNIT, range->length, range->address);
	return check_capacity(m, range->address, range->length, e);
}

/* ---- security ---------------------------------------------------------------------------------
 */

static int check_set(const char *state, bool master, bool old_given, struct error *e)
{
	const bool disabled = str_equal(state, "disabled");

	/* CXL 3.2 8.2.10.9.6.2 */
	if (master && !disabled)
		return error_set(
			e, EPERM,
			"its security is %s, and a master passphrase is set only while there is no user passphrase; disable that first",
			state);
	/* Linux does not show whether there is a master passphrase. */
	if (!master && !disabled && !old_given)
		return error_set(
			e, EKEYREJECTED,
			"it has a passphrase, and the request does not contain it: give it as the old one");
	if (!master && disabled && old_given)
		return error_set(e, EINVAL,
				 "it has no passphrase, but the request contains an old one");
	return 0;
}

int memdev_check_passphrase(enum passphrase_change change, const char *state, bool master,
			    bool old_given, struct error *e)
{
	if (str_equal(state, "frozen"))
		return error_set(e, EPERM,
				 "its security state is frozen until the next reset of the device");
	if (str_equal(state, "sanitize"))
		return error_set(e, EBUSY,
				 "it is being overwritten; repeat it when that has ended");
	if (change == PASSPHRASE_UNLOCK && master)
		return error_set(e, EINVAL, "it is unlocked by its user passphrase only");
	if (change != PASSPHRASE_SET && !master && str_equal(state, "disabled"))
		return error_set(e, EINVAL, "its security is disabled: it has no passphrase%s",
				 change == PASSPHRASE_ERASE
					 ? "; without one in the request it is erased, too"
					 : "");
	if ((change == PASSPHRASE_SET || change == PASSPHRASE_DISABLE) &&
	    str_equal(state, "locked"))
		return error_set(e, EPERM, "its security is locked; unlock it first");
	return change == PASSPHRASE_SET ? check_set(state, master, old_given, e) : 0;
}

/* drivers/cxl/core/mbox.c, cxl_mem_sanitize(): only without a user passphrase. */
int memdev_check_erase(const char *state, struct error *e)
{
	if (str_equal(state, "sanitize"))
		return error_set(e, EBUSY,
				 "it is being overwritten already; repeat it when that has ended");
	if (!str_equal(state, "disabled"))
		return error_set(
			e, EPERM,
			"all of its memory is erased only without a passphrase, and its security state is %s; disable the passphrase first",
			state);
	return 0;
}
