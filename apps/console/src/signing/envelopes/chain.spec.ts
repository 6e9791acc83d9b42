import { expect, it } from 'vitest';
import { chainHolds } from './chain.ts';
import type { TrailEvent } from './use-envelope.ts';

const NO_HASH = '0'.repeat(64);

async function linked(seq: number, prev_hash: string): Promise<TrailEvent> {
  const members = { at: '2026-11-27T10:00:00.000Z', data: { b: 1, a: 'ñ' }, ip: null, prev_hash, role: null, seq };
  const event = { ...members, signer_id: null, type: 'envelope.sent', user_agent: null } as const;
  const canonical =
    `{"at":"${event.at}","data":{"a":"ñ","b":1},"ip":null,"prev_hash":"${prev_hash}","role":null,"seq":${seq},` +
    `"signer_id":null,"type":"envelope.sent","user_agent":null}`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(prev_hash + canonical));
  const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { ...event, hash };
}

it('a trail holds until one of its events is changed, left out or moved', async () => {
  const first = await linked(1, NO_HASH);
  const second = await linked(2, first.hash);
  expect(await chainHolds([first, second])).toBe(true);
  expect(await chainHolds([first, { ...second, ip: '192.0.2.1' }])).toBe(false);
  expect(await chainHolds([second])).toBe(false);
  expect(await chainHolds([second, first])).toBe(false);
});
