/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_TRANSLATE_TEXT_H
#define CXLR_REDFISH_RESOURCES_TRANSLATE_TEXT_H

/* The action TranslateText, for the row of ComputerSystem. */

#include "redfish/service/exchange.h"

int run_translate_text(struct exchange *x);
extern const struct parameters translate_text_parameters;

#endif
