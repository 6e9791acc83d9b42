import { type Actor, PRICE } from '@constancia/contracts';
import type { FunctionCall } from '@constancia/credit-ledger';
import { randomId22, uuidv7 } from '@constancia/kernel';
import { type NewSubjectKey, PersonalData, type SubjectKey, type TenantKeyring } from '@constancia/personal-data';
import { currentTraceparent } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { invitationDedupe, SignerMails } from '../mails/signer-mails.ts';
import { withHexBytes } from '../hex-bytes.ts';
import { hashAccessCode } from './access-codes.ts';
import { ENVELOPE_LIMITS, type EnvelopeSignerBody } from '../envelope-orders/create-envelope-body.ts';
import { type GivenValues, isGiven, valuesDigest } from '../envelope-values/given-values.ts';
import { sealPrefill, sealSenderValues } from '../envelope-records/sealed-values.ts';
import { sealWords, tenantSealing } from '../envelope-records/envelope-secrets.ts';
import type { Circuit, CircuitSigner } from '../circuits/circuit.entity.ts';
import type { EnvelopeRow, SignerRow } from '../envelope-records/envelope-rows.ts';
import type { EnvelopeOrder } from '../envelope-orders/envelope-order.ts';
import { CreatedEnvelopeView } from './envelope-view.ts';
import { newSalt, personDigest, phoneDigest } from '../envelope-records/person-digest.ts';
import { trailCall } from '../envelope-records/trail.ts';
import { SignTokens } from '../envelope-records/sign-tokens.ts';
import { emailIndex, sealNewSigner } from '../envelope-records/signer-secrets.ts';
import { firstReminderAt, remindersOf } from '../envelope-records/reminders.ts';
import { SignerLinkView } from './signer-view.ts';

const DAY_MS = 86_400_000;

type NewEnvelopeRow = Pick<
  EnvelopeRow,
  | 'id' | 'circuit_id' | 'public_id' | 'status' | 'subject' | 'message' | 'external_ref' | 'metadata' | 'locale' | 'notify'
  | 'reminders' | 'credits_debited' | 'expires_at' | 'created_at' | 'traceparent'
>; // prettier-ignore

type NewSigner = Pick<
  SignerRow,
  'id' | 'envelope_id' | 'role' | 'ord' | 'email' | 'phone' | 'name' | 'auth' | 'status' | 'token_hash' | 'token_sealed'
  | 'access_code_hash' | 'reminder_due_at'
> & { person_salt: Buffer }; // prettier-ignore

/** A new envelope: what is written of it, and its answer. Rows hold bytes as '\\x…'. */
export interface NewEnvelope {
  envelope: NewEnvelopeRow;
  /** What is written; personal data is sealed once the schema is. */
  writes: { table: string; rows: Record<string, unknown>[] }[];
  /** Addresses that are mailed an invitation at once. */
  invited: string[];
  /** The first link of the trail. */
  sent: FunctionCall;
  /** The key that its stored answer is sealed with; null while the schema is written in the clear. */
  key: SubjectKey | null;
  view: CreatedEnvelopeView;
}

/** Makes envelopes, with the tokens of their signers. Writes nothing. */
@Injectable()
export class NewEnvelopes {
  constructor(
    private readonly personal: PersonalData,
    private readonly tokens: SignTokens,
    private readonly mails: SignerMails,
  ) {}

  /**
   * An envelope of a circuit for signers that are checked already. `by`: who sends it. `unprovenOwner`: of a tenant whose mails to others
   * wait.
   */
  async of(
    tenantId: string,
    circuit: Circuit,
    body: EnvelopeOrder,
    { by, unprovenOwner, given }: { by: Actor; unprovenOwner: string | null; given: GivenValues },
  ): Promise<NewEnvelope> {
    const sealing = await tenantSealing(this.personal, tenantId);
    const envelope = envelopeOf(circuit, body);
    const hasPhone = body.signers.some(({ phone }) => phone !== undefined);
    const isSealed = sealing.isSealed || isGiven(given) || hasPhone;
    const own = isSealed ? sealing.keyring.newSubject(envelope.id) : null;
    const first = Math.min(...circuit.signers.map(({ order }) => order));
    const made = await Promise.all(
      body.signers.map((signer) => {
        const definition = circuit.signers.find(({ role }) => role === signer.role) as CircuitSigner;
        return this.signer(envelope, definition, signer, definition.order === first);
      }),
    );
    const signers = made.map(({ row }) => row);
    const invited = envelope.notify ? signers.filter(({ status }) => status === 'pending') : [];
    const ofTenant = { ...envelope, tenant_id: tenantId };
    return {
      envelope,
      invited: invited.map(({ email }) => email),
      writes: [
        ...writesOf({ keyring: sealing.keyring, own, given }, envelope, signers),
        {
          table: 'signer_mail',
          rows: invited.map((signer) =>
            this.mails.row({
              ...{ kind: 'invitation', envelope: ofTenant, signer, dedupe: invitationDedupe(signer) },
              toOwner: signer.email.toLowerCase() === unprovenOwner?.toLowerCase(),
            }),
          ),
        },
      ]
        .filter(({ rows }) => rows.length > 0)
        .map(({ table, rows }) => ({ table, rows: rows.map(withHexBytes) })),
      sent: sentCall(envelope, { circuit, signers, by, given }),
      key: own?.key ?? null,
      view: CreatedEnvelopeView.withLinks(
        envelope,
        made.map(({ row, token }) =>
          SignerLinkView.withLink(row, { sign_token: token, sign_url: this.tokens.urlOf(token) }),
        ),
      ),
    };
  }

