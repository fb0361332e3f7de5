#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The actions about a page on a captured host, which has the memory block of a page and not its flags.
. "${0%/*}/functions"

memory=$system/Memory/cxl-000000000000abc0
describe=$memory/Actions/Oem/CXLHostMemory.DescribePage
describe_spa=$system/Actions/Oem/CXLHostComputerSystem.DescribePage

start_usual normalized-7.3
request 200 GET "$memory"
has '#CXLHostMemory.DescribePage'
request 200 GET "$memory/Oem/CXLHost/DescribePageActionInfo"
has '"Name":"DevicePhysicalAddress"' '"Required":true'

# The block is offline, which is in the capture.
post 200 "$describe" '{"DevicePhysicalAddress": "0x1040"}'
has '"DevicePhysicalAddress":"0x1040"' '"SystemPhysicalAddress":"0x210002040"' '"Exact":true' \
	'"PageFrameNumber":"0x210002"' '"MemoryBlock":"memory66"' '"MemoryBlockState":"offline"' '"Kind":"offline"' \
	'"UncorrectableAccess":"nothing: the page is offline"'
lacks ReadTime MemoryCgroup
post 200 "$describe_spa" '{"SystemPhysicalAddress": "0x210002040"}'
has '"DevicePhysicalAddress":"0x1040"' '"MemoryBlock":"memory66"' '"Kind":"offline"' "Memory/cxl-000000000000abc0"

# Without an exact address there is no page, and a reason.
post 200 "$describe" '{"DevicePhysicalAddress": "0x10000000"}'
has '"Exact":false' '"Page":{"Kind":"unknown","Reason":"' 'beyond the capacity'
lacks PageFrameNumber

# Other memory of the host has no device, and the flags of its pages are not in the capture.
post 200 "$describe_spa" '{"SystemPhysicalAddress": "0x1000"}'
has '"Exact":false' '"MemoryBlock":"memory0","MemoryBlockState":"online","Kind":"unknown"' \
	'the use of the page is not known: a capture has its memory block, and no flags of pages'
lacks '"Memory":' UncorrectableAccess
post 400 "$describe" '{}'
has ActionParameterMissing DevicePhysicalAddress
post 400 "$describe_spa" '{"SystemPhysicalAddress": "1000"}'
has ActionParameterValueFormatError

# Nothing is taken out of use here, and neither action is offered.
offline=$memory/Actions/Oem/CXLHostMemory.OfflinePage
request 200 GET "$memory"
lacks OfflinePage OnlinePage
request 404 GET "$memory/Oem/CXLHost/OfflinePageActionInfo"
post 405 "$offline" '{"DevicePhysicalAddress": "0x1040"}'
has NotChangeable 'this is a captured host'
post 405 "$memory/Actions/Oem/CXLHostMemory.OnlinePage" '{"DevicePhysicalAddress": "0x1040"}'
has NotChangeable 'this is a captured host'
stop
finish
