// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/firmware_slot.h"

struct opt_u64 firmware_next_slot(const struct mailbox *m)
{
	if (!m->slots.present || !m->active_slot.present || m->slots.value < 2)
		return (struct opt_u64){0};
	return OPT_U64(m->active_slot.value % m->slots.value + 1);
}
