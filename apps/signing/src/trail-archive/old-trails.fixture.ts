import { randomBytes } from 'node:crypto';
import { uuidOf } from '@constancia/kernel';
import { testTenant, type TestDatabase, type TestTenant } from '@constancia/testing';
import type { RunningSigning } from '../running-signing.fixture.ts';
import { definitionOf, type SentEnvelope, Signing } from '../sign/sign.fixture.ts';

/** What of a trail is personal: none of it may be readable in a file. */
export const PERSONAL = ['ana.archivada@correo.example', 'Ana Archivada', 'Navegador/7.0', '127.0.0.1', 'a•••'];

/** A tenant with envelopes that ended 12 years ago. */
export class OldTrails {
  private constructor(
    private readonly store: TestDatabase,
    readonly tenant: TestTenant,
    readonly signing: Signing,
    private readonly circuit: string,
  ) {}

  static async of(store: TestDatabase, running: RunningSigning): Promise<OldTrails> {
    const tenant = await testTenant(store);
    const signing = new Signing(running, store, tenant.apiKey);
    return new OldTrails(store, tenant, signing, await signing.circuit(definitionOf([{ role: 'a' }])));
  }

  /** Its signer authenticated and declined. */
  async declined(): Promise<SentEnvelope> {
    const sent = await this.sent();
    const [signer] = sent.signers;
    const token = signer?.sign_token as string;
    await this.signing.get(token, '', { 'user-agent': 'Navegador/7.0' });
    await this.signing.authenticated(token);
    await this.signing.post(token, 'decline', { reason: 'No es mi contrato' });
    await this.age(sent);
    return sent;
  }

  /** Its signer signed, and a worker sealed it. */
  async sealed(): Promise<SentEnvelope> {
    const sent = await this.sent();
    await this.signing.signed(sent.signers[0]?.sign_token as string);
    await this.store.query(
      `update signing.envelope set status = 'sealed', document_sha256 = $2, document_key = 'k', document_size = 1, kms_key_arn = 'k',
              signature = $3, signature_algorithm = 'RSASSA_PKCS1_V1_5_SHA_256', signed_at = now(), ended_at = now() where id = $1`,
      [uuidOf('env', sent.id), randomBytes(32), randomBytes(256)],
    );
    await this.record(sent, 'envelope.sealed');
    await this.age(sent);
    return sent;
  }

  /** Nobody did anything with it yet. */
  sent(): Promise<SentEnvelope> {
    return this.signing.envelope(this.circuit, [
      { role: 'a', email: 'ana.archivada@correo.example', name: 'Ana Archivada' },
    ]);
  }

  async age({ id }: SentEnvelope, interval = '12 years'): Promise<void> {
    await this.store.query(`update signing.envelope set ended_at = now() - $2::interval where id = $1`, [
      uuidOf('env', id),
      interval,
    ]);
  }

  /** Adds an event of the envelope, or about its signer. */
  async record({ id, signers }: SentEnvelope, type: string): Promise<void> {
    const about = type.startsWith('signer.') ? { signer_id: signers[0]?.id, role: 'a' } : {};
    const event = { envelope_id: uuidOf('env', id), type, ...about, data: '{}' };
    await this.store.query('select signing.record_envelope_event($1, $2)', [this.tenant.id, JSON.stringify(event)]);
  }

  /** The events of an envelope that are rows of the database. */
  async stored({ id }: SentEnvelope): Promise<number[]> {
    const rows = await this.store.query<{ seq: number }>(
      'select seq from signing.envelope_event where envelope_id = $1 order by seq',
      [uuidOf('env', id)],
    );
    return rows.map(({ seq }) => seq);
  }
}
