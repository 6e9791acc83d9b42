import { SecretBox, uuidOf } from '@constancia/kernel';
import { PersonalData } from '@constancia/personal-data';
import type { SignerRow } from '../envelope-records/envelope-rows.ts';
import { openSigner, SIGNER_KEY, type Stored } from '../envelope-records/signer-secrets.ts';
import { publishedCircuit, succeeded } from '../circuits/circuits.fixture.ts';
import { signerMailContext } from '../mails/signer-mails.ts';
import { type Answer, minimalPdf, type Problem, type RunningSigning } from '../running-signing.fixture.ts';
import type { SignState } from '../signer-requests/sign-state-view.ts';

/** The part of libs/testing's TestDatabase that is used here. */
interface Store {
  query<Row = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<Row[]>;
}

/** As an envelope's creation shows a signer. */
export interface SentSigner {
  id: string;
  role: string;
  email: string;
  status: string;
  sign_token: string;
  sign_url: string;
}

export interface SentEnvelope {
  id: string;
  signers: SentSigner[];
}

/** One role `a` that signs and fills in a field of every kind. */
export const EVERY_FIELD = {
  signers: [{ role: 'a', auth: ['otp_email'], order: 1 }],
  fields: [
    { key: 'signature', page: 1, x: 72, y: 120, type: 'signature', signer: 'a' },
    { key: 'initials', page: 1, x: 300, y: 120, type: 'initials', signer: 'a' },
    { key: 'name', page: 1, x: 72, y: 300, type: 'name', signer: 'a' },
    { key: 'date', page: 1, x: 300, y: 300, type: 'date', signer: 'a' },
    { key: 'city', page: 1, x: 72, y: 400, type: 'text', signer: 'a', required: false, label: 'Ciudad' },
    { key: 'agrees', page: 1, x: 300, y: 400, type: 'checkbox', signer: 'a' },
    { key: 'news', page: 1, x: 330, y: 400, type: 'checkbox', signer: 'a', required: false },
  ],
};

export const ANSWERS = {
  signature: { type: 'typed', text: 'Ana Ñungo' },
  fields: { initials: 'AÑ', agrees: true },
  intent: true,
};

/** A circuit definition of these roles, each with one signature of its own. */
export function definitionOf(roles: { role: string; order?: number; auth?: string[] }[], changes: object = {}) {
  return {
    signers: roles.map(({ role, order = 1, auth = ['otp_email'] }) => ({ role, order, auth })),
    fields: roles.map(({ role }, nth) => ({ key: `${role}_signature`, page: 1, x: 72, y: 100 + nth * 60, type: 'signature', signer: role })), // prettier-ignore
    ...changes,
  };
}

/** Sends envelopes as a tenant, and does with a link what a signer does. */
export class Signing {
  /** The proof of authentication by each link, as one browser keeps it. */
  private readonly proofs = new Map<string, string>();

  constructor(
    private readonly running: RunningSigning,
    private readonly store: Store,
    private readonly key: string,
  ) {}

  circuit(definition: object = definitionOf([{ role: 'a' }]), pdf: Buffer = minimalPdf(1)): Promise<string> {
    return publishedCircuit(this.running, this.key, { definition, pdf });
  }

  async envelope(circuitId: string, signers: object[] = [{ role: 'a' }], changes: object = {}): Promise<SentEnvelope> {
    const recipients = signers.map((signer) => ({
      email: `${(signer as { role: string }).role}@correo.example.co`,
      ...signer,
    }));
    const body = { circuit_id: circuitId, signers: recipients, ...changes };
    return succeeded(await this.running.call<SentEnvelope>('/v1/envelopes', { key: this.key, body }));
  }

  /** A circuit and an envelope of it; answers the tokens by role. */
  async tokens(definition: object, signers: object[], changes: object = {}): Promise<Record<string, string>> {
    const sent = await this.envelope(await this.circuit(definition), signers, changes);
    return Object.fromEntries(sent.signers.map(({ role, sign_token }) => [role, sign_token]));
  }

  asTenant<Body = Problem>(method: string, path: string, body?: object): Promise<Answer<Body>> {
    return this.running.call(path, { method, key: this.key, ...(body && { body }) });
  }

  get<Body = SignState>(token: string, path = '', headers: Record<string, string> = {}): Promise<Answer<Body>> {
    return this.running.call(`/v1/sign/${token}${path}`, { headers: { ...this.proofOf(token), ...headers } });
  }

