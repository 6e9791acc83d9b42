import { answer } from '@constancia/http';
import { TENANT_STANDINGS } from '@constancia/contracts';
import { ENDPOINT } from './delivery-answers.ts';

const { choice, flag, id, instant, list, object, orNull, text, uuid, whole } = answer;

/** Credits: at the end. */
const CLOSING = object({
  requested_at: instant,
  requested_by: text,
  reason: orNull(text),
  closes_at: instant,
  closed_at: orNull(instant),
  credits_left: orNull(whole),
  credits_held: orNull(whole),
});

const TENANT_MEMBERS = {
  id: uuid,
  slug: text,
  display_name: text,
  plan: text,
  environment: text,
  created_at: instant,
  available: whole,
  held: whole,
  standing: choice(TENANT_STANDINGS),
  standing_since: orNull(instant),
  closing: orNull(CLOSING),
};
export const TENANT = object(TENANT_MEMBERS);

export const TENANT_DETAIL = object({
  ...TENANT_MEMBERS,
  open_holds: whole,
  keys: list(object({ prefix: text, status: text, created_at: instant, expires_at: orNull(instant) })),
  endpoints: list(ENDPOINT),
});

/** Key and secret are shown this once. */
export const CREATED_TENANT = object({
  tenant_id: uuid,
  slug: text,
  plan: text,
  environment: text,
  api_key: text,
  webhook_secret: text,
  created_at: instant,
  available: whole,
});

export const GRANT = object({
  balance: object({ available: whole, held: whole }),
  entry: object({
    id: id('led'),
    kind: text,
    amount: whole,
    balance_after: whole,
    ref_id: uuid,
    created_at: instant,
  }),
  repeated: flag,
});

export const PENDING_GRANT = object({
  id: uuid,
  tenant_id: uuid,
  slug: text,
  reference: text,
  credits: whole,
  reason: text,
  requested_by: text,
  status: choice(['pending', 'approved', 'withdrawn', 'expired']),
  ended_by: orNull(text),
  requested_at: instant,
  expires_at: instant,
  ended_at: orNull(instant),
});

export const ASKED_GRANT = object({ pending: PENDING_GRANT });
