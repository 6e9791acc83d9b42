import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookEvent } from './events.ts';

/** A delivery that must not be trusted. Answer it with 400 and do nothing else. */
export class WebhookRejected extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** A header that a signed delivery carries is missing. */
export class MissingSignature extends WebhookRejected {}

/** A header is there but does not have the form of a signature, or the signed body is not an event. */
export class MalformedDelivery extends WebhookRejected {}

/** No signature was made with any of the secrets over this body. */
export class SignatureMismatch extends WebhookRejected {}

/** Signed too long ago, or in the future: perhaps a recorded delivery sent again by a stranger. */
export class TimestampOutOfTolerance extends WebhookRejected {}

/** One or, while a rotation is under way, several values. What a variable of the environment lacks is undefined. */
type OneOrMore = string | readonly (string | undefined)[] | undefined;

const SECRET_PREFIX = 'whsec_';
const MAX_SIGNATURES = 16;

/**
 * Verifies `X-Service-Signature`: `sha256=` and the hex HMAC-SHA256 of the raw body, the key being the whole webhook secret as
 * UTF-8. Compares in constant time. Answers the event; throws a WebhookRejected otherwise.
 *
 * @param rawBody the bytes as received, before any JSON parser
 * @param header the header's value; during a rotation also that of X-Service-Signature-Previous, as an array
 * @param secret the webhook secret, or the new and the former one
 */
export function verifyServiceSignature(
  rawBody: string | Uint8Array,
  header: OneOrMore,
  secret: OneOrMore,
): WebhookEvent {
  const values = list(header);
  if (values.length === 0) throw new MissingSignature('X-Service-Signature is missing.');
  const given = values
    .map((value) => /^sha256=([0-9a-fA-F]{64})$/.exec(value.trim())?.[1])
    .filter((hex) => hex !== undefined);
  if (given.length === 0) throw new MalformedDelivery('X-Service-Signature is not sha256=<64 hex digits>.');
  const made = list(secret).map((key) => createHmac('sha256', key).update(rawBody).digest());
  requireMatch(
    given.map((hex) => Buffer.from(hex, 'hex')),
    made,
  );
  return eventIn(rawBody);
}

/** The headers of a request: a fetch `Headers`, or Node's `request.headers`. */
export type DeliveryHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

/**
 * Verifies a delivery by Standard Webhooks 1.0.0: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, the key being the
 * base64 part of the secret, any `v1` signature of the header counting. Also refuses deliveries signed more than
 * `toleranceSeconds` (default 300) ago or ahead, which X-Service-Signature alone cannot. Compares in constant time. Answers the
 * event; throws a WebhookRejected otherwise.
 */
export function verifyStandardWebhook(
  rawBody: string | Uint8Array,
  headers: DeliveryHeaders,
  secret: OneOrMore,
  options: { toleranceSeconds?: number; nowSeconds?: number } = {},
): WebhookEvent {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signature = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) throw new MalformedDelivery('webhook-timestamp is not a number of seconds.');
  const given = signature
    .split(' ', MAX_SIGNATURES)
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice('v1,'.length))); // as text: base64 has several spellings of the same bytes
  if (given.length === 0) throw new MalformedDelivery('webhook-signature carries no v1 signature.');
  const made = list(secret).map((key) =>
    Buffer.from(createHmac('sha256', standardKey(key)).update(`${id}.${timestamp}.`).update(rawBody).digest('base64')),
  );
  requireMatch(given, made);

  const age = (options.nowSeconds ?? Date.now() / 1000) - Number(timestamp);
  const tolerance = options.toleranceSeconds ?? 300;
  if (Math.abs(age) > tolerance) {
    throw new TimestampOutOfTolerance(
      `The delivery was signed ${Math.round(age)} s ago; ${tolerance} s are tolerated.`,
    );
  }
  return eventIn(rawBody);
}

function standardKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64');
}

/** Compares all with all, without stopping at the first match. */
function requireMatch(given: Buffer[], made: Buffer[]): void {
  if (made.length === 0)
    throw new TypeError('The webhook secret is missing: pass the whsec_… value that sign-up or its rotation returned.');
  let matched = false;
  for (const one of given) {
    for (const other of made) matched = (one.length === other.length && timingSafeEqual(one, other)) || matched;
  }
  if (!matched) throw new SignatureMismatch('No signature of this delivery was made with the webhook secret.');
}

function eventIn(rawBody: string | Uint8Array): WebhookEvent {
  const text = typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8');
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw new MalformedDelivery('The signed body is not JSON.');
  }
  if (typeof event !== 'object' || event === null || typeof (event as WebhookEvent).event_id !== 'string') {
    throw new MalformedDelivery('The signed body is not an event.');
  }
  return event as WebhookEvent;
}

function headerOf(headers: DeliveryHeaders, name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') throw new MissingSignature(`${name} is missing.`);
  return value;
}

function isHeaders(headers: DeliveryHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function list(value: OneOrMore): string[] {
  const all = typeof value === 'string' ? [value] : (value ?? []);
  return all.filter((one): one is string => typeof one === 'string' && one !== '');
}
