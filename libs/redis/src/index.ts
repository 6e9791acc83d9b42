export { connected, connectRedis, pingMasters } from './connect.ts';
export type { RedisClient, RedisClientOptions } from './connect.ts';
export { InvalidRedisAddress, parseRedisAddress } from './address.ts';
export type { RedisAddress, RedisNode } from './address.ts';
