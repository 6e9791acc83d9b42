import { endpointIdOf } from '@constancia/events';
import { uuidOf, uuidv7 } from '@constancia/kernel';
import { copiesOf } from '@constancia/testing/history';
import type { TestDatabase } from '@constancia/testing/test-database';
import { eventually, type TestStack } from '@constancia/testing';
import { manyCases } from '../../apps/compliance/src/cases/many-cases.fixture.ts';
import { writeEntries } from '../../apps/platform/src/billing/usage/many-entries.fixture.ts';
import { manyDeliveries } from '../../apps/platform/src/webhook-deliveries/many-deliveries.fixture.ts';
import { contractPdf, type Integrator, requestSignature, signUp, uploadTemplate } from '../e2e/deployment.fixture.ts';
import { subjectBody } from './screened-subjects.ts';

/** A type, a status and a reference that the oldest rows alone have, or none. */
export const RARE_TYPE = 'credits.balance.low';

/** Tables that are filled: what stands in the report of bytes per row. */
export const FILLED = [
  'platform.credit_entry',
  'platform.event',
  'platform.delivery',
  'identity.subject',
  'identity.flow_session',
  'compliance.screening',
  'compliance.monitored_subject',
  'compliance.review_case',
  'signing.signature_request',
  'signing.envelope',
];

/** A tenant with a history of one row of everything, made through the API. */
export interface Grown {
  integrator: Integrator;
  rareEndpoint: string;
  templateId: string;
  /** Of the screening, as JSON text. */
  result: string;
  /** Of the row that the history of a table is copied from. */
  ids: Record<'screening' | 'subject' | 'session' | 'signature' | 'envelope', string>;
}

export async function tenantToGrow(stack: TestStack): Promise<Grown> {
  const integrator = await signUp(stack);
  const post = poster(integrator.apiKey);
  const compliance = `${stack.complianceUrl}/v1`;
  const validation = await post<{ id: string }>(`${compliance}/validations`);
  await post(`${compliance}/rules/seed-defaults`, { validation_id: validation.id, subject_type: 'both' });
  await post(`${compliance}/validations/${validation.id}/publish`);
  const screen = () => post<{ id: string }>(`${compliance}/screenings`, subjectBody(7));
  const screening = await eventually(screen, 60_000); // the lists of a sandbox are loaded after the start
  await post(`${stack.baseUrl}/v1/flows/seed-default`);
  const opened = { document_type: 'CC', document_number: '1098765432', country: 'CO' };
  const session = await post<{ id: string; subject_id: string }>(`${stack.baseUrl}/v1/flows/sessions`, opened);
  const templateId = await uploadTemplate(stack, integrator);
  const signature = (await (await requestSignature(stack, integrator, templateId)).json()) as { id: string };
  const envelope = await envelopeOf(stack, integrator);
  const ids = { screening: screening.id, subject: session.subject_id, session: session.id };
  const result = JSON.stringify(screening);
  return { integrator, rareEndpoint: uuidv7(), templateId, result, ids: { ...ids, signature: signature.id, envelope } };
}

