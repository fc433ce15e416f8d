/**
 * Counts many requests, one after the other, each on all of its keys or on none, in one step: Redis runs nothing else
 * meanwhile. The clock is Redis' own, so that nodes whose clocks differ share one window, and a key lives until its window
 * ends.
 *
 * KEYS: every key once. ARGV: for each key how often, and in how many milliseconds; then for each request how many keys it
 * counts on, and which.
 * Answers 0, or what time it is and for each refused request its number, the key that refuses for longest, and for how
 * many milliseconds.
 */
export const COUNT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('MGET', unpack(KEYS))
local counts, added, left = {}, {}, {}
for key = 1, #KEYS do
  counts[key] = tonumber(stored[key] or 0)
  added[key] = 0
end
local answer = { now }
local at, request = 2 * #KEYS + 1, 0
while ARGV[at] do
  local last = at + ARGV[at]
  local refusing
  request = request + 1
  for place = at + 1, last do
    local key = tonumber(ARGV[place])
    if counts[key] >= tonumber(ARGV[2 * key - 1]) then
      local period = tonumber(ARGV[2 * key])
      left[key] = left[key] or (stored[key] and redis.call('PTTL', KEYS[key]) or period - now % period)
      if not refusing or left[key] > left[refusing] then refusing = key end
    end
  end
  if refusing then
    answer[#answer + 1] = request
    answer[#answer + 1] = refusing
    answer[#answer + 1] = left[refusing]
  else
    for place = at + 1, last do
      local key = tonumber(ARGV[place])
      counts[key] = counts[key] + 1
      added[key] = added[key] + 1
    end
  end
  at = last + 1
end
for key = 1, #KEYS do
  if added[key] > 0 and stored[key] then
    redis.call('INCRBY', KEYS[key], added[key])
  elseif added[key] > 0 then
    local period = tonumber(ARGV[2 * key])
    redis.call('SET', KEYS[key], added[key], 'PXAT', now - now % period + period)
  end
end
return #answer == 1 and 0 or answer`

/** Takes one back from each key whose window has not ended. */
export const GIVE_BACK = `
for key = 1, #KEYS do
  local count = redis.call('GET', KEYS[key])
  if count and tonumber(count) > 0 then redis.call('DECR', KEYS[key]) end
end
return 0`
