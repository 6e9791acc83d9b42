import { createHmac, timingSafeEqual } from 'node:crypto';
import { finding, type Query } from './finding.ts';

/** What a receiver got. */
export interface Receipt {
  headers: Record<string, unknown>;
  body: string;
}

/** The receivers of a tenant's events, and what they check with. */
export interface Receiving {
  tenantId: string;
  webhookSecret: string;
  receipts: readonly Receipt[];
}

/**
 * Points 6 and 7, from the receiver's side: everything that counts as delivered arrived, everything that arrived is signed, is the
 * event as stored and the same in every attempt.
 */
export async function brokenReceipts(query: Query, receiving: Receiving): Promise<string[]> {
  const { tenantId, webhookSecret, receipts } = receiving;
  const found: string[] = [];
  const stored = new Map(
    (
      await query<{ event_id: string; body: string; delivered: boolean }>(
        `select v.event_id, v.body, exists (select from platform.delivery d where d.event_id = v.event_id and d.status = 'delivered')
                as delivered from platform.event v where v.tenant_id = $1`,
        [tenantId],
      )
    ).map((event) => [event.event_id, event]),
  );
  const arrived = new Set<string>();
  for (const { headers, body } of receipts) {
    const id = String(headers['webhook-id']);
    arrived.add(id);
    if (!signed(headers, body, webhookSecret)) found.push(finding('a delivery that its signature does not fit', id));
    const event = stored.get(id);
    if (!event) found.push(finding('a delivery of an event that is not stored', id));
    else if (event.body !== body) found.push(finding('a delivery with another body than its event', id));
  }
  for (const [id, { delivered }] of stored)
    if (delivered && !arrived.has(id)) found.push(finding('delivered, and never received', id));
  return found;
}

function signed(headers: Record<string, unknown>, body: string, secret: string): boolean {
  const own = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
  const standard = `v1,${createHmac('sha256', key).update(content).update(body).digest('base64')}`;
  return same(own, String(headers['x-service-signature'])) && same(standard, String(headers['webhook-signature']));
}

function same(expected: string, given: string): boolean {
  return expected.length === given.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given));
}
