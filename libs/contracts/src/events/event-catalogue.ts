import { ALL_LIST_CODES, DOCUMENT_TYPES } from '@constancia/reference-data';
import { shape } from '../shapes.ts';
import { WALLET_LEVELS } from '../wallet.ts';
import type { EVENT_TYPES, EVERY_MODULE_EVENT_TYPES } from '../modules.ts';
import {
  count,
  id,
  list,
  oneOf,
  orNull,
  ownReference,
  type PayloadMember,
  text,
  time,
  word,
} from './payload-members.ts';

export interface EventDescription {
  /** When it is emitted, as a sentence. */
  when: string;
  payload: Record<string, PayloadMember>;
  /** Reserved: the module that will emit it is not there yet. */
  planned?: true;
}

export type EventType =
  (typeof EVENT_TYPES)[keyof typeof EVENT_TYPES][number] | (typeof EVERY_MODULE_EVENT_TYPES)[number];

const CREDITING = {
  topup_id: id('The top-up, `top_…`.', 'top'),
  amount_cop: count('Amount of the top-up, in COP.'),
  trm_used: text('Exchange rate that the credits were priced with: COP for a USD.', shape.text(32)),
  payment_id: text("The payment, by the provider's id.", shape.text(128)),
  balance_after: { ...shape.signed, description: 'Balance afterwards.' } as const,
  ...ownReference('the top-up was created with'),
};

const SEALED_LEVEL = oneOf(
  'PAdES baseline level of the file as it was sealed. What it is extended to later: GET …/evidence of the signature or envelope.',
  'B-B',
  'B-T',
);

const SIGNATURE = {
  request_id: id('The signature request, `sig_…`. De-duplicate on it.', 'sig'),
  template_id: id('Its template, `tpl_…`.', 'tpl'),
  subject_ref: text('The reference that the request was made with.', shape.text(200)),
  ...ownReference('the request was created with'),
};

const SESSION = {
  session_id: id('The flow session, `fls_…`.', 'fls'),
  subject_id: id('The subject, `sub_…`.', 'sub'),
  external_ref: orNull(text('The reference that the session was opened with.', shape.text(200))),
  reason: word('Why, as a stable word.'),
};

const PRESENTATION = {
  presentation_id: id('The request, `wpr_…`. De-duplicate on it.', 'wpr'),
  ...ownReference('the request was made with'),
};

const ENVELOPE = {
  envelope_id: id('The envelope, `env_…`.', 'env'),
  circuit_id: id('Its circuit, `cir_…`.', 'cir'),
  ...ownReference('the envelope was created with'),
};

const JOURNEY = {
  ...ENVELOPE,
  signer: orNull({ type: 'object', description: '`{id, role}` of the signer; null where no single one is meant.' }),
  at: time('When it happened.'),
};

const SCREENING = {
  screening_id: id('The screening, `scr_…`.', 'scr'),
  subject_ref: text('The reference that the screening was made with.', shape.text(200)),
  decision: oneOf('`approve`, `review` or `reject`.', 'approve', 'review', 'reject'),
  trigger: oneOf(
    '`api`: it was asked for; `identity`: a step of an identity flow; `list_update`: a list changed.',
    'api',
    'identity',
    'list_update',
  ),
};

const CASE = {
  case_id: id('The case, `cas_…`.', 'cas'),
  screening_id: id('The screening that opened it, `scr_…`.', 'scr'),
  subject_ref: text('The reference that the screening was made with.', shape.text(200)),
};