  async post<Body = SignState & Problem>(token: string, path: string, body?: object): Promise<Answer<Body>> {
    return this.send<Body>('POST', token, path, body);
  }

  async send<Body>(method: string, token: string, path: string, body?: object): Promise<Answer<Body>> {
    const headers = this.proofOf(token);
    const answer = await this.running.call<Body>(`/v1/sign/${token}/${path}`, {
      method,
      headers,
      ...(body && { body }),
    });
    const { proof } = (answer.body ?? {}) as { proof?: { token: string } };
    if (proof) this.proofs.set(token, proof.token);
    return answer;
  }

  /** What another browser would see: the same tenant and links without the proofs. */
  elsewhere(): Signing {
    return new Signing(this.running, this.store, this.key);
  }

  private proofOf(token: string): Record<string, string> {
    const proof = this.proofs.get(token);
    return proof === undefined ? {} : { 'x-sign-proof': proof };
  }

  async state(token: string): Promise<SignState> {
    return succeeded(await this.get(token));
  }

  async consent(token: string): Promise<SignState> {
    const { consent } = await this.state(token);
    const body = { accepted: true, locale: consent.locale, version: consent.version };
    return succeeded(await this.post(token, 'consent', body));
  }

  /** The code of the latest mail, as the mail server will get it. */
  async mailedCode(token: string): Promise<string> {
    const [mail] = await this.store.query<{ id: string; secret: Buffer }>(
      `select m.id, m.secret from signing.signer_mail m join signing.envelope_signer s on s.id = m.signer_id
        where s.token_hash = sha256($1::bytea) and m.kind = 'otp' and m.secret is not null order by m.created_at desc limit 1`,
      [Buffer.from(token)],
    );
    if (!mail) throw new Error('no code was mailed');
    return new SecretBox([Buffer.alloc(32, 7)]).open(mail.secret, signerMailContext(mail.id)).toString();
  }

  /** From the link to where the signature is due, by mailed code. */
  async authenticated(token: string): Promise<SignState> {
    await this.consent(token);
    succeeded(await this.post(token, 'otp/send'));
    return succeeded(await this.post(token, 'otp/verify', { code: await this.mailedCode(token) }));
  }

  sign(token: string, changes: object = {}): Promise<Answer<SignState & Problem>> {
    return this.post(token, 'sign', { ...ANSWERS, fields: {}, ...changes });
  }

  /** The whole journey. */
  async signed(token: string): Promise<SignState> {
    await this.authenticated(token);
    return succeeded(await this.sign(token));
  }

  /** Lets the next code be sent at once. */
  async forgetSends(token: string): Promise<void> {
    await this.store.query(
      `update signing.envelope_signer
          set otp_sends = array(select t - interval '70 seconds' from unnest(otp_sends) t),
              phone_otp_sends = array(select t - interval '70 seconds' from unnest(phone_otp_sends) t)
        where token_hash = sha256($1::bytea)`,
      [Buffer.from(token)],
    );
  }

  /** What of a signer's row tests look at, opened. */
  async row(token: string): Promise<Record<string, unknown>> {
    const [row] = await this.store.query<Stored<SignerRow>>(
      `select s.*, ${SIGNER_KEY} from signing.envelope_signer s where s.token_hash = sha256($1::bytea)`,
      [Buffer.from(token)],
    );
    if (!row) return {};
    const keyring = await this.running.app.get(PersonalData).tenant(row.tenant_id);
    const { key: _, ...opened } = openSigner<SignerRow>(keyring, row);
    return { ...opened };
  }

  /** Sets the clock of an envelope's end. */
  async expire(envelopeId: string): Promise<void> {
    await this.store.query(`update signing.envelope set expires_at = now() - interval '1 second' where id = $1`, [
      uuidOf('env', envelopeId),
    ]);
  }

  /** The trail, as the tenant reads it. */
  async trail(
    envelopeId: string,
  ): Promise<{ type: string; role: string | null; ip: string | null; data: Record<string, unknown> }[]> {
    type Page = { data: { type: string; role: string | null; ip: string | null; data: Record<string, unknown> }[] };
    const page = await this.asTenant<Page>('GET', `/v1/envelopes/${envelopeId}/audit?limit=100`);
    return succeeded(page).data;
  }
}
