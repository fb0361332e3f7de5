// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/memory/memory_actions.h"

#include "redfish/resources/memory/memory_operations.h"
#include "redfish/resources/host/translate_action.h"

/* Of the standard, with a passphrase. Each needs If-Match, so that it is made once. */
#define WITH_PASSPHRASE(text, why)                                                                 \
	{                                                                                          \
		.name = "Memory." text, .info = "/" text "ActionInfo", .standard = true,           \
		.needs_body = true, .secret = true, .demands_if_match = true,                      \
		.unchangeable = (why), .run = run_security_action,                                 \
	}

#define OF_POISON(text)                                                                            \
	{                                                                                          \
		.name = "CXLHostMemory." text, .info = "/Oem/CXLHost/" text "ActionInfo",          \
		.needs_body = true, .demands_if_match = true, .unchangeable = poison_unchangeable, \
		.run = run_poison_action,                                                          \
	}

const struct action memory_actions[13] = {
	{"CXLHostMemory.TranslateDPA", "/Oem/CXLHost/TranslateDPAActionInfo", .only_reads = true,
	 .needs_body = true, .run = run_translate_dpa},
	WITH_PASSPHRASE("SetPassphrase", passphrases_unchangeable),
	WITH_PASSPHRASE("DisablePassphrase", passphrases_unchangeable),
	WITH_PASSPHRASE("SetMasterPassphrase", passphrases_unchangeable),
	WITH_PASSPHRASE("DisableMasterPassphrase", passphrases_unchangeable),
	WITH_PASSPHRASE("UnlockUnit", passphrases_unchangeable),
	WITH_PASSPHRASE("SecureEraseUnit", erasing_unchangeable),
	WITH_PASSPHRASE("OverwriteUnit", erasing_unchangeable),
	{"Memory.FreezeSecurityState", .standard = true, .secret = true, .demands_if_match = true,
	 .unchangeable = passphrases_unchangeable, .run = run_security_action},
	{"Memory.InjectPersistentPoison", "/InjectPersistentPoisonActionInfo", .standard = true,
	 .needs_body = true, .demands_if_match = true, .unchangeable = poison_unchangeable,
	 .run = run_poison_action},
	OF_POISON("InjectPoison"),
	OF_POISON("ClearPoison"),
	{"CXLHostMemory.GetPoisonList", "/Oem/CXLHost/GetPoisonListActionInfo",
	 .unchangeable = poison_unchangeable, .run = run_get_poison_list},
};
