import { answer, TIMELINE } from '@constancia/http';

const { choice, id, instant, list, object, orNull, text, uuid, whole } = answer;

export const SEAL = object({
  id: { anyOf: [id('sig'), id('env')] },
  kind: choice(['signature_request', 'envelope']),
  tenant_id: uuid,
  status: text,
  attempts: whole,
  faults: whole,
  last_setback: orNull(text),
  failure_reason: orNull(text),
  created_at: instant,
  next_attempt_at: orNull(instant),
  leased_until: orNull(instant),
});

/** What both kinds of a story have in common. */
const SEALED = {
  tenant_id: uuid,
  status: text,
  attempts: whole,
  faults: whole,
  strandings: whole,
  failure_code: orNull(text),
  failure_reason: orNull(text),
  credits_debited: whole,
  credits_refunded: whole,
  created_at: instant,
  signed_at: orNull(instant),
  trace_id: orNull(text),
  timeline: TIMELINE,
};

export const SIGNATURE = object({
  ...SEALED,
  id: id('sig'),
  kind: { const: 'signature_request' },
  template_id: id('tpl'),
});

export const ENVELOPE = object({
  ...SEALED,
  id: id('env'),
  kind: { const: 'envelope' },
  circuit_id: id('cir'),
  last_setback: orNull(text),
  expires_at: instant,
  ended_at: orNull(instant),
});

export const LAG = object({ work: list(object({ module: text, kind: text, open: whole, oldest_seconds: whole })) });
