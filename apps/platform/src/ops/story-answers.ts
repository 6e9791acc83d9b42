import { answer, TIMELINE } from '@constancia/http';
import { TRACED_DELIVERY } from './delivery-answers.ts';

const { id, instant, list, object, orNull, text, uuid, whole } = answer;

export const TRACE = object({
  event: object({
    event_id: uuid,
    tenant_id: uuid,
    slug: text,
    module: text,
    event_type: text,
    occurred_at: instant,
    trace_id: orNull(text),
    about: orNull(object({ type: text, id: text })),
  }),
  summary: text,
  ledger: list(object({ at: instant, kind: text, amount: whole, ref: text, id: id('led') })),
  deliveries: list(TRACED_DELIVERY),
  timeline: TIMELINE,
});

export const SESSION = object({
  id: id('fls'),
  kind: { const: 'flow_session' },
  tenant_id: uuid,
  flow_id: id('flw'),
  status: text,
  current_step: orNull(text),
  rejection_reason: orNull(text),
  case_id: orNull(text),
  created_at: instant,
  expires_at: instant,
  completed_at: orNull(instant),
  step_runs: list(
    object({
      id: id('stp'),
      step_type: text,
      attempt: whole,
      status: text,
      outcome: orNull(text),
      reason: orNull(text),
      claims: whole,
    }),
  ),
  timeline: TIMELINE,
});

export const SUBJECT = object({
  id: id('sub'),
  kind: { const: 'subject' },
  tenant_id: uuid,
  sessions: list(object({ id: id('fls'), status: text })),
  timeline: TIMELINE,
});

export const EVENTS = object({
  data: list(object({ event_id: uuid, module: text, event_type: text, occurred_at: instant })),
});
