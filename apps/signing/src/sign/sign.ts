import { createHash } from 'node:crypto';
import { visibleFields } from '@constancia/contracts';
import { emitEvent } from '@constancia/events';
import { JsonBodyLimit, pointerTo } from '@constancia/http';
import { canonicalJson } from '@constancia/kernel';
import { fieldDrawings, type SignatureMark } from '@constancia/pdf-sealing';
import type { Tx } from '@constancia/persistence';
import { ValidationError } from '@constancia/problem-json';
import { currentTraceparent } from '@constancia/telemetry';
import { Body, HttpCode, Post } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { makeSealDue, updateEnvelope } from '../envelope-records/envelope-changes.ts';
import { envelopeEvent } from '../envelope-records/envelope-events.ts';
import type { SignerColumns, SignerRow } from '../envelope-records/envelope-rows.ts';
import { envelopeTransition } from '../envelope-records/envelope-states.ts';
import { openNextOrder } from '../envelopes/open-next-order.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { CurrentSigner, CurrentVisitor, type Visitor } from '../signer-requests/current-signer.ts';
import { DryRun, fieldIn } from '../dry-run.ts';
import { type FieldValues, fieldValues } from '../signer-requests/field-values.ts';
import type { FoundSigner, SignerFacts } from '../signer-requests/found-signer.ts';
import { allowedRequests, isProven } from '../signer-requests/next-step.ts';
import { authenticatedEarlier } from '../signer-requests/proof-outcome.ts';
import { SIGN_BODY_BYTES, SignBody } from './sign-body.ts';
import { SignState, standingIn } from '../signer-requests/sign-state-view.ts';
import { ValueDigests } from './value-digests.ts';
import { isFieldError, markDigest, signatureMark } from './signature-mark.ts';
import {
  type HeldEnvelope,
  moved,
  notNow,
  type Outcome,
  requireAllowed,
  SignerRequests,
  standingOf,
  witnessed,
} from '../signer-requests/signer-requests.ts';
import { AnswersState, SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';

/** What a signer gave, checked. */
interface Given {
  signature: SignatureMark;
  digest: Buffer;
  values: FieldValues;
}

/** POST /v1/sign/{token}/sign: the signature itself. The last one sends the envelope to be sealed. */
@SignerController()
export class Sign {
  constructor(
    private readonly requests: SignerRequests,
    private readonly dryRun: DryRun,
    private readonly mails: SignerMails,
    private readonly digests: ValueDigests,
  ) {}

  @Post('sign')
  @HttpCode(200)
  @JsonBodyLimit(SIGN_BODY_BYTES)
  @ApiOperation({
    operationId: 'signEnvelope',
    summary: 'Sign',
    description:
      'The signature and the values of the own fields. What could not be drawn on the document (a text that does not fit its box, ' +
      'characters of an unknown script, a blank picture) is refused here, with a pointer. The same signature with the same values again ' +
      'changes nothing and is answered with the state; other values: 409. Needs a proof of authentication (cookie or `X-Sign-Proof`). The last signature of an envelope has it sealed.',
  })
  @AnswersState()
  @SignerRoute('state-conflict', 'dependency-unavailable')
  async handle(
    @CurrentSigner() found: FoundSigner,
    @CurrentVisitor() visitor: Visitor,
    @Body() body: SignBody,
  ): Promise<SignState> {
    const { facts } = found;
    const standing = standingIn(facts);
    if (facts.status !== 'signed' && !allowedRequests(standing).includes('sign')) {
      throw notNow(standing, 'sign is not possible now');
    }
    const given = checked(facts, body);
    if (facts.status !== 'signed') await this.drawOnce(facts, given); // before the row is held
    return SignState.of(
      await this.requests.serveState(found, (tx, held) => this.accept(tx, { held, facts }, visitor, given)),
    );
  }

  /** Throws ValidationError, pointing at the field or the signature. */
  private drawOnce(facts: SignerFacts, { signature, values }: Given): Promise<void> {
    const fields = visibleFields(facts.fields, values);
    const drawings = fieldDrawings(fields, { signature, values, locale: facts.locale });
    return this.dryRun.of(facts, drawings, (sentence) => {
      const field = fieldIn(sentence, fields);
      if (!field) return '/fields';
      if (field.type !== 'signature') return pointerTo('/fields', field.key);
      return signature.type === 'typed' ? '/signature/text' : '/signature/image';
    });
  }

  private async accept(
    tx: Tx,
    { held, facts }: { held: HeldEnvelope; facts: SignerFacts },
    visitor: Visitor,
    given: Given,
  ): Promise<Omit<Outcome<never>, 'result'> | undefined> {
    if (held.signer.status === 'signed' && isProven(standingOf(held)) && this.isRepetition(held.signer, given)) {
      return undefined; // a second click, or a retry after an answer that was lost
    }
    requireAllowed(held, 'sign');
    const { envelope } = held;
    const ready = held.signer.status === 'consented' ? await authenticatedEarlier(tx, held.signer, facts) : held.signer;
    const values_digest = this.digests.of(ready.id, given.values);
    const signer = await moved(tx, ready, 'sign', { ...columnsOf(given, visitor), values_digest });
    await witnessed(tx, held, visitor, 'signer.signed', evidenceOf(held, given));
    const event = envelopeEvent('seal.envelope.signed', envelope, signer);
    await emitEvent(tx, event);
    const signers = held.signers.map((each) => (each.id === signer.id ? signer : each));
    const complete = signers.every(({ status }) => status === 'signed');
    const to = envelopeTransition(envelope.status, complete ? 'finish' : 'sign')?.to;
    if (to !== envelope.status) {
      // The seal goes on with the trace of the last signature.
      const trace = complete ? { traceparent: currentTraceparent() ?? envelope.traceparent } : {};
      await updateEnvelope(tx, envelope, { status: to, ...trace });
    }
    if (complete) {
      await makeSealDue(tx, envelope);
      return { events: [event], complete };
    }
    const opened = await openNextOrder(tx, this.mails, envelope, signers);
    return { events: [event], mails: envelope.notify && opened.length > 0 };
  }

  /** The same signature and the same values. Of one that an earlier release took, the values are compared until they are erased. */
  private isRepetition({ id, signature_sha256, values_digest, field_values }: SignerRow, given: Given): boolean {
    if (!signature_sha256?.equals(given.digest)) return false;
    if (values_digest !== null) return this.digests.matches(id, given.values, values_digest);
    return Object.keys(field_values).length === 0 || canonicalJson(field_values) === canonicalJson(given.values);
  }
}

/** Throws ValidationError with all that is wrong. */
function checked(facts: SignerFacts, { signature: sent, fields = {} }: SignBody): Given {
  const signature = signatureMark(sent);
  const typed = !isFieldError(signature) && signature.type === 'typed' ? signature.text : null;
  const { values, errors } = fieldValues(facts.fields, fields, {
    name: facts.name ?? typed,
    at: facts.signed_at ?? new Date(),
    prefilled: facts.prefilled,
  });
  if (isFieldError(signature)) throw new ValidationError([signature, ...errors]);
  if (errors.length > 0) throw new ValidationError(errors);
  return { signature, digest: markDigest(signature), values };
}

function columnsOf({ signature, digest, values }: Given, { ip }: Visitor): SignerColumns {
  return {
    signature_type: signature.type,
    signature_text: signature.type === 'typed' ? signature.text : null,
    signature_image: signature.type === 'drawn' ? Buffer.from(signature.image) : null,
    signature_sha256: digest,
    field_values: values,
    signed_at: new Date(),
    signed_ip: ip,
  };
}

/** For the trail: what was signed with and what was filled in only as hashes. */
function evidenceOf({ signer }: HeldEnvelope, { signature, digest, values }: Given): Record<string, unknown> {
  return {
    intent: true,
    document_sha256: signer.document_shown_sha256?.toString('hex') ?? null,
    signature_type: signature.type,
    signature_sha256: digest.toString('hex'),
    fields_sha256: createHash('sha256').update(canonicalJson(values)).digest('hex'),
  };
}
