import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson, typeId, uuidv7 } from '@constancia/kernel';
import type { SignerField } from '@constancia/pdf-sealing';
import type { ObjectStore } from '@constancia/storage';
import { blankPdf } from './running-sealing-worker.fixture.ts';

/** Postgres, asked as the owner of everything. */
export interface Rows {
  query<Row>(sql: string, params?: unknown[]): Promise<Row[]>;
}

export interface Objects {
  objects: Pick<ObjectStore, 'put'>;
}

const USER_AGENT =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';
export const CONSENT_SHA256 = createHash('sha256').update('the text').digest();
export const SHOWN_SHA256 = createHash('sha256').update('what was shown').digest();

/** A field of a circuit. */
export type OwnedField = SignerField & { signer: string };

/** What one role gave. */
export interface Given {
  name?: string | null;
  text?: string;
  image?: Buffer;
  values?: Record<string, string | boolean>;
}

export interface EnvelopeOptions {
  count?: number;
  roles?: readonly string[];
  pdf?: Buffer;
  fields?: readonly OwnedField[];
  given?: Record<string, Given>;
  locale?: 'es-CO' | 'en';
  notify?: boolean;
  /** How long ago all signed. */
  age?: string;
}

/** A signature field for each role, one above the other. */
export function signatureFields(roles: readonly string[]): OwnedField[] {
  return roles.map((signer, nth) => ({
    ...{ key: `sign-${signer}`, type: 'signature', page: 1, x: 60, y: 100 + 70 * nth, width: 180, height: 48, signer },
  }));
}

/** A published circuit, straight in the stores; answers its id. */
async function circuitOf(
  store: Rows,
  around: Objects,
  tenant: { id: string },
  roles: readonly string[],
  { pdf, fields }: EnvelopeOptions,
): Promise<string> {
  const base = pdf ?? (await blankPdf());
  const sha256 = createHash('sha256').update(base).digest();
  const key = `templates/${tenant.id}/${sha256.toString('hex')}.pdf`;
  await around.objects.put(key, base, { contentType: 'application/pdf' });
  const id = uuidv7();
  await store.query(
    `insert into signing.circuit (id, tenant_id, code, name, version, status, base_pdf_sha256, base_pdf_key, base_pdf_size,
                                  page_count, signers, fields, published_at)
     values ($1, $2, $3, 'Contrato de prueba', 1, 'published', $4, $5, $6, 1, $7, $8, now())`,
    [
      id,
      tenant.id,
      `c-${id}`,
      sha256,
      key,
      base.length,
      JSON.stringify(roles.map((role, nth) => ({ role, auth: ['otp_email'], order: nth + 1 }))),
      JSON.stringify(fields ?? signatureFields(roles)),
    ],
  );
  return id;
}

/** Envelopes that all their signers have just signed, as the signing app leaves them: paid, with their trail, without a hint. Answers their ids. */
export async function signedEnvelopes(
  store: Rows,
  around: Objects,
  tenant: { id: string },
  options: EnvelopeOptions = {},
): Promise<string[]> {
  const { count = 1, roles = ['buyer', 'seller'], given = {}, locale = 'es-CO', notify = true } = options;
  const circuitId = await circuitOf(store, around, tenant, roles, options);
  const ids = Array.from({ length: count }, () => uuidv7());
  await store.query(`select platform_v1.charge($1, 'seal', 'envelope', id, 40) from unnest($2::uuid[]) as id`, [
    tenant.id,
    ids,
  ]);
  for (const id of ids) {
    await store.query(
      `insert into signing.envelope (id, tenant_id, circuit_id, public_id, status, subject, locale, notify, credits_debited,
                                     expires_at, created_at)
       values ($1, $2, $3, $4, 'in_progress', 'Contrato de Ñáñez', $5, $6, 40, now() + interval '30 days',
               now() - interval '5 minutes' - $7::interval)`,
      [id, tenant.id, circuitId, randomBytes(11).toString('hex'), locale, notify, options.age ?? '0 s'],
    );
    await record(store, tenant, id, 'envelope.sent', undefined, {});
    for (const [nth, role] of roles.entries()) await signed(store, tenant, id, role, nth, given[role] ?? {});
  }
  // At once for all, so that a bench may count from there.
  await store.query(
    `with last as (
       update signing.envelope_signer set signed_at = now() where envelope_id = any ($1::uuid[]) and role = $2
     )
     update signing.envelope set status = 'sealing', retry_at = now() where id = any ($1::uuid[])`,
    [ids, roles.at(-1)],
  );
  return ids;
}