  private async signer(
    { id: envelopeId, reminders, created_at }: NewEnvelopeRow,
    { auth, order }: CircuitSigner,
    { role, email, phone, name, access_code }: EnvelopeSignerBody,
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
      phone: phone ?? null,
      name: name ?? null,
      auth,
      status: first ? 'pending' : 'waiting',
      token_hash: hash,
      token_sealed: sealed,
      access_code_hash: access_code === undefined ? null : await hashAccessCode(access_code),
      reminder_due_at: first ? firstReminderAt(reminders, created_at) : null,
      person_salt: newSalt(),
    };
    return { row, token };
  }
}

function envelopeOf(circuit: Circuit, body: EnvelopeOrder): NewEnvelopeRow {
  const now = new Date();
  const days = body.expires_in_days ?? ENVELOPE_LIMITS.days.default;
  return {
    id: uuidv7(),
    circuit_id: circuit.id,
    public_id: randomId22(),
    status: 'sent',
    subject: body.subject ?? [...circuit.name].slice(0, ENVELOPE_LIMITS.subject).join(''),
    message: body.message?.replaceAll('\r\n', '\n') ?? null,
    external_ref: body.external_ref ?? null,
    metadata: body.metadata ?? {},
    locale: body.locale ?? 'es-CO',
    notify: body.notify ?? true,
    reminders: body.reminders ? remindersOf(body.reminders) : null,
    credits_debited: PRICE.envelope,
    expires_at: new Date(now.getTime() + days * DAY_MS),
    created_at: now,
    traceparent: currentTraceparent() ?? null,
  };
}

/** Envelope and signers as they are stored: once the schema is sealed, or with values or numbers, each with a key of its own. */
function writesOf(
  { keyring, own, given }: { keyring: TenantKeyring; own: NewSubjectKey | null; given: GivenValues },
  envelope: NewEnvelopeRow,
  signers: NewSigner[],
): { table: string; rows: object[] }[] {
  if (!own) {
    const found = signers.map(({ phone: _, ...signer }) => ({
      ...signer,
      email_index: emailIndex(keyring, signer.email),
    }));
    return [
      { table: 'envelope', rows: [envelope] },
      { table: 'envelope_signer', rows: found },
    ];
  }
  const words = sealWords(own.key, envelope);
  const sealed_values = sealSenderValues(own.key, envelope.id, given.sender);
  const sealed = signers.map((signer) => {
    const made = keyring.newSubject(signer.id);
    const sealed_prefill = sealPrefill(made.key, signer.id, given.byRole.get(signer.role) ?? {});
    const { phone: _, ...row } = signer;
    return { made, row: { ...row, ...sealNewSigner(keyring, made.key, signer), sealed_prefill } };
  });
  const keys: NewSubjectKey[] = [own, ...sealed.map(({ made }) => made)];
  return [
    { table: 'subject_key', rows: keys.map(({ key, wrapped }) => ({ id: key.id, wrapped_key: wrapped })) },
    { table: 'envelope', rows: [{ ...envelope, ...words, sealed_values }] },
    { table: 'envelope_signer', rows: sealed.map(({ row }) => row) },
  ];
}

/** What the trail begins with: what was sent, to whom, and how each is to prove who it is. */
function sentCall(
  envelope: NewEnvelopeRow,
  { circuit, signers, by, given }: { circuit: Circuit; signers: readonly NewSigner[]; by: Actor; given: GivenValues },
): FunctionCall {
  const salts = Object.fromEntries(signers.map(({ role, person_salt }) => [role, person_salt.toString('hex')]));
  return trailCall({
    envelopeId: envelope.id,
    type: 'envelope.sent',
    data: {
      by,
      public_id: envelope.public_id,
      circuit: { code: circuit.code, version: circuit.version },
      base_pdf_sha256: circuit.base_pdf_sha256?.toString('hex') ?? null,
      expires_at: envelope.expires_at.toISOString(),
      ...(isGiven(given) && { values_sha256: valuesDigest(given, salts) }),
      signers: signers.map(({ role, ord, email, phone, name, auth, person_salt }) => ({
        role,
        order: ord,
        auth,
        person_sha256: personDigest({ email, name, salt: person_salt.toString('hex') }),
        ...(phone !== null && { phone_sha256: phoneDigest(phone, person_salt.toString('hex')) }),
      })),
    },
  });
}
