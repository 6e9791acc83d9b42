/**
 * A list of take times per key, in microseconds of the server's clock, oldest first. Idle lists expire by themselves.
 * A server clock that was set back leaves times in the future: by up to a window they are waited out, beyond it forgotten.
 */
const CURRENT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = tonumber(ARGV[1])
local newest = tonumber(redis.call('LINDEX', KEYS[1], -1) or '0')
if newest <= now - window or newest > now + window then
  redis.call('DEL', KEYS[1])
elseif newest > now then
  now = newest
end
local oldest = tonumber(redis.call('LINDEX', KEYS[1], 0) or now)
while oldest <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = tonumber(redis.call('LINDEX', KEYS[1], 0) or now)
end
`;

/** KEYS[1] key; ARGV window (microseconds), limit. Answers {allowed, used, microseconds until reset}. */
export const TAKE = `${CURRENT}
local limit = tonumber(ARGV[2])
local used = redis.call('LLEN', KEYS[1])
local excess = used + 1 - limit
local allowed = excess <= 0
if allowed then
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000) + 1000)
  used = used + 1
end
local leaving = tonumber(redis.call('LINDEX', KEYS[1], allowed and 0 or excess - 1) or now - window)
return { allowed and 1 or 0, used, leaving + window - now }
`;

/** KEYS[1] key; ARGV window (microseconds), limit, tokens. Answers as TAKE does; allowed: there is one left. */
export const CHARGE = `${CURRENT}
local limit = tonumber(ARGV[2])
local used = redis.call('LLEN', KEYS[1])
local tokens = math.min(tonumber(ARGV[3]), 2 * limit - used)
for _ = 1, tokens do
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
end
redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000) + 1000)
used = used + math.max(0, tokens)
local excess = used + 1 - limit
local leaving = tonumber(redis.call('LINDEX', KEYS[1], math.max(0, excess - 1)) or now - window)
return { excess <= 0 and 1 or 0, used, leaving + window - now }
`;

/** KEYS[1] key; ARGV window (microseconds). Returns one token. */
export const GIVE_BACK = `${CURRENT}
redis.call('LPOP', KEYS[1])
return 1
`;
