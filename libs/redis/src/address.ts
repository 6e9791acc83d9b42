/** Where Redis is: a server, or nodes of a cluster, which name the others. */
export type RedisAddress =
  | { kind: 'server'; url: string }
  | { kind: 'cluster'; nodes: RedisNode[]; username?: string; password?: string; tls: boolean };

export interface RedisNode {
  host: string;
  port: number;
}

/** A sentence that begins after the name of the variable, without any part of the address. */
export class InvalidRedisAddress extends Error {
  constructor(readonly problem: string) {
    super(`the address of Redis ${problem}`);
    this.name = 'InvalidRedisAddress';
  }
}

const FORM =
  'must be a redis:// or rediss:// address; for a cluster several of its nodes, each with its scheme, separated by commas, or one with ?cluster=true';
const DEFAULT_PORT = 6379;

/** The addresses of a text. A comma parts two only before a scheme: one in a password stays. */
export function splitRedisAddresses(text: string): string[] {
  return text.split(/,\s*(?=[a-z][a-z0-9+.-]*:\/\/)/i).map((address) => address.trim());
}

/**
 * Reads REDIS_URL: one address is a server; several, or one with `?cluster=true`, are a cluster. Throws InvalidRedisAddress.
 */
export function parseRedisAddress(text: string): RedisAddress {
  const urls = splitRedisAddresses(text).map(urlOf);
  const [first] = urls as [URL];
  if (urls.length === 1 && !first.searchParams.has('cluster')) return { kind: 'server', url: text.trim() };
  for (const url of urls) {
    if (!/^\/?0?$/.test(url.pathname)) throw new InvalidRedisAddress('names a database: a cluster has only database 0');
    for (const [name, value] of url.searchParams) {
      if (name !== 'cluster')
        throw new InvalidRedisAddress('has a parameter other than ?cluster=true: a cluster has none');
      if (value !== 'true') throw new InvalidRedisAddress('has a parameter `cluster` that is not `true`: leave it out');
    }
    if (url.protocol !== first.protocol)
      throw new InvalidRedisAddress('mixes redis:// and rediss://: the nodes of a cluster have one scheme');
    if (url.username !== first.username || url.password !== first.password)
      throw new InvalidRedisAddress(
        'has several users or passwords: the nodes of a cluster have one, stated with each',
      );
  }
  return {
    kind: 'cluster',
    nodes: urls.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? DEFAULT_PORT : Number(port),
    })),
    tls: first.protocol === 'rediss:',
    ...(first.username && { username: decoded(first.username) }),
    ...(first.password && { password: decoded(first.password) }),
  };
}

/** What is wrong with an address, as a sentence after the name of the variable; undefined when nothing is. */
export function redisAddressProblem(text: string): string | undefined {
  try {
    parseRedisAddress(text);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidRedisAddress) return error.problem;
    throw error;
  }
}

function urlOf(text: string): URL {
  if (!URL.canParse(text)) throw new InvalidRedisAddress(FORM);
  const url = new URL(text);
  if (!['redis:', 'rediss:'].includes(url.protocol) || !/^[^,\s%]+$/.test(url.hostname))
    throw new InvalidRedisAddress(FORM);
  return url;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InvalidRedisAddress('has a % in its user or password that begins no escape: write it as %25');
  }
}
