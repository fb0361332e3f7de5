// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * In place of cxl-redfish-collect: "fake_collect misses" names things that it cannot read without
 * end, "fake_collect ERRNO" fails with that error.
 */
#include <stdlib.h>
#include <sys/socket.h>

#include "collect/protocol.h"
#include "common/helper.h"
#include "common/strutil.h"

int main(int argc, char **argv)
{
	struct collect_answer a = {.kind = COLLECT_MISSED, .error.text = "proc/iomem: it"};

	if (argc != 2)
		return EXIT_FAILURE;
	if (!str_equal(argv[1], "misses")) {
		a.kind = COLLECT_FAILED;
		a.error.code = atoi(argv[1]);
	}
	while (send(HELPER_FD, &a, sizeof(a), MSG_NOSIGNAL) == (ssize_t)sizeof(a) &&
	       a.kind == COLLECT_MISSED)
		;
	return EXIT_SUCCESS;
}
