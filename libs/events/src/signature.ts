import { createHmac } from 'node:crypto';

/** What a delivery is signed with. Secrets in the form the tenant was given: `whsec_` and base64 of 32 bytes. */
export interface DeliverySigning {
  secret: string;
  /** The former secret while its grace lasts. */
  previousSecret?: string | null;
  eventId: string;
  timestampSeconds: number;
}

const PREFIX = 'whsec_';

function ownSignature(body: string | Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function standardSignature(signed: string, body: string | Buffer, secret: string): string {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
  return `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`;
}

/**
 * The signature headers of one attempt.
 *
 * X-Service-Signature: `sha256=` and the hex HMAC-SHA256 of the raw body; the key is the whole secret string as UTF-8.
 * X-Service-Signature-Previous: the same by the former secret, during its grace only.
 * webhook-id, -timestamp, -signature: Standard Webhooks 1.0.0 (`{id}.{timestamp}.{body}`, the key is the base64 part);
 * during a grace both signatures, separated by a space, the current one first.
 */
export function signDelivery(body: string | Buffer, signing: DeliverySigning): Record<string, string> {
  const { secret, previousSecret, eventId, timestampSeconds } = signing;
  const signed = `${eventId}.${timestampSeconds}.`;
  const current = standardSignature(signed, body, secret);
  const headers: Record<string, string> = {
    'X-Service-Signature': ownSignature(body, secret),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': previousSecret ? `${current} ${standardSignature(signed, body, previousSecret)}` : current,
  };
  if (previousSecret) headers['X-Service-Signature-Previous'] = ownSignature(body, previousSecret);
  return headers;
}
