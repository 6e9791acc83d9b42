import { answer } from '@constancia/http';
import { REPLAY_RUN_STATUSES } from '../webhook-replays/replay-run.ts';

const { choice, flag, id, instant, list, object, orNull, text, uuid, whole } = answer;

const DELIVERY_MEMBERS = {
  id: id('dlv'),
  tenant_id: uuid,
  slug: text,
  module: text,
  endpoint_id: id('whe'),
  event_id: uuid,
  event_type: text,
  status: text,
  attempts: whole,
  last_http_status: orNull(whole),
  last_error: orNull(text),
  last_attempt_at: orNull(instant),
  next_attempt_at: orNull(instant),
  replay_run_id: orNull(id('run')),
  delivered_at: orNull(instant),
  created_at: instant,
};
export const DELIVERY = object(DELIVERY_MEMBERS);

const ATTEMPT = object({
  number: whole,
  at: instant,
  duration_ms: whole,
  http_status: orNull(whole),
  error_code: orNull(text),
  error_detail: orNull(text),
  response_excerpt: orNull(text),
});
const ATTEMPTED_AT = object({
  id: id('whe'),
  url: text,
  enabled: flag,
  disabled_reason: orNull(text),
  paused_until: orNull(instant),
  consecutive_failures: whole,
});

export const DELIVERY_DETAIL = object({
  ...DELIVERY_MEMBERS,
  endpoint: orNull(ATTEMPTED_AT),
  attempts_list: list(ATTEMPT),
  trace_id: orNull(text),
  event_kept: flag,
});

/** A delivery as a part of the trace of its event. */
export const TRACED_DELIVERY = object({ ...DELIVERY_MEMBERS, endpoint: id('whe'), attempts_list: list(ATTEMPT) });

export const ENDPOINT = object({
  id: id('whe'),
  tenant_id: uuid,
  slug: text,
  module: text,
  url: text,
  enabled: flag,
  event_types: list(text),
  disabled_reason: orNull(text),
  paused_until: orNull(instant),
  consecutive_failures: whole,
  first_failure_at: orNull(instant),
  due: whole,
});

export const RUN = object({
  id: id('run'),
  status: choice(REPLAY_RUN_STATUSES),
  dry_run: flag,
  matched: whole,
  replayed: whole,
  skipped: whole,
  rate: orNull(whole),
  max: whole,
  filter: object({
    tenant_id: orNull(uuid),
    slug: orNull(text),
    all_tenants: flag,
    status: list(choice(['failed', 'delivered'])),
    module: orNull(text),
    event_type: orNull(text),
    since: orNull(instant),
    until: orNull(instant),
  }),
  operator: orNull(text),
  reason: orNull(text),
  created_at: instant,
  finished_at: orNull(instant),
});
