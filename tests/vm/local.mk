# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The test machine is run by scripts/check --vm, not by make check.
EXTRA_DIST += \
	%D%/README.md \
	%D%/build-module \
	%D%/check \
	%D%/fetch \
	%D%/firmware/Makefile \
	%D%/firmware/acpi.c \
	%D%/firmware/acpi.h \
	%D%/firmware/driver.c \
	%D%/firmware/guids.c \
	%D%/firmware/handler.c \
	%D%/firmware/handler.h \
	%D%/firmware/hdm.c \
	%D%/firmware/hdm.h \
	%D%/firmware/loader.c \
	%D%/firmware/machine.c \
	%D%/firmware/machine.h \
	%D%/firmware/pci.c \
	%D%/firmware/pci.h \
	%D%/firmware/rule.h \
	%D%/firmware/text.c \
	%D%/firmware/text.h \
	%D%/firmware/uefi.h \
	%D%/guest/Makefile \
	%D%/guest/address.h \
	%D%/guest/init \
	%D%/guest/lib.sh \
	%D%/guest/lock_device/Kbuild \
	%D%/guest/lock_device/Makefile \
	%D%/guest/lock_device/lock_device.c \
	%D%/guest/mock.d/10-kernel.sh \
	%D%/guest/prm_ioctl.c \
	%D%/guest/rule.c \
	%D%/guest/tests.d/10-kernel.sh \
	%D%/guest/tests.d/15-regions.sh \
	%D%/guest/tests.d/20-module.sh \
	%D%/guest/tests.d/30-wedge.sh \
	%D%/guest/tests.d/35-devices.sh \
	%D%/guest/tests.d/40-spa.sh \
	%D%/guest/tests.d/45-spa-faults.sh \
	%D%/guest/tests.d/50-redfish.sh \
	%D%/guest/tests.d/60-flush.sh \
	%D%/guest/tests.d/65-events.sh \
	%D%/guest/tests.d/70-figures.sh \
	%D%/guest/tests.d/75-inject.sh \
	%D%/guest/tests.d/80-hotplug.sh \
	%D%/guest/tests.d/90-dmesg.sh \
	%D%/initramfs \
	%D%/run