/** What every event states, for the documentation and for tests. Payloads with further members stay compatible. */
export const EVENT_CATALOGUE: Record<EventType, EventDescription> = {
  'subject.verified': {
    when: 'An identity flow ended with approval.',
    payload: {
      subject_id: id('The subject, `sub_…`.', 'sub'),
      external_ref: orNull(text('The reference that the session was opened with.', shape.text(200))),
      kyc_status: oneOf('`approved`.', 'approved'),
      document_type: oneOf('CC, CE, TI, PA, PPT or NIT.', ...DOCUMENT_TYPES),
      document_country: text('ISO 3166-1 alpha-2.', { pattern: '^[A-Z]{2}$', maxLength: 2 }),
      subject_age_years: orNull(count('Age in full years; null when no step of the flow gave the birth date.')),
      restrictive_list_hits: list('Codes of the lists with a hit.', ALL_LIST_CODES.length, {
        type: 'string',
        enum: ALL_LIST_CODES,
      }),
    },
  },
  'subject.rejected': { when: 'An identity flow ended with rejection.', payload: SESSION },
  'flow.session.manual_review': { when: 'An identity flow waits for a person.', payload: SESSION },
  'wallet.presentation.approved': {
    when: 'A person approved a request for a kept verification; subject.verified comes with it.',
    payload: {
      ...PRESENTATION,
      subject_id: id('The subject, `sub_…`.', 'sub'),
      claims: list('What the person gave, by name.', 10, { type: 'string', ...shape.word }),
      level: oneOf('What the verification looked at.', ...WALLET_LEVELS),
      verified_at: time('When the verification was made.'),
      approved_at: time('When the person approved.'),
      credits_debited: count('Credits that it cost.'),
    },
  },
  'wallet.presentation.declined': {
    when: 'A person declined a request, and asked us to say so.',
    payload: PRESENTATION,
  },
  'wallet.presentation.expired': {
    when: 'A request was not approved in time, whether or not the person has a wallet, was reached, or declined.',
    payload: PRESENTATION,
  },
  'wallet.consent.revoked': {
    when: 'A person withdrew the consent to a request that was approved.',
    payload: {
      ...PRESENTATION,
      subject_id: id('The subject, `sub_…`.', 'sub'),
      revoked_at: time('When.'),
    },
  },
  'wallet.sign_in.revoked': {
    when: 'A person withdrew the consent to a sign-in to an application: the tokens that it got for it have ended.',
    payload: {
      client_id: id('The client of the OpenID provider, `oic_…`.', 'oic'),
      sub: text('The person, as ID tokens of your clients name them.', {
        pattern: '^[A-Za-z0-9_-]{43}$',
        maxLength: 43,
      }),
      revoked_at: time('When.'),
    },
  },
  'screening.completed': { when: 'A screening has its decision.', payload: SCREENING },
  'screening_batch.completed': {
    when: 'Every row of a screening batch is done, or the batch was given up after seven days.',
    payload: {
      batch_id: id('The batch, `scb_…`.', 'scb'),
      ...ownReference('the batch was created with'),
      status: oneOf('`completed`, or `failed` when it was given up.', 'completed', 'failed'),
      rows: count('Rows of the batch.'),
      processed: count('Rows that are done.'),
      credits_debited: count('Credits that its screenings cost.'),
    },
  },
  'case.opened': { when: 'A screening opened a case.', payload: CASE },
  'case.resolved': {
    when: 'A case was resolved, and nothing about it is reserved.',
    payload: {
      ...CASE,
      decision: oneOf('`approve`, `reject` or `false_positive`.', 'approve', 'reject', 'false_positive'),
    },
  },
  'seal.signature.completed': {
    when: 'A signature request became `signed`.',
    payload: {
      ...SIGNATURE,
      document_sha256: text('SHA-256 of the sealed PDF, hex.', shape.sha256),
      kms_key_arn: text('The key that signed.', shape.keyArn),
      signature: text('RSASSA-PKCS1-v1_5 over that digest, hex.', shape.signature),
      signed_at: time('When it was signed.'),
      evidence_level: SEALED_LEVEL,
    },
  },
  'seal.signature.failed': {
    when: 'A signature request became `failed`.',
    payload: {
      ...SIGNATURE,
      failure_code: word('A stable word, as in GET /v1/signatures/{id}.'),
      failure_reason: text('The same as a sentence.', shape.text(2000)),
      credits_refunded: count('Credits given back; 0 when the input was the reason.'),
    },
  },
  'seal.envelope.sent': { when: 'An envelope was created and its first signers may sign.', payload: JOURNEY },
  'seal.envelope.viewed': { when: 'A signer who has authenticated was shown the document.', payload: JOURNEY },
  'seal.envelope.not_me': {
    when: 'The person who opened the link of a signer said that it is not theirs: the link stops working until you create a new one.',
    payload: JOURNEY,
  },
  'seal.envelope.signed': { when: 'A signer signed.', payload: JOURNEY },
  'seal.envelope.declined': {
    when: 'A signer declined: nobody can sign the envelope any more. GET /v1/envelopes/{id} has the reason.',
    payload: JOURNEY,
  },
  'seal.envelope.voided': {
    when: 'The tenant voided an envelope. GET /v1/envelopes/{id} has the reason.',
    payload: JOURNEY,
  },
  'seal.envelope.expired': { when: 'An envelope was not signed in time.', payload: JOURNEY },
  'seal.envelope.completed': {
    when: 'All signers have signed and the envelope is sealed.',
    payload: {
      ...ENVELOPE,
      document_sha256: text('SHA-256 of the sealed PDF, hex.', shape.sha256),
      kms_key_arn: text('The key that signed.', shape.keyArn),
      signature: text('RSASSA-PKCS1-v1_5 over that digest, hex.', shape.signature),
      signed_at: time('When it was sealed.'),
      evidence_level: SEALED_LEVEL,
      signers: list('`{role, signed_at}` of each signer.', 20, {
        type: 'object',
        required: ['role', 'signed_at'],
        properties: {
          role: { type: 'string', ...shape.role },
          signed_at: { type: 'string', format: 'date-time' },
        },
      }),
    },
  },
  'seal.envelope.failed': {
    when: 'All signers have signed and the document cannot be sealed.',
    payload: {
      ...ENVELOPE,
      failure_code: word('A stable word, as in GET /v1/envelopes/{id}.'),
      failure_reason: text('The same as a sentence.', shape.text(2000)),
      credits_refunded: count('Credits given back; 0 when the input was the reason.'),
    },
  },
  'seal.envelope_batch.completed': {
    when: 'Every row of an envelope batch is done, or the batch was given up after seven days.',
    payload: {
      batch_id: id('The batch, `evb_…`.', 'evb'),
      circuit_id: id('Its circuit, `cir_…`.', 'cir'),
      external_ref: orNull(text('The reference that the batch was created with.', shape.text(200))),
      metadata: { type: 'object', description: 'What the batch was created with.' } as const,
      status: oneOf('`completed`, or `failed` when it was given up.', 'completed', 'failed'),
      rows: count('Rows of the batch.'),
      processed: count('Rows that are done.'),
      skipped: count('Rows among them without an envelope.'),
      credits_debited: count('Credits that its envelopes cost.'),
    },
  },
  'endpoint.test': {
    when: 'A test delivery was asked for.',
    payload: { endpoint_id: id('The endpoint, `whe_…`.', 'whe'), message: text('A greeting.', shape.text(200)) },
  },
  'webhook.endpoint.disabled': {
    when: "An endpoint was disabled: it answered 410, or failed for 5 days. Delivered to the tenant's other endpoints.",
    payload: {
      module: oneOf(
        'Whose endpoint: identity, compliance, seal or billing.',
        'identity',
        'compliance',
        'seal',
        'billing',
      ),
      url: { type: 'string', format: 'uri', description: 'Its address.' },
      reason: word('Why, as a stable word.'),
      disabled_at: time('Since when nothing is delivered.'),
      first_failure_at: orNull(time('When the unbroken row of failures began.')),
    },
  },
  'credits.balance.credited': {
    when: 'A payment was credited, or a dispute of a payment was won and its credits came back.',
    payload: {
      ...CREDITING,
      amount_credits: count('Credits added.'),
    },
  },
  'credits.balance.reversed': {
    when: 'Credits of a payment were taken back: it was refunded, in whole or in part, or charged back. The balance may become negative.',
    payload: {
      ...CREDITING,
      amount_credits: count('Credits taken back.'),
      reason: oneOf('Why.', 'refunded', 'charged_back'),
    },
  },
  'credits.balance.low': {
    when: 'The available credits fell below the threshold of PUT /v1/billing/settings. Once each time that they fall below it.',
    payload: {
      balance_after: { ...shape.signed, description: 'Available credits, after what made them fall below.' },
      low_balance_threshold: { ...shape.wide, description: 'The threshold.' },
    },
  },
};
