import { answer, TIMELINE } from '@constancia/http';

const { id, instant, list, map, number, object, orNull, text, uuid, whole } = answer;

export const OVERDUE = object({
  id: id('cas'),
  tenant_id: uuid,
  severity: text,
  status: text,
  due_at: instant,
  hours_over: whole,
  assignee: orNull(text),
  opened_at: instant,
  escalated_at: orNull(instant),
});

export const SCREENING = object({
  id: id('scr'),
  kind: { const: 'screening' },
  tenant_id: uuid,
  validation: text,
  trigger: text,
  step_run_id: orNull(id('stp')),
  decision: text,
  score: number,
  list_hits: list(text),
  list_versions: map(text),
  credits_debited: whole,
  case_id: orNull(id('cas')),
  created_at: instant,
  timeline: TIMELINE,
});

export const CASE = object({
  id: id('cas'),
  kind: { const: 'case' },
  tenant_id: uuid,
  status: text,
  severity: text,
  screening_id: id('scr'),
  opened_at: instant,
  due_at: instant,
  resolved_at: orNull(instant),
  timeline: TIMELINE,
});

export const LAG = object({ work: list(object({ module: text, kind: text, open: whole, oldest_seconds: whole })) });