/** One signer, from the link to the signature: a wrong code, the right one, and what was given. */
async function signed(
  store: Rows,
  tenant: { id: string },
  envelopeId: string,
  role: string,
  order: number,
  { name = `María Ñáñez ${role}`, text = `María Ñáñez ${role}`, image, values = {} }: Given,
): Promise<void> {
  const id = uuidv7();
  const signature = createHash('sha256')
    .update(image ?? text)
    .digest();
  await store.query(
    `insert into signing.envelope_signer (
       id, tenant_id, envelope_id, role, ord, email, name, auth, auth_done, status, token_hash, token_sealed, consent_version,
       consent_locale, consent_sha256, consented_at, viewed_at, document_shown_sha256, authenticated_at, signature_type,
       signature_text, signature_image, signature_sha256, field_values, signed_at, signed_ip, otp_hash)
     values ($1, $2, $3, $4, $5, $6, $7, '{otp_email}', '{otp_email}', 'signed', $8, '\\x00', '2026-11', 'es-CO', $9,
             now() - interval '3 minutes', now() - interval '4 minutes', $10, now() - interval '2 minutes', $11, $12, $13, $14, $15,
             clock_timestamp(), '203.0.113.7', '\\x01')`,
    [
      ...[id, tenant.id, envelopeId, role, order + 1, `${role}@people.example`, name, randomBytes(32), CONSENT_SHA256],
      ...[
        SHOWN_SHA256,
        image ? 'drawn' : 'typed',
        image ? null : text,
        image ?? null,
        signature,
        JSON.stringify(values),
      ],
    ],
  );
  const signer = { id, role };
  await record(store, tenant, envelopeId, 'signer.link_opened', signer, {});
  await record(store, tenant, envelopeId, 'signer.otp_failed', signer, { method: 'otp_email' });
  await record(store, tenant, envelopeId, 'signer.authenticated', signer, { method: 'otp_email' });
  await record(store, tenant, envelopeId, 'signer.signed', signer, { signature_sha256: signature.toString('hex') });
}

async function record(
  store: Rows,
  tenant: { id: string },
  envelopeId: string,
  type: string,
  signer: { id: string; role: string } | undefined,
  data: Record<string, unknown>,
): Promise<void> {
  const args = {
    envelope_id: envelopeId,
    type,
    signer_id: signer ? typeId('sgn', signer.id) : null,
    role: signer?.role ?? null,
    ip: signer ? '203.0.113.7' : null,
    user_agent: signer ? USER_AGENT : null,
    data: canonicalJson(data),
  };
  await store.query('select signing.record_envelope_event($1, $2)', [tenant.id, JSON.stringify(args)]);
}

export interface StoredEnvelope {
  id: string;
  status: string;
  public_id: string;
  credits_refunded: number;
  failure_code: string | null;
  failure_reason: string | null;
  last_setback: string | null;
  document_sha256: Buffer | null;
  document_key: string | null;
  document_size: number | null;
  kms_key_arn: string | null;
  signature: Buffer | null;
  signature_algorithm: string | null;
  trail_seq: number;
  trail_hash: string;
  signed_at: Date | null;
  ended_at: Date | null;
  attempts: number;
  faults: number;
  lease_token: string | null;
}

export async function envelopeOf(store: Rows, id: string): Promise<StoredEnvelope> {
  const [row] = await store.query<StoredEnvelope>('select * from signing.envelope where id = $1', [id]);
  return row as StoredEnvelope;
}

/** The trail of an envelope as the API shows it, the oldest link first. */
export async function trailOf(store: Rows, id: string) {
  const rows = await store.query<{
    seq: number;
    type: string;
    at: Date;
    data: string;
    prev_hash: string;
    hash: string;
  }>(
    `select seq, type, at, signer_id, role, ip, user_agent, data, prev_hash, hash
       from signing.envelope_event where envelope_id = $1 order by seq`,
    [id],
  );
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    data: JSON.parse(row.data) as Record<string, unknown>,
  }));
}
