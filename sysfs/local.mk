# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libsysfs.a
libsysfs_a_SOURCES = \
	%D%/acpi_dump.c %D%/acpi_dump.h \
	%D%/acpi_table.c %D%/acpi_table.h \
	%D%/aer.c %D%/aer.h \
	%D%/linear_cache.c %D%/linear_cache.h \
	%D%/link_state.c %D%/link_state.h \
	%D%/attr.c %D%/attr.h \
	%D%/block_pages.c %D%/block_pages.h \
	%D%/dax_blocks.c %D%/dax_blocks.h \
	%D%/cpuinfo.c %D%/cpuinfo.h \
	%D%/edac.c %D%/edac.h \
	%D%/dax_holders.c %D%/dax_holders.h \
	%D%/decoder_route.c %D%/decoder_route.h \
	%D%/host.c %D%/host.h \
	%D%/host_build.c %D%/host_build.h \
	%D%/host_cdat.c %D%/host_cdat.h \
	%D%/host_config.c %D%/host_config.h \
	%D%/host_dax.c %D%/host_dax.h \
	%D%/host_decoders.c %D%/host_decoders.h \
	%D%/host_derived.c %D%/host_derived.h \
	%D%/dmi_table.c %D%/dmi_table.h \
	%D%/host_dmi.c %D%/host_dmi.h \
	%D%/host_dports.c %D%/host_dports.h \
	%D%/host_edac.c %D%/host_edac.h \
	%D%/host_extents.c %D%/host_extents.h \
	%D%/host_firmware_map.c %D%/host_firmware_map.h \
	%D%/host_iomem.c %D%/host_iomem.h \
	%D%/host_kernel_log.c %D%/host_kernel_log.h \
	%D%/host_links.c %D%/host_links.h \
	%D%/host_machine.c %D%/host_machine.h \
	%D%/host_memdevs.c %D%/host_memdevs.h \
	%D%/host_misc.c %D%/host_misc.h \
	%D%/host_names.c \
	%D%/host_nd.c %D%/host_nd.h \
	%D%/host_nodes.c %D%/host_nodes.h \
	%D%/host_packages.c %D%/host_packages.h \
	%D%/host_partitions.c %D%/host_partitions.h \
	%D%/host_pci.c %D%/host_pci.h \
	%D%/host_ports.c %D%/host_ports.h \
	%D%/host_private.h \
	%D%/host_read.c \
	%D%/host_regions.c %D%/host_regions.h \
	%D%/host_root.c %D%/host_root.h \
	%D%/host_slots.c %D%/host_slots.h \
	%D%/host_tables.c %D%/host_tables.h \
	%D%/kernel_log.c %D%/kernel_log.h \
	%D%/kernel_options.c %D%/kernel_options.h \
	%D%/limits.h \
	%D%/memdev_operand.c %D%/memdev_operand.h \
	%D%/memory_blocks.c %D%/memory_blocks.h \
	%D%/memory_use.c %D%/memory_use.h \
	%D%/memory_use_pmem.c %D%/memory_use_private.h \
	%D%/monitor.c %D%/monitor.h \
	%D%/page_use.c %D%/page_use.h \
	%D%/pci_dvsec.c %D%/pci_dvsec.h \
	%D%/read_notes.c %D%/read_notes.h \
	%D%/scrub.c %D%/scrub.h \
	%D%/security.c %D%/security.h \
	%D%/slot_light.c %D%/slot_light.h \
	%D%/snapshot.c %D%/snapshot.h \
	%D%/stable_id.c %D%/stable_id.h \
	%D%/uevents.c %D%/uevents.h

SYSFS_LINK = libsysfs.a $(OPENER_LINK) $(LIBUDEV_LIBS) $(ZLIB_LIBS)
