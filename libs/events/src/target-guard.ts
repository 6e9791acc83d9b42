import { Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { addressKind } from './public-address.ts';

/** Where deliveries may go. */
export interface TargetPolicy {
  /** Also http, any port and loopback addresses. For the local stack and tests; a production deployment refuses it. */
  allowLoopback: boolean;
  /** Ports of public hosts. */
  ports: readonly number[];
  /** Public hosts by http too: for what is signed itself, as revocation lists are. */
  plainHttp?: boolean;
}

export const PUBLIC_TARGETS: TargetPolicy = { allowLoopback: false, ports: [443, 8443] };

/** Why a target is refused: stable codes, shown as attempt errors and validation codes. */
export type RefusalCode = 'url_invalid' | 'scheme_refused' | 'port_refused' | 'credentials_refused' | 'address_refused';

/** A webhook may not be sent there. The message is one sentence for the endpoint's owner; it names no resolved address. */
export class TargetRefused extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
  ) {
    super(message);
    this.name = 'TargetRefused';
  }
}

/** Resolves a host name to all its addresses. Rejects when it has none. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

const MAX_URL_LENGTH = 2_048;
const RESERVED_NAME = /(^|\.)(local|internal|localdomain|home\.arpa|onion)$/;

/**
 * Checks what can be seen of a URL without a network: scheme, credentials, port, and the host when it is an address in any
 * notation (the URL parser has folded 2130706433, 0x7f.1 or full-width digits already). Throws TargetRefused.
 */
export function checkTarget(text: string, policy: TargetPolicy): URL {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) {
    throw new TargetRefused('url_invalid', `The URL must be an absolute one of at most ${MAX_URL_LENGTH} characters.`);
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TargetRefused('scheme_refused', 'The URL must begin with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new TargetRefused(
      'credentials_refused',
      'The URL must not carry a user name or password: verify the signature instead.',
    );
  }
  const kind = hostKind(url.hostname);
  if (kind === 'loopback' && policy.allowLoopback) return url;
  if (kind === 'loopback') throw new TargetRefused('address_refused', LOOPBACK_REFUSED);
  if (kind !== 'public') throw addressRefused(policy);
  if (url.protocol !== 'https:' && !policy.plainHttp)
    throw new TargetRefused('scheme_refused', 'The URL must begin with https://.');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (!policy.ports.includes(port)) {
    throw new TargetRefused('port_refused', `The port must be one of ${policy.ports.join(', ')}.`);
  }
  return url;
}

/** Checks a URL as at registration: as checkTarget, then every address of its name. A name that does not resolve passes. */
export async function checkTargetAddresses(text: string, policy: TargetPolicy, resolve: Resolve): Promise<URL> {
  const url = checkTarget(text, policy);
  if (literalOf(url.hostname) !== null) return url;
  let addresses: LookupAddress[];
  try {
    addresses = await resolve(nameOf(url.hostname));
  } catch {
    return url; // may be made later: what counts is the check at connect
  }
  refuseNonPublic(addresses, policy);
  return url;
}

/**
 * The `lookup` of a connection: resolves once, refuses when ANY address is not allowed, and hands exactly the checked
 * addresses to the connection, so an answer that changes afterwards changes nothing. Node does not call it for IP
 * literals: checkTarget covers those, before each request.
 */
export function guardedLookup(policy: TargetPolicy, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(nameOf(hostname)).then(
      (addresses) => {
        try {
          refuseNonPublic(addresses, policy);
        } catch (error) {
          return callback(error as TargetRefused, []);
        }
        const [first] = addresses as [LookupAddress, ...LookupAddress[]];
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/**
 * Resolves by DNS alone (c-ares): no thread is held, so one dead name server delays nobody else's names, and no hosts file
 * is asked. `localhost` is loopback without asking anybody (RFC 6761).
 */
export function dnsResolve(options: { timeoutMs?: number } = {}): Resolve {
  const resolver = new Resolver({ timeout: options.timeoutMs ?? 3_000, tries: 1 });
  return async (hostname) => {
    if (isLocalhost(hostname)) return [{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }]; // prettier-ignore
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer, index) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
    );
    if (addresses.length > 0) return addresses;
    throw (answers[0] as PromiseRejectedResult).reason ?? new Error(`${hostname} has no address`);
  };
}

function refuseNonPublic(addresses: readonly LookupAddress[], policy: TargetPolicy): void {
  if (addresses.length === 0) throw addressRefused(policy);
  for (const { address } of addresses) {
    const kind = addressKind(address);
    if (kind !== 'public' && !(kind === 'loopback' && policy.allowLoopback)) throw addressRefused(policy);
  }
}

const LOOPBACK_REFUSED =
  'The URL must lead to a public address: localhost is reached on a local stack only (npm start). Give the https:// address of a tunnel.';

const addressRefused = ({ allowLoopback }: TargetPolicy) =>
  new TargetRefused(
    'address_refused',
    allowLoopback
      ? 'The URL must lead to a public address, or on this local stack to this machine: http://127.0.0.1:4000/ or http://localhost:4000/.'
      : 'The URL must lead to a public address.',
  );

function hostKind(hostname: string): 'public' | 'loopback' | 'non_public' {
  const literal = literalOf(hostname);
  if (literal !== null) return addressKind(literal);
  const name = nameOf(hostname);
  if (isLocalhost(name)) return 'loopback';
  return !name.includes('.') || RESERVED_NAME.test(name) ? 'non_public' : 'public';
}

/** The address in a URL's host when it is one. */
function literalOf(hostname: string): string | null {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : nameOf(hostname);
  return isIP(address) === 0 ? null : address;
}

const nameOf = (hostname: string) => hostname.toLowerCase().replace(/\.+$/, '');
const isLocalhost = (name: string) => name === 'localhost' || name.endsWith('.localhost');
