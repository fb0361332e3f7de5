/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_LOGIN_PRIVATE_H
#define CXLR_REDFISH_LOGIN_PRIVATE_H

/*
 * Shared by the modules that authenticate.
 */

#include <stdint.h>

/* Return: seconds for Retry-After; 0 when the account must be unlocked. */
unsigned int login_retry_s(uint64_t wait_ms);

#endif
