import type { EVENT_TYPES, EVERY_MODULE_EVENT_TYPES } from './modules.ts';

/** A member of an event's payload. `nullable`: null where there is none. */
export interface PayloadMember {
  type: 'string' | 'integer' | 'object' | 'array';
  format?: 'date-time' | 'uri';
  description: string;
  nullable?: true;
}

export interface EventDescription {
  /** When it is emitted, as a sentence. */
  when: string;
  payload: Record<string, PayloadMember>;
  /** Reserved: the module that will emit it is not there yet. */
  planned?: true;
}

type EventType = (typeof EVENT_TYPES)[keyof typeof EVENT_TYPES][number] | (typeof EVERY_MODULE_EVENT_TYPES)[number];

const text = (description: string): PayloadMember => ({ type: 'string', description });
const count = (description: string): PayloadMember => ({ type: 'integer', description });
const time = (description: string): PayloadMember => ({ type: 'string', format: 'date-time', description });
const list = (description: string): PayloadMember => ({ type: 'array', description });
const orNull = (member: PayloadMember): PayloadMember => ({ ...member, nullable: true });

const SIGNATURE = {
  request_id: text('The signature request, `sig_…`. De-duplicate on it.'),
  template_id: text('Its template, `tpl_…`.'),
  subject_ref: text('The reference that the request was made with.'),
};

const SESSION = {
  session_id: text('The flow session, `fls_…`.'),
  subject_id: text('The subject, `sub_…`.'),
  external_ref: orNull(text('The reference that the session was opened with.')),
  reason: text('Why, as a stable word.'),
};

const ENVELOPE = {
  envelope_id: text('The envelope, `env_…`.'),
  circuit_id: text('Its circuit, `cir_…`.'),
};

const JOURNEY = {
  ...ENVELOPE,
  signer: orNull({ type: 'object', description: '`{id, role}` of the signer; null where no single one is meant.' }),
  at: time('When it happened.'),
};

const SCREENING = {
  screening_id: text('The screening, `scr_…`.'),
  subject_ref: text('The reference that the screening was made with.'),
  decision: text('`approve`, `review` or `reject`.'),
  trigger: text('`api`: it was asked for; `identity`: a step of an identity flow; `list_update`: a list changed.'),
};

const CASE = {
  case_id: text('The case, `cas_…`.'),
  screening_id: text('The screening that opened it, `scr_…`.'),
  subject_ref: text('The reference that the screening was made with.'),
};

/** What every event tells, for the documentation and for tests. Payloads with further members stay compatible. */
export const EVENT_CATALOGUE: Record<EventType, EventDescription> = {
  'subject.verified': {
    when: 'An identity flow ended with approval.',
    payload: {
      subject_id: text('The subject, `sub_…`.'),
      external_ref: orNull(text('The reference that the session was opened with.')),
      kyc_status: text('`approved`.'),
      document_type: text('CC, CE, TI, PA, PPT or NIT.'),
      document_country: text('ISO 3166-1 alpha-2.'),
      subject_age_years: orNull(count('Age in full years; null when no step of the flow told the birth date.')),
      restrictive_list_hits: list('Codes of the lists with a hit.'),
    },
  },
  'subject.rejected': { when: 'An identity flow ended with rejection.', payload: SESSION },
  'flow.session.manual_review': { when: 'An identity flow waits for a person.', payload: SESSION },
  'screening.completed': { when: 'A screening has its decision.', payload: SCREENING },
  'case.opened': { when: 'A screening opened a case.', payload: CASE },
  'case.resolved': {
    when: 'A case was resolved, and nothing about it is reserved.',
    payload: { ...CASE, decision: text('`approve`, `reject` or `false_positive`.') },
  },
  'seal.signature.completed': {
    when: 'A signature request became `signed`.',
    payload: {
      ...SIGNATURE,
      document_sha256: text('SHA-256 of the sealed PDF, hex.'),
      kms_key_arn: text('The key that signed.'),
      signature: text('RSASSA-PKCS1-v1_5 over that digest, hex.'),
      signed_at: time('When it was signed.'),
    },
  },
  'seal.signature.failed': {
    when: 'A signature request became `failed`.',
    payload: {
      ...SIGNATURE,
      failure_code: text('A stable word, as in GET /v1/signatures/{id}.'),
      failure_reason: text('The same as a sentence.'),
      credits_refunded: count('Credits given back; 0 when the input was the reason.'),
    },
  },
  'seal.envelope.sent': { when: 'An envelope was created and its first signers may sign.', payload: JOURNEY },
  'seal.envelope.viewed': { when: 'A signer opened the link.', payload: JOURNEY },
  'seal.envelope.signed': { when: 'A signer signed.', payload: JOURNEY },
  'seal.envelope.declined': {
    when: 'A signer declined: nobody can sign the envelope any more.',
    payload: { ...JOURNEY, reason: text('Why, in the words of the signer.') },
  },
  'seal.envelope.voided': {
    when: 'The tenant voided an envelope.',
    payload: { ...JOURNEY, reason: text('Why, as the tenant gave it.') },
  },
  'seal.envelope.expired': { when: 'An envelope was not signed in time.', payload: JOURNEY },
  'seal.envelope.completed': {
    when: 'All signers have signed and the envelope is sealed.',
    payload: {
      ...ENVELOPE,
      document_sha256: text('SHA-256 of the sealed PDF, hex.'),
      kms_key_arn: text('The key that signed.'),
      signature: text('RSASSA-PKCS1-v1_5 over that digest, hex.'),
      signed_at: time('When it was sealed.'),
      signers: list('`{role, signed_at}` of each signer.'),
    },
  },
  'seal.envelope.failed': {
    when: 'All signers have signed and the document cannot be sealed.',
    payload: {
      ...ENVELOPE,
      failure_code: text('A stable word, as in GET /v1/envelopes/{id}.'),
      failure_reason: text('The same as a sentence.'),
      credits_refunded: count('Credits given back; 0 when the input was the reason.'),
    },
  },
  'endpoint.test': {
    when: 'A test delivery was asked for.',
    payload: { endpoint_id: text('The endpoint, `whe_…`.'), message: text('A greeting.') },
  },
  'webhook.endpoint.disabled': {
    when: "An endpoint was disabled: it answered 410, or failed for 5 days. Delivered to the tenant's other endpoints.",
    payload: {
      module: text('Whose endpoint: identity, compliance or seal.'),
      url: { type: 'string', format: 'uri', description: 'Its address.' },
      reason: text('Why, as a stable word.'),
      disabled_at: time('Since when nothing is delivered.'),
      first_failure_at: orNull(time('When the unbroken row of failures began.')),
    },
  },
  'credits.balance.credited': {
    when: 'A payment was credited.',
    planned: true,
    payload: {
      amount_credits: count('Credits added.'),
      amount_cop: count('Amount paid, in COP.'),
      trm_used: text('Exchange rate used.'),
      payment_id: text('The payment.'),
      balance_after: count('Balance afterwards.'),
    },
  },
};
