// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The runtime driver: programs the decoders and installs the PRMT; it stays in memory because it
 * contains the handler. Its load options are the text of setup.txt:
 *
 *	rule=plain|permuted
 *	fault=none|no-handler|no-execute|error-page|slow|hold|unprogrammed
 */
#include "acpi.h"
#include "handler.h"
#include "machine.h"
#include "text.h"

struct setup {
	enum rule rule;
	enum handler_order order;
	int no_handler;
	int no_execute;
	int unprogrammed;
};

struct setup_word {
	const char *key;
	const char *value;
	struct setup setup;
};

static const struct setup_word rules[] = {
	{"rule=", "plain", {.rule = RULE_PLAIN}},
	{"rule=", "permuted", {.rule = RULE_PERMUTED}},
	{0},
};

static const struct setup_word faults[] = {
	{"fault=", "none", {0}},
	{"fault=", "no-handler", {.no_handler = 1}},
	{"fault=", "no-execute", {.no_execute = 1}},
	{"fault=", "error-page", {.order = ORDER_ERROR_PAGE}},
	{"fault=", "slow", {.order = ORDER_SLOW}},
	{"fault=", "unprogrammed", {.unprogrammed = 1}},
	{"fault=", "hold", {0}}, /* selected by the guest: the kernel could not boot with it */
	{0},
};

static struct efi_system_table *system_table;

static const struct setup *find_word(const struct setup_word *words,
				     const struct efi_loaded_image *self)
{
	for (; words->key != NULL; words++)
		if (text_value_is(self->load_options, self->load_options_size, words->key,
				  words->value))
			return &words->setup;
	return NULL;
}

static efi_status read_setup(const struct efi_loaded_image *self, struct setup *ret_setup)
{
	const struct setup *rule = find_word(rules, self);
	const struct setup *fault = find_word(faults, self);

	if (rule == NULL || fault == NULL) {
		print("prm: setup.txt names no known rule= or fault=");
		return EFI_INVALID_PARAMETER;
	}
	*ret_setup = *fault;
	ret_setup->rule = rule->rule;
	return EFI_SUCCESS;
}

static uint64_t measure_ticks_per_millisecond(void)
{
	uint64_t start = read_ticks();

	system_table->boot->stall(10000);
	return (read_ticks() - start) / 10;
}

/*
 * Linux looks up the memory of an address with "start of range < address", so no address may be the
 * first byte of a range.
 */
static efi_status allocate_data(struct handler_data **ret_data)
{
	uint64_t page;
	efi_status status = system_table->boot->allocate_pages(EFI_ALLOCATE_ANY_PAGES,
							       EFI_RUNTIME_SERVICES_DATA, 1, &page);
	struct handler_data *data;

	if (status != EFI_SUCCESS)
		return status;
	data = (struct handler_data *)(page + 64);
	*data = (struct handler_data){
		.signature = {'P', 'R', 'M', 'S'},
		.length = sizeof(*data),
	};
	*ret_data = data;
	return EFI_SUCCESS;
}

/*
 * The firmware marks the code of drivers started this late no-execute in its memory attributes
 * table, and Linux maps it accordingly. The table is rebuilt whenever runtime memory is allocated,
 * so it is corrected when boot services end.
 */
static void make_executable(void *event, void *context)
{
	struct efi_memory_attributes_table *table =
		configuration_table(system_table, &efi_memory_attributes_guid);
	uint64_t code = (uint64_t)handler_dpa_to_spa;

	(void)event;
	(void)context;
	if (table == NULL)
		return;
	for (uint32_t i = 0; i < table->entries; i++) {
		struct efi_memory_descriptor *range =
			(struct efi_memory_descriptor *)((uint8_t *)(table + 1) +
							 (size_t)i * table->descriptor_size);

		if (code >= range->physical_start &&
		    code < range->physical_start + range->pages * EFI_PAGE_SIZE)
			range->attribute &= ~EFI_MEMORY_XP;
	}
}

static efi_status start(const struct setup *setup)
{
	struct handler_data *data;
	efi_status status = allocate_data(&data);
	void *event;

	if (status != EFI_SUCCESS)
		return status;
	data->rule = setup->rule;
	data->ticks_per_millisecond = measure_ticks_per_millisecond();
	status = machine_set_up(system_table, data);
	if (status != EFI_SUCCESS)
		return status;
	handler_start(setup->order);
	if (!setup->no_execute) {
		status = system_table->boot->create_event(EFI_EVENT_EXIT_BOOT_SERVICES,
							  EFI_TPL_CALLBACK, make_executable, NULL,
							  &event);
		if (status != EFI_SUCCESS)
			return status;
	}
	return acpi_install_prmt(system_table, (uint64_t)handler_dpa_to_spa, (uint64_t)data,
				 !setup->no_handler);
}

efi_status driver_entry(efi_handle image, struct efi_system_table *system);

efi_status driver_entry(efi_handle image, struct efi_system_table *system)
{
	struct efi_loaded_image *self;
	struct setup setup;
	efi_status status;

	text_init(system);
	system_table = system;
	status = system->boot->handle_protocol(image, &efi_loaded_image_guid, (void **)&self);
	if (status != EFI_SUCCESS)
		return status;
	status = read_setup(self, &setup);
	if (status != EFI_SUCCESS || setup.unprogrammed)
		return status;
	status = start(&setup);
	if (status == EFI_SUCCESS)
		print("prm: handler installed");
	return status;
}
