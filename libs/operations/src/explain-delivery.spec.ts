import { describe, expect, it } from 'vitest';
import { type DeliveryToExplain, explainDelivery, explainNoDelivery } from './explain-delivery.ts';
import type { Locale } from './explain-texts.ts';

const NOW = Date.parse('2026-11-21T03:00:00Z');
const ENDPOINT = { id: 'whe_1', enabled: true, disabled_reason: null, paused_until: null };
const DELIVERY: DeliveryToExplain = {
  ...{ id: 'dlv_1', status: 'pending', attempts: 0, last_error: null, last_http_status: null },
  ...{ next_attempt_at: '2026-11-21T02:59:00Z', created_at: '2026-11-21T02:59:00Z', endpoint: ENDPOINT },
};
const explain = (delivery: Partial<DeliveryToExplain>, locale: Locale = 'en') =>
  explainDelivery({ ...DELIVERY, ...delivery }, locale, (iso) => iso.slice(11, 16), NOW);

const disabled = { ...ENDPOINT, enabled: false, disabled_reason: 'failing' };

describe('why an event did not arrive', () => {
  it.each<[about: string, delivery: Partial<DeliveryToExplain>, says: RegExp, steps: string[]]>([
    ['due and untouched', {}, /^It was not tried yet: it is due since 02:59/, ['lag']],
    ['paused', { endpoint: { ...ENDPOINT, paused_until: '2026-11-21T04:00:00Z' } }, /paused until 04:00/, ['resume']],
    ['a pause that is over', { endpoint: { ...ENDPOINT, paused_until: '2026-11-21T02:00:00Z' } }, /not tried/, ['lag']],
    ['disabled', { endpoint: disabled }, /waits: its endpoint is disabled \(failing\)/, ['resume']],
    ['on its way', { status: 'delivering' }, /being sent/, ['show']],
    [
      'between attempts',
      { attempts: 3, last_error: 'http_status', last_http_status: 503, next_attempt_at: '2026-11-21T05:00:00Z' },
      /next attempt, in 2 h: the receiver answered 503 instead of 2xx/,
      ['show', 'replay'],
    ],
    ['delivered', { status: 'delivered', attempts: 1, last_http_status: 204 }, /attempt 1 .* 204/, ['show', 'replay']],
    ['failed', { status: 'failed', attempts: 12, last_error: 'tls_failed' }, /12 attempts: no trusted TLS/, ['replay']],
    ['failed without', { status: 'failed', last_error: 'endpoint_disabled', endpoint: disabled }, /without an attempt/, ['resume', 'replay']], // prettier-ignore
    ['its endpoint deleted', { status: 'failed', last_error: 'endpoint_deleted', endpoint: null }, /disabled|deleted/, ['show']], // prettier-ignore
    ['too old', { status: 'failed', attempts: 1, last_error: 'event_expired' }, /never be sent again/, ['show']],
    ['an error of tomorrow', { status: 'failed', attempts: 2, last_error: 'quantum' }, /failed: quantum/, ['replay']],
  ])('is said when it is %s', (_, delivery, says, steps) => {
    const { sentences, steps: found } = explain(delivery);
    expect(sentences.join(' ')).toMatch(says);
    expect(found.map((step) => step.do)).toEqual(steps);
    const spanish = explain(delivery, 'es-CO').sentences;
    expect(spanish).toHaveLength(sentences.length);
    expect(spanish.join(' ')).not.toMatch(/[{}?]|undefined|null/);
  });

  it('is said when there is no delivery', () => {
    const event = { module: 'seal', event_type: 'seal.signature.completed' };
    const none = (endpoint?: { event_types?: string[] }) =>
      explainNoDelivery(event, endpoint && { event_types: [], ...endpoint }, 'en').sentences[0];
    expect(none()).toContain('has no endpoint for seal');
    expect(none({ event_types: ['seal.envelope.sent'] })).toContain('not subscribed to seal.signature.completed');
    expect(none({})).toContain('only after the event');
  });
});
