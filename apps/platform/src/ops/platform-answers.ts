import { answer } from '@constancia/http';

const { choice, instant, list, number, object, orNull, text, uuid, whole } = answer;

const HASH = { type: 'string', pattern: '^[0-9a-f]{64}$' };

export const ACT = object({
  seq: whole,
  type: text,
  at: instant,
  operator: text,
  tenant_id: orNull(uuid),
  data: { type: 'object', additionalProperties: true },
  prev_hash: HASH,
  hash: HASH,
});

export const CHAIN = {
  anyOf: [
    object({ valid: { const: true }, head: orNull(object({ seq: whole, hash: HASH })), acts: whole }),
    object({
      valid: { const: false },
      seq: whole,
      fault: choice(['gap', 'broken_link', 'altered', 'truncated', 'replaced']),
    }),
  ],
};

export const LEDGER = object({
  tenants: whole,
  entries: whole,
  archived_entries: whole,
  drift_credits: whole,
  open_holds: whole,
  stale_holds: whole,
  faults: list(
    object({ tenant_id: uuid, slug: orNull(text), what: text, expected: orNull(text), found: orNull(text) }),
  ),
});

export const LAG = object({
  outbox: object({ due: whole, oldest_due_seconds: whole, delivering: whole }),
  work: list(object({ module: text, kind: text, open: whole, oldest_seconds: number })),
  queues: list(
    object({
      queue: text,
      waiting: whole,
      active: whole,
      delayed: whole,
      failed: whole,
      oldest_waiting_seconds: whole,
    }),
  ),
});

export const HINTED = object({ hinted: whole });
