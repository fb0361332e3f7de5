-- SPDX-License-Identifier: LGPL-2.1-or-later
--
-- For wrk: a connection that got 503 with Retry-After waits that long before it asks again. Prints the number of these
-- answers; wrk counts them beside all others that are no 2xx.
local threads, waits = {}, {}

refused = 0 -- of a thread; done() reads it

function setup(thread)
	table.insert(threads, thread)
end

function response(status, headers)
	local seconds = tonumber(headers["Retry-After"])
	if status == 503 and seconds then
		refused = refused + 1
		table.insert(waits, seconds * 1000)
	end
end

-- wrk does not say for which connection it asks; each one that was refused causes one wait.
function delay()
	return table.remove(waits) or 0
end

function done()
	local sum = 0
	for _, thread in ipairs(threads) do
		sum = sum + thread:get("refused")
	end
	print("refused " .. sum)
end
