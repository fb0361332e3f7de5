// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/memory/memory_actions.h"

#include "redfish/resources/memory/memory_operations.h"
#include "redfish/resources/host/describe_page.h"
#include "redfish/resources/host/translate_action.h"

/* Actions of the standard with a passphrase. Each needs If-Match, so that it is made once. */
#define WITH_PASSPHRASE(text, table, why)                                                          \
	{                                                                                          \
		.name = "Memory." text, .parameters = &(table), .standard = true,                  \
		.needs_body = true, .demands_if_match = true, .unchangeable = (why),               \
		.run = run_security_action,                                                        \
	}

#define OF_POISON(text)                                                                            \
	{                                                                                          \
		.name = text, .parameters = &poison_parameters, .needs_body = true,                \
		.demands_if_match = true, .unchangeable = poison_unchangeable,                     \
		.run = run_poison_action,                                                          \
	}

const struct action memory_actions[17] = {
	{"CXLHostMemory.TranslateDPA", &translate_dpa_parameters, .only_reads = true,
	 .needs_body = true, .run = run_translate_dpa},
	{"CXLHostMemory.DescribePage", &describe_dpa_page_parameters, .only_reads = true,
	 .needs_body = true, .run = run_describe_dpa_page},
	WITH_PASSPHRASE("SetPassphrase", set_passphrase_parameters, passphrases_unchangeable),
	WITH_PASSPHRASE("DisablePassphrase", disable_passphrase_parameters,
			passphrases_unchangeable),
	WITH_PASSPHRASE("SetMasterPassphrase", set_master_passphrase_parameters,
			passphrases_unchangeable),
	WITH_PASSPHRASE("DisableMasterPassphrase", disable_master_passphrase_parameters,
			passphrases_unchangeable),
	WITH_PASSPHRASE("UnlockUnit", unlock_parameters, passphrases_unchangeable),
	WITH_PASSPHRASE("SecureEraseUnit", secure_erase_parameters, erasing_unchangeable),
	WITH_PASSPHRASE("OverwriteUnit", overwrite_parameters, erasing_unchangeable),
	{"Memory.FreezeSecurityState", .standard = true, .demands_if_match = true,
	 .unchangeable = passphrases_unchangeable, .run = run_security_action},
	{"Memory.InjectPersistentPoison", &persistent_poison_parameters, .standard = true,
	 .needs_body = true, .demands_if_match = true, .unchangeable = poison_unchangeable,
	 .run = run_poison_action},
	{"Memory.ScanMedia", &scan_parameters, .standard = true, .needs_body = true,
	 .unchangeable = scan_unchangeable, .run = run_scan_media},
	OF_POISON("CXLHostMemory.InjectPoison"),
	OF_POISON("CXLHostMemory.ClearPoison"),
	{"CXLHostMemory.GetPoisonList", &poison_list_parameters,
	 .unchangeable = poison_unchangeable, .run = run_get_poison_list},
	{"CXLHostMemory.OfflinePage", &offline_page_parameters, .needs_body = true,
	 .unchangeable = pages_unchangeable, .run = run_offline_page},
	{"CXLHostMemory.OnlinePage", &online_page_parameters, .needs_body = true,
	 .unchangeable = pages_unchangeable, .run = run_online_page},
};