/** Fills every table of a tenant with so many rows, nearly all of them of what ended, as old as five years. */
export async function grow(
  store: TestDatabase,
  { integrator, rareEndpoint, ids, result }: Grown,
  rows: number,
): Promise<void> {
  const { tenantId } = integrator;
  const id = (prefix: Parameters<typeof uuidOf>[0], name: keyof Grown['ids']) => uuidOf(prefix, ids[name]) as string;
  const at = 'now() - make_interval(secs => n)';
  // Its rows are in the clear: what seals those of an earlier release would be at work for as long as the bench measures.
  await store.query('update compliance.sealing_progress set done_at = now() where done_at is null');
  const count = rows;
  await writeEntries(store, tenantId, Math.ceil(rows / 10) * 10, 1_800);
  const rare = { endpointId: rareEndpoint, eventType: RARE_TYPE };
  await manyDeliveries(store, { tenantId, count, endpointId: endpointIdOf(tenantId, 'seal'), rare });
  await manyCases(store, tenantId, { count, stepSeconds: FIVE_YEARS_SECONDS / count });
  await store.query(
    `update compliance.review_case
        set status = 'resolved', resolved_at = least(opened_at + ${TIME_TO_RESOLVE}, now()), decision = 'approve'
      where tenant_id = $1 and status = 'open' and opened_at < now() - interval '1 hour'`,
    [tenantId],
  );
  await copiesOf(store, 'identity.subject', id('sub', 'subject'), {
    ...{ count, kyc_status: `'approved'`, external_ref: `'customer-' || n`, document_type: `'CC'`, created_at: at },
    ...{ wrapped_key: 'null::bytea', sealed: 'null::bytea', erased_at: 'now()' }, // a sealed value opens in the row with its id only
  });
  await copiesOf(store, 'identity.flow_session', id('fls', 'session'), {
    ...{ count, status: `'failed'`, rejection_reason: `'expired'`, current_step: 'null::text', created_at: at },
    external_ref: `'customer-' || n`,
    token_hash: UNIQUE_BYTES,
    completed_at: 'now() - make_interval(days => n % 1800)',
  });
  await copiesOf(store, 'compliance.screening', id('scr', 'screening'), {
    ...{ count, subject_ref: `'customer-' || n`, created_at: at, case_id: 'null::uuid', ...inTheClear(result) },
  });
  await copiesOf(store, 'signing.signature_request', id('sig', 'signature'), {
    ...{ count, status: `'signed'`, subject_ref: `'customer-' || n`, ...SEALED, signed_at: at, created_at: at },
  });
  await copiesOf(store, 'signing.envelope', id('env', 'envelope'), {
    ...{
      count,
      status: `'voided'`,
      public_id: `replace(gen_random_uuid()::text, '-', '')`,
      created_at: at,
      ended_at: at,
      sealed_words: 'null::bytea', // a sealed value opens in the row with its id only
    },
  });
  await store.query('vacuum analyze');
}

const FIVE_YEARS_SECONDS = 5 * 365 * 86_400;

/** From twelve minutes to 80 hours, as many short as long ones. */
const TIME_TO_RESOLVE = `exp(('x' || right(id::text, 6))::bit(24)::int / 16777216.0::float8 * 6) * interval '12 minutes'`;

/** A screening that is not sealed: a sealed value opens in the row with its id only. A trigger writes the monitored subject. */
const inTheClear = (result: string) => ({
  facts: `'{"payload": {"full_name": "Persona Ficticia"}}'::jsonb`,
  result: `'${result.replaceAll("'", "''")}'`,
  ...{ subject_key_id: 'null::uuid', sealed_payload: 'null::bytea', sealed_facts: 'null::bytea', sealed_result: 'null::bytea' },
}); // prettier-ignore

const UNIQUE_BYTES = `'\\x' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`;

const SEALED = {
  document_sha256: UNIQUE_BYTES,
  document_key: `'documents/' || n`,
  document_size: '48000',
  kms_key_arn: `'arn:aws:kms:us-east-1:000000000000:key/bench'`,
  signature: `'\\x' || repeat('ab', 256)`,
  signature_algorithm: `'RSASSA_PKCS1_V1_5_SHA_256'`,
};

/** A post as a tenant. */
export function poster(apiKey: string) {
  return async <Body>(url: string, body: object = {}): Promise<Body> => send<Body>(apiKey, 'POST', url, body);
}

async function send<Body>(apiKey: string, method: string, url: string, body: object | Uint8Array): Promise<Body> {
  const isFile = body instanceof Uint8Array;
  const headers = { 'X-API-Key': apiKey, 'Content-Type': isFile ? 'application/pdf' : 'application/json' };
  const response = await fetch(url, { method, headers, body: isFile ? new Uint8Array(body) : JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return JSON.parse(text || 'null') as Body;
}

/** An envelope for one signer, who is not mailed. */
async function envelopeOf({ signingUrl }: TestStack, { apiKey }: Integrator): Promise<string> {
  const post = poster(apiKey);
  const circuit = await post<{ id: string }>(`${signingUrl}/v1/circuits`, { code: 'growth', name: 'Growth' });
  const path = `${signingUrl}/v1/circuits/${circuit.id}`;
  await send(apiKey, 'POST', `${path}/base-pdf`, await contractPdf());
  await send(apiKey, 'PUT', `${path}/definition`, {
    signers: [{ role: 'a', auth: ['access_code'], order: 1 }],
    fields: [{ key: 'a_signature', page: 1, x: 72, y: 100, type: 'signature', signer: 'a' }],
  });
  await post(`${path}/publish`);
  const signer = { role: 'a', email: 'a@correo.example', name: 'María Ñáñez', access_code: 'ceiba-2026' };
  const body = { circuit_id: circuit.id, signers: [signer], notify: false };
  return (await post<{ id: string }>(`${signingUrl}/v1/envelopes`, body)).id;
}
