import { PRICE } from '@constancia/contracts';
import type { FunctionCall } from '@constancia/credit-ledger';
import { randomId22, uuidv7 } from '@constancia/kernel';
import { currentTraceparent } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { invitationDedupe, SignerMails } from '../mails/signer-mails.ts';
import { hashAccessCode } from './access-codes.ts';
import { type CreateEnvelopeBody, ENVELOPE_LIMITS, type EnvelopeSignerBody } from './create-envelope-body.ts';
import type { CircuitRow, CircuitSigner, EnvelopeRow, SignerRow } from './envelope-rows.ts';
import { CreatedEnvelopeView } from './envelope-view.ts';
import { newPersonSalt, personDigest } from './person-digest.ts';
import { trailCall } from './trail.ts';
import { SignTokens } from './sign-tokens.ts';
import { SignerLinkView } from './signer-view.ts';

const DAY_MS = 86_400_000;

type NewEnvelopeRow = Pick<
  EnvelopeRow,
  | 'id' | 'circuit_id' | 'public_id' | 'status' | 'subject' | 'message' | 'locale' | 'notify' | 'credits_debited' | 'expires_at'
  | 'created_at' | 'traceparent'
>; // prettier-ignore

type NewSigner = Pick<
  SignerRow,
  'id' | 'envelope_id' | 'role' | 'ord' | 'email' | 'name' | 'auth' | 'status' | 'token_hash' | 'token_sealed' | 'access_code_hash'
> & { person_salt: Buffer }; // prettier-ignore

/** A new envelope: what is written of it, and its answer. Rows hold bytes as '\\x…'. */
export interface NewEnvelope {
  envelope: NewEnvelopeRow;
  signers: Record<string, unknown>[];
  mails: Record<string, unknown>[];
  /** The first link of the trail. */
  sent: FunctionCall;
  view: CreatedEnvelopeView;
}

/** Makes envelopes, with the tokens of their signers. Writes nothing. */
@Injectable()
export class NewEnvelopes {
  constructor(
    private readonly tokens: SignTokens,
    private readonly mails: SignerMails,
  ) {}

  /** An envelope of a circuit for signers that are checked already. */
  async of(tenantId: string, circuit: CircuitRow, body: CreateEnvelopeBody): Promise<NewEnvelope> {
    const envelope = envelopeOf(circuit, body);
    const first = Math.min(...circuit.signers.map(({ order }) => order));
    const made = await Promise.all(
      body.signers.map((signer) => {
        const definition = circuit.signers.find(({ role }) => role === signer.role) as CircuitSigner;
        return this.signer(envelope.id, definition, signer, definition.order === first);
      }),
    );
    const signers = made.map(({ row }) => row);
    const invited = envelope.notify ? signers.filter(({ status }) => status === 'pending') : [];
    const ofTenant = { ...envelope, tenant_id: tenantId };
    return {
      envelope,
      signers: signers.map(withHexBytes),
      mails: invited.map((signer) =>
        withHexBytes(
          this.mails.row({ kind: 'invitation', envelope: ofTenant, signer, dedupe: invitationDedupe(signer) }),
        ),
      ),
      sent: sentCall(envelope, circuit, signers),
      view: CreatedEnvelopeView.withLinks(
        envelope,
        made.map(({ row, token }) =>
          SignerLinkView.withLink(row, { sign_token: token, sign_url: this.tokens.urlOf(token) }),
        ),
      ),
    };
  }

  private async signer(
    envelopeId: string,
    { auth, order }: CircuitSigner,
    { role, email, name, access_code }: EnvelopeSignerBody,
    first: boolean,
  ): Promise<{ row: NewSigner; token: string }> {
    const id = uuidv7();
    const { token, hash, sealed } = this.tokens.issue(id);
    const row: NewSigner = {
      id,
      envelope_id: envelopeId,
      role,
      ord: order,
      email,
      name: name ?? null,
      auth,
      status: first ? 'pending' : 'waiting',
      token_hash: hash,
      token_sealed: sealed,
      access_code_hash: access_code === undefined ? null : await hashAccessCode(access_code),
      person_salt: newPersonSalt(),
    };
    return { row, token };
  }
}

function envelopeOf(circuit: CircuitRow, body: CreateEnvelopeBody): NewEnvelopeRow {
  const now = new Date();
  const days = body.expires_in_days ?? ENVELOPE_LIMITS.days.default;
  return {
    id: uuidv7(),
    circuit_id: circuit.id,
    public_id: randomId22(),
    status: 'sent',
    subject: body.subject ?? null,
    message: body.message?.replaceAll('\r\n', '\n') ?? null,
    locale: body.locale ?? 'es-CO',
    notify: body.notify ?? true,
    credits_debited: PRICE.envelope,
    expires_at: new Date(now.getTime() + days * DAY_MS),
    created_at: now,
    traceparent: currentTraceparent() ?? null,
  };
}

/** What the trail begins with: what was sent, to whom, and how each is to prove who it is. */
function sentCall(envelope: NewEnvelopeRow, circuit: CircuitRow, signers: readonly NewSigner[]): FunctionCall {
  return trailCall({
    envelopeId: envelope.id,
    type: 'envelope.sent',
    data: {
      public_id: envelope.public_id,
      circuit: { code: circuit.code, version: circuit.version },
      base_pdf_sha256: circuit.base_pdf_sha256?.toString('hex') ?? null,
      expires_at: envelope.expires_at.toISOString(),
      signers: signers.map(({ role, ord, email, name, auth, person_salt }) => ({
        role,
        order: ord,
        auth,
        person_sha256: personDigest({ email, name, salt: person_salt.toString('hex') }),
      })),
    },
  });
}

/** Rows travel to the store as JSON. */
function withHexBytes(row: object): Record<string, unknown> {
  const entries = Object.entries(row) as [string, unknown][];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value]),
  );
}
