import { canonicalJson } from '@constancia/kernel/canonical-json';
import type { TrailEvent } from './use-envelope.ts';

/** Whether each event of a trail, from the first one on, follows from the one before: docs/guides/verify-timeline.md. */
export async function chainHolds(trail: readonly TrailEvent[]): Promise<boolean> {
  let before = '0'.repeat(64);
  for (const [index, { hash, ...event }] of trail.entries()) {
    const computed = await sha256(event.prev_hash + canonicalJson(event));
    if (event.seq !== index + 1 || event.prev_hash !== before || computed !== hash) return false;
    before = hash;
  }
  return true;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
