/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Translation of CXL device physical addresses by platform firmware
 */
#ifndef _UAPI_CXL_PRM_H_
#define _UAPI_CXL_PRM_H_

#include <linux/const.h>
#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * DOC: UAPI
 *
 * On platforms with Normalized addressing only firmware knows which system
 * physical address (SPA) a device physical address (DPA) of a CXL memory device
 * has. Firmware answers by the ACPI Platform Runtime Mechanism (PRM) handler
 * EE41B397-25D4-452C-AD54-48C6E3480B94 (CXL specification 9.18.4, "PRM Handler
 * for CXL DPA to System Physical Address Translation"). /dev/cxl_prm calls it,
 * and has no other function.
 *
 * The structures have the same layout for 32-bit and 64-bit programs. Fields
 * named reserved and flags without a meaning are zero: a program that sets them
 * gets EINVAL, so that they can get a meaning later. The kernel sets
 * them to zero too. The abi_version of struct cxl_prm_info grows when the
 * interface does; a structure of a published version never changes.
 */

/**
 * define CXL_PRM_ABI_VERSION - version of the interface in this header
 */
#define CXL_PRM_ABI_VERSION	1

/**
 * define CXL_PRM_BATCH_MAX - most addresses of one CXL_PRM_TRANSLATE
 */
#define CXL_PRM_BATCH_MAX	256

/**
 * define CXL_PRM_NO_SPA - spa of a struct cxl_prm_entry without an answer
 */
#define CXL_PRM_NO_SPA		0xffffffffffffffffULL

/**
 * enum cxl_prm_reason - why no address can be translated at present
 * @CXL_PRM_READY: addresses can be translated
 * @CXL_PRM_NO_PRMT: firmware has no Platform Runtime Mechanism Table (PRMT)
 * @CXL_PRM_BAD_PRMT: the PRMT is malformed, or lists the handler twice
 * @CXL_PRM_NO_HANDLER: the PRMT does not have the handler
 * @CXL_PRM_NULL_ADDRESS: the PRMT gives the handler's address as zero
 * @CXL_PRM_BAD_ADDRESS: the handler is not in EFI runtime services code, or its
 *                       static data is not in EFI runtime memory
 * @CXL_PRM_NO_MEMMAP: there is no EFI memory map to check the addresses against
 * @CXL_PRM_EFI_OFF: EFI runtime services are off; the kernel switches them off
 *                   until the next boot when firmware faults or hangs
 * @CXL_PRM_NOT_IN_KERNEL: the kernel did not register the handler of the PRMT
 * @CXL_PRM_WEDGED: a call did not return from firmware, or far too late. No
 *                  other is made until the module is loaded again
 *
 * New reasons are added at the end; read an unknown one as "not ready".
 */
enum cxl_prm_reason {
	CXL_PRM_READY,
	CXL_PRM_NO_PRMT,
	CXL_PRM_BAD_PRMT,
	CXL_PRM_NO_HANDLER,
	CXL_PRM_NULL_ADDRESS,
	CXL_PRM_BAD_ADDRESS,
	CXL_PRM_NO_MEMMAP,
	CXL_PRM_EFI_OFF,
	CXL_PRM_NOT_IN_KERNEL,
	CXL_PRM_WEDGED,
};

/**
 * struct cxl_prm_info - state of the module, result of CXL_PRM_INFO
 * @abi_version: CXL_PRM_ABI_VERSION of the module
 * @flags: a set of the following; ignore other bits
 *
 *	CXL_PRM_INFO_HANDLER
 *		The PRMT has the handler, at an address that may be called.
 *	CXL_PRM_INFO_EFI_RUNTIME
 *		EFI runtime services are on.
 *	CXL_PRM_INFO_WEDGED
 *		A call did not return from firmware.
 *
 * @reason: an enum cxl_prm_reason; CXL_PRM_READY when addresses can be
 *          translated
 * @rate: calls of firmware and addresses rejected by the module's own checks,
 *        per second, at most and on average
 * @burst: how many of them may be made at once after a time without any
 * @max_batch: most addresses of one CXL_PRM_TRANSLATE
 * @in_flight_ms: since when the present call is with firmware, in ms rounded
 *                up; 0 when there is none
 * @reserved: zero
 * @calls: calls of firmware since the module was loaded
 * @errors: how many of @calls failed
 * @refused: addresses rejected by the module's own checks
 * @throttled: addresses not tried (-EAGAIN)
 * @text: @reason in English, NUL-terminated
 */
struct cxl_prm_info {
	__u32 abi_version;
	__u32 flags;
#define CXL_PRM_INFO_HANDLER		_BITUL(0)
#define CXL_PRM_INFO_EFI_RUNTIME	_BITUL(1)
#define CXL_PRM_INFO_WEDGED		_BITUL(2)
	__u32 reason;
	__u32 rate;
	__u32 burst;
	__u32 max_batch;
	__u32 in_flight_ms;
	__u32 reserved;
	__aligned_u64 calls;
	__aligned_u64 errors;
	__aligned_u64 refused;
	__aligned_u64 throttled;
	char text[96];
};

/**
 * struct cxl_prm_entry - one address to translate
 * @segment: in, PCI segment of the CXL memory device, at most 255
 * @bus: in, its bus
 * @devfn: in, its device number in bits 7:3 and function number in bits 2:0
 * @reserved: in, zero
 * @dpa: in, the device physical address
 * @spa: out, the system physical address as firmware gave it;
 *       CXL_PRM_NO_SPA when @error is not 0
 * @error: out, 0 or a negative errno:
 *
 *	From the module: firmware was not called, or did not return.
 *
 *	-EAGAIN		not tried: the rate limit is reached, the request took
 *			too long, or the device is being bound, unbound or
 *			reset: retry later
 *	-EOPNOTSUPP	no address can be translated, CXL_PRM_INFO says why
 *	-ESHUTDOWN	not tried, an earlier call did not return
 *	-ETIMEDOUT	this call did not return from firmware
 *	-EOVERFLOW	@segment is above 255, which the handler cannot take
 *	-ENODEV		no CXL memory device at that address
 *	-ENXIO		not bound to the driver cxl_pci, or its sizes are
 *			unreadable
 *	-ERANGE		@dpa is not below the size of the device
 *	-ENODATA	the handler reported success without an address
 *
 *	From firmware.
 *
 *	-EINVAL		EFI_INVALID_PARAMETER or a status without an errno
 *	-ENOENT		EFI_NOT_FOUND
 *	-EIO		EFI_DEVICE_ERROR, or firmware faulted
 *	-ENOSPC		EFI_OUT_OF_RESOURCES
 *	-EROFS		EFI_WRITE_PROTECTED
 *	-EACCES		EFI_SECURITY_VIOLATION
 *	-EINTR		EFI_ABORTED, several times in a row
 * @reserved2: in, zero
 */
struct cxl_prm_entry {
	__u16 segment;
	__u8 bus;
	__u8 devfn;
	__u32 reserved;
	__aligned_u64 dpa;
	__aligned_u64 spa;
	__s32 error;
	__u32 reserved2;
};

/**
 * struct cxl_prm_translate - argument of CXL_PRM_TRANSLATE
 * @count: how many entries, 1 to CXL_PRM_BATCH_MAX
 * @flags: zero
 * @entries: address of an array of struct cxl_prm_entry
 */
struct cxl_prm_translate {
	__u32 count;
	__u32 flags;
	__aligned_u64 entries;
};

/**
 * define CXL_PRM_INFO - what the module can do at present
 *
 * Return: 0, or -1 with errno EFAULT.
 */
#define CXL_PRM_INFO		_IOR(0xCE, 0x40, struct cxl_prm_info)

/**
 * define CXL_PRM_TRANSLATE - translate a batch of addresses, in order
 *
 * Calls of firmware are made one at a time for the whole machine, so the ioctl
 * waits for those of other programs and can take long; it ends early only by a
 * fatal signal.
 *
 * Return: 0 when every entry has its @spa and @error, even if all are errors.
 * -1 with errno EFAULT (bad address), EINVAL (bad @count, @flags or reserved
 * field; no entry was processed), ENOMEM, or EINTR (killed). After these, @spa
 * and @error of the entries are undefined.
 */
#define CXL_PRM_TRANSLATE	_IOW(0xCE, 0x41, struct cxl_prm_translate)

#endif /* _UAPI_CXL_PRM_H_ */
