import { hash } from 'node:crypto'
import type { Redis } from 'ioredis'

/**
 * Counts many requests one after the other, each toward all of its keys or toward no key. It is atomic: Redis runs nothing else
 * meanwhile. It uses Redis's clock, so that nodes with different clocks share one window, and a key expires at the end of its
 * window. A key that this script cannot have written starts again at zero: a key without an expiry, a key that would live longer
 * than its window (after a clock that ran ahead), and a key whose value is not a count.
 *
 * KEYS: every key once. ARGV: for each key its limit and its period in milliseconds. Then for each group of equal requests: how
 * many requests it has, how many keys each of them has, and the index of each key in KEYS (negative for a key that is only
 * checked).
 *
 * Returns a list: the time; the count of every key after this batch; and for each group with rejected requests the
 * index of the group, how many of its requests were counted, the index of the key that rejects its other requests for
 * the longest time, and that time in milliseconds.
 */
export const COUNT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('MGET', unpack(KEYS))
local counts, added, left = {}, {}, {}
for key = 1, #KEYS do
  local period = tonumber(ARGV[2 * key])
  local lives = stored[key] and redis.call('PTTL', KEYS[key])
  if stored[key] and (#stored[key] > 15 or not string.find(stored[key], '^%d+$') or lives < 0 or lives > period) then
    stored[key] = false
  end
  counts[key] = tonumber(stored[key] or 0)
  left[key] = stored[key] and lives or period - now % period
  added[key] = 0
end
local function isUsedUp(key)
  return counts[key] >= tonumber(ARGV[2 * key - 1])
end
local answer = { now }
for key = 1, #KEYS do answer[key + 1] = 0 end
local at, group = 2 * #KEYS + 1, 0
while ARGV[at] do
  local times, first, last = tonumber(ARGV[at]), at + 2, at + 1 + ARGV[at + 1]
  local counted, rejecting = 0, nil
  group = group + 1
  while counted < times and not rejecting do
    for place = first, last do
      local key = math.abs(ARGV[place])
      if isUsedUp(key) and (not rejecting or left[key] > left[rejecting]) then rejecting = key end
    end
    if not rejecting then
      local most = times - counted
      for place = first, last do
        local key = tonumber(ARGV[place])
        if key > 0 then most = math.min(most, ARGV[2 * key - 1] - counts[key]) end
      end
      for place = first, last do
        local key = tonumber(ARGV[place])
        if key > 0 then
          counts[key] = counts[key] + most
          added[key] = added[key] + most
        end
      end
      counted = counted + most
    end
  end
  if rejecting then
    answer[#answer + 1] = group
    answer[#answer + 1] = counted
    answer[#answer + 1] = rejecting
    answer[#answer + 1] = left[rejecting]
  end
  at = last + 1
end
for key = 1, #KEYS do
  answer[key + 1] = counts[key]
  if added[key] > 0 and stored[key] then
    redis.call('INCRBY', KEYS[key], added[key])
  elseif added[key] > 0 then
    local period = tonumber(ARGV[2 * key])
    redis.call('SET', KEYS[key], added[key], 'PXAT', now - now % period + period)
  end
end
return answer`

/**
 * Takes back one request from the count of each key. ARGV: the end of each key's window. A key that has another window by now is
 * not changed.
 */
export const GIVE_BACK = `
for key = 1, #KEYS do
  local count = redis.call('MGET', KEYS[key])[1]
  if count and string.find(count, '^%d+$') and tonumber(count) > 0 and redis.call('PEXPIRETIME', KEYS[key]) == tonumber(ARGV[key]) then
    redis.call('DECR', KEYS[key])
  end
end
return 0`

type Script = (redis: Redis, keys: readonly string[], args: readonly number[]) => Promise<unknown>

/** Sends only the digest of the script, and the whole script if the server does not have it, for example after a restart. */
export function script(lua: string): Script {
  const digest = hash('sha1', lua, 'hex')
  return async (redis, keys, args) => {
    try {
      return await redis.evalsha(digest, keys.length, ...keys, ...args)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return redis.eval(lua, keys.length, ...keys, ...args)
    }
  }
}
