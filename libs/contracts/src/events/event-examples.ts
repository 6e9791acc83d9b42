import type { EventType } from './event-catalogue.ts';

const ID = '01kamx6q7peqh8h51n8zq8y5hc';
const AT = '2026-11-21T12:00:00.000Z';
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const ownReference = { external_ref: 'loan-42', metadata: { branch: 'chapinero' } };
const signature = { request_id: `sig_${ID}`, template_id: `tpl_${ID}`, subject_ref: 'contract-42', ...ownReference };
const session = { session_id: `fls_${ID}`, subject_id: `sub_${ID}`, external_ref: 'customer-42' };
const presentation = { presentation_id: `wpr_${ID}`, external_ref: 'customer-42', metadata: { channel: 'app' } };
const envelope = { envelope_id: `env_${ID}`, circuit_id: `cir_${ID}`, ...ownReference };
const journey = { ...envelope, signer: { id: `sgn_${ID}`, role: 'customer' }, at: AT };
const seal = {
  document_sha256: SHA256,
  kms_key_arn: 'arn:aws:kms:us-east-1:000000000000:key/example',
  signature: SHA256.repeat(8),
  signed_at: AT,
  evidence_level: 'B-T',
};
const failure = { failure_code: 'invalid_pdf', failure_reason: 'The document is not a PDF.', credits_refunded: 0 };
const crediting = {
  topup_id: `top_${ID}`,
  amount_cop: 400_000,
  trm_used: '4123.45',
  payment_id: '114600000042',
  external_ref: 'order-42',
  metadata: { cost_centre: 'onboarding' },
};
const caseOf = { case_id: `cas_${ID}`, screening_id: `scr_${ID}`, subject_ref: 'customer-42' };

const EXAMPLES: Record<EventType, Record<string, unknown>> = {
  'subject.verified': {
    subject_id: `sub_${ID}`,
    external_ref: 'customer-42',
    kyc_status: 'approved',
    document_type: 'CC',
    document_country: 'CO',
    subject_age_years: 34,
    restrictive_list_hits: [],
  },
  'subject.rejected': { ...session, reason: 'face_mismatch' },
  'flow.session.manual_review': { ...session, reason: 'face_review' },
  'wallet.presentation.approved': {
    ...presentation,
    subject_id: `sub_${ID}`,
    claims: ['document_type', 'document_country', 'full_name'],
    level: 'document_face_liveness',
    verified_at: AT,
    approved_at: AT,
    credits_debited: 32,
  },
  'wallet.presentation.declined': presentation,
  'wallet.presentation.expired': presentation,
  'wallet.consent.revoked': { ...presentation, subject_id: `sub_${ID}`, revoked_at: AT },
  'wallet.sign_in.revoked': {
    client_id: `oic_${ID}`,
    sub: '3q2-7wXb0aJq1m2n3o4p5q6r7s8t9u0v1w2x3y4z5A0',
    revoked_at: AT,
  },
  'screening.completed': {
    screening_id: `scr_${ID}`,
    subject_ref: 'customer-42',
    decision: 'review',
    trigger: 'api',
  },
  'screening_batch.completed': {
    batch_id: `scb_${ID}`,
    external_ref: 'portfolio-2026-11',
    metadata: { branch: 'chapinero' },
    status: 'completed',
    rows: 25_000,
    processed: 25_000,
    credits_debited: 200_000,
  },
  'case.opened': caseOf,
  'case.resolved': { ...caseOf, decision: 'approve' },
  'seal.signature.completed': { ...signature, ...seal },
  'seal.signature.failed': { ...signature, ...failure },
  'seal.envelope.sent': { ...journey, signer: null },
  'seal.envelope.viewed': journey,
  'seal.envelope.not_me': journey,
  'seal.envelope.signed': journey,
  'seal.envelope.declined': journey,
  'seal.envelope.voided': { ...journey, signer: null },
  'seal.envelope.expired': { ...journey, signer: null },
  'seal.envelope.completed': { ...envelope, ...seal, signers: [{ role: 'customer', signed_at: AT }] },
  'seal.envelope.failed': { ...envelope, ...failure },
  'seal.envelope_batch.completed': {
    batch_id: `evb_${ID}`,
    circuit_id: `cir_${ID}`,
    external_ref: 'portfolio-2026-11',
    metadata: { branch: 'chapinero' },
    status: 'completed',
    rows: 2_500,
    processed: 2_500,
    skipped: 1,
    credits_debited: 99_960,
  },
  'endpoint.test': { endpoint_id: `whe_${ID}`, message: 'It works.' },
  'webhook.endpoint.disabled': {
    module: 'seal',
    url: 'https://hooks.example.com/constancia',
    reason: 'gone',
    disabled_at: AT,
    first_failure_at: AT,
  },
  'credits.balance.credited': { ...crediting, amount_credits: 9_700, balance_after: 10_700 },
  'credits.balance.reversed': { ...crediting, amount_credits: 9_700, balance_after: 1_000, reason: 'refunded' },
  'credits.balance.low': { balance_after: 480, low_balance_threshold: 500 },
};

/** A payload of this type for tests of receivers: nobody's data. Throws TypeError for a type that is not in the catalogue. */
export function exampleOf(type: string): Record<string, unknown> {
  const example = (EXAMPLES as Partial<Record<string, Record<string, unknown>>>)[type];
  if (!example) throw new TypeError(`there is no example of ${type}`);
  return example;
}
