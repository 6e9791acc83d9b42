import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { endpointIdOf, hintDeliveries } from './endpoint-id.ts';
import { eventRecord } from './event-record.ts';
import { signDelivery } from './signature.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const FORMER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const TENANT = '01936f1c-0000-7000-8000-000000000001';

describe('an event', () => {
  it('has its body written once, with the members of the published envelope in their order', () => {
    const record = eventRecord({
      tenantId: TENANT,
      module: 'seal',
      type: 'seal.signature.completed',
      payload: { request_id: 'sig_1', text: 'ñandú \u0000 😀' },
      occurredAt: new Date('2026-11-21T12:00:00.5Z'),
      eventId: '01936f1c-0000-7000-8000-000000000002',
    });
    expect(record.body).toBe(
      '{"event_id":"01936f1c-0000-7000-8000-000000000002","tenant_id":"01936f1c-0000-7000-8000-000000000001",' +
        '"module":"seal","event_type":"seal.signature.completed","occurred_at":"2026-11-21T12:00:00.500Z",' +
        '"payload":{"request_id":"sig_1","text":"ñandú \\u0000 😀"}}',
    );
    expect(record.traceparent).toBeNull();
  });

  it('of a type that its module does not have is refused', () => {
    const make = () => eventRecord({ tenantId: TENANT, module: 'seal', type: 'subject.verified', payload: {} });
    expect(make).toThrow(TypeError);
  });

  it('is hinted once per endpoint, by an id that both sides compute', () => {
    const hints: unknown[] = [];
    const record = eventRecord({ tenantId: TENANT, module: 'seal', type: 'endpoint.test', payload: {} });
    hintDeliveries({ hint: (...hint) => hints.push(hint) }, [record, record, { ...record, module: 'identity' }]);
    expect(hints).toEqual([
      ['webhook-delivery', { v: 1, endpoint_id: endpointIdOf(TENANT, 'seal') }, `ep-${endpointIdOf(TENANT, 'seal')}`],
      [
        'webhook-delivery',
        { v: 1, endpoint_id: endpointIdOf(TENANT, 'identity') },
        `ep-${endpointIdOf(TENANT, 'identity')}`,
      ],
    ]);
    expect(endpointIdOf(TENANT, 'seal')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});

describe('signatures', () => {
  const body = '{"a":"ñ😀"}';
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const signing = { secret: SECRET, eventId: '01936f1c-0000-7000-8000-000000000002', timestampSeconds };

  it('key X-Service-Signature by the whole secret string', () => {
    const headers = signDelivery(body, signing);
    const expected = createHmac('sha256', Buffer.from(SECRET, 'utf8')).update(Buffer.from(body, 'utf8')).digest('hex');
    expect(headers['X-Service-Signature']).toBe(`sha256=${expected}`);
    expect(headers).not.toHaveProperty('X-Service-Signature-Previous');
  });

  it('verify with the Standard Webhooks library, and fail there for another body or secret', () => {
    const headers = signDelivery(body, signing);
    expect(new Webhook(SECRET).verify(body, headers)).toEqual({ a: 'ñ😀' });
    expect(() => new Webhook(FORMER).verify(body, headers)).toThrow();
    expect(() => new Webhook(SECRET).verify(`${body} `, headers)).toThrow();
  });

  it('during a grace satisfy receivers that know either secret', () => {
    const headers = signDelivery(Buffer.from(body), { ...signing, previousSecret: FORMER });
    expect(new Webhook(SECRET).verify(body, headers)).toEqual({ a: 'ñ😀' });
    expect(new Webhook(FORMER).verify(body, headers)).toEqual({ a: 'ñ😀' });
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    expect(headers['X-Service-Signature']).toBe(signDelivery(body, signing)['X-Service-Signature']);
    const former = createHmac('sha256', FORMER).update(body).digest('hex');
    expect(headers['X-Service-Signature-Previous']).toBe(`sha256=${former}`);
  });
});
