import { emitEvent, type EventRecord, hintDeliveries } from '@constancia/events';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { NotFound, StateConflict } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import { updateEnvelope, updateSigner } from '../envelope-records/envelope-changes.ts';
import { tenantSealing } from '../envelope-records/envelope-secrets.ts';
import { envelopeEvent } from '../envelope-records/envelope-events.ts';
import type { AuthMethod } from '../circuits/circuit.entity.ts';
import type { SignerColumns, SignerRow } from '../envelope-records/envelope-rows.ts';
import { isOpen, type SignerAction, type SignerStatus, signerTransition } from '../envelope-records/envelope-states.ts';
import { type LockedEnvelope, lockEnvelope } from '../envelope-records/lock-envelope.ts';
import { type NewTrailEvent, recordEvent, type TrailType } from '../envelope-records/trail.ts';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SealingHints } from '../signatures/sealing-hints.ts';
import type { Visitor } from './current-signer.ts';
import { SignersByToken } from './find-signer.ts';
import type { FoundSigner, SignerFacts } from './found-signer.ts';
import { allowedRequests, nextStep, type SignerRequest, type Standing } from './next-step.ts';

/** An envelope whose row this transaction holds, and the signer who asks. */
export interface HeldEnvelope extends LockedEnvelope {
  signer: SignerRow;
  /** What the one who asks has a proof of. */
  proven: readonly AuthMethod[];
}

/** What came of a signer's request, and whom to tell once it is committed. */
export interface Outcome<Result> {
  result: Result;
  events?: EventRecord[];
  /** Mails were enqueued. */
  mails?: boolean;
  /** Everyone has signed. */
  complete?: boolean;
}

/**
 * Where signers' requests are carried out: each in one transaction that holds the envelope's row from its first statement, so that of
 * requests that come together one is done after the other, on what the former left.
 */
@Injectable()
export class SignerRequests {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly signers: SignersByToken,
    private readonly queues: Queues,
    private readonly sealing: SealingHints,
    private readonly mailLoop: SignerMailLoop,
  ) {}

  /** Throws NotFound when the token or the envelope has ended since it was found. */
  async serve<Result>(
    found: FoundSigner,
    work: (tx: Tx, held: HeldEnvelope) => Promise<Outcome<Result>>,
  ): Promise<Result> {
    const { envelope_id: envelopeId } = found.facts;
    const sealing = await tenantSealing(this.personal, found.tenantId);
    const { result, events, mails, complete } = await this.database.tenant(found.tenantId, async (tx) => {
      const locked = await lockEnvelope(tx, sealing, found.tenantId, envelopeId);
      return work(tx, { ...locked, signer: stillTheirs(locked, found), proven: found.facts.proof_methods ?? [] });
    });
    // All of these may be lost: sweeps find what waits.
    if (events) hintDeliveries(this.queues, events);
    if (mails) this.mailLoop.wake();
    if (complete) this.sealing.hint(envelopeId);
    return result;
  }

  /** `serve`, answering how the signer stands afterwards. */
  serveState(
    found: FoundSigner,
    work: (tx: Tx, held: HeldEnvelope) => Promise<Omit<Outcome<never>, 'result'> | undefined>,
  ): Promise<SignerFacts> {
    return this.serve(found, async (tx, held) => {
      const outcome = await work(tx, held);
      return { ...outcome, result: await this.factsAfter(tx, found, found.proofHash) };
    });
  }

  /** How the signer stands for the holder of a proof, with what this transaction changed. Throws NotFound. */
  async factsAfter(tx: Tx, found: FoundSigner, proofHash: Buffer | null): Promise<SignerFacts> {
    const facts = await this.signers.within(tx, found, proofHash);
    if (!facts) throw new NotFound();
    return facts;
  }

  /** The link was opened: the first time, of a signer who may sign now. Of anyone else, and later on, nothing is written. */
  openLink(found: FoundSigner, visitor: Visitor): Promise<SignerFacts> {
    return this.serveState(found, async (tx, held) => {
      const { envelope, signer } = held;
      if (!isOpen(envelope.status) || signer.status !== 'pending') return undefined;
      await moved(tx, signer, 'view', { viewed_at: new Date() });
      if (envelope.status === 'sent') await updateEnvelope(tx, envelope, { status: 'in_progress' });
      await witnessed(tx, held, visitor, 'signer.link_opened', {});
      return {};
    });
  }

  /** A signer who has authenticated and not signed yet is shown the document with this SHA-256. */
  showDocument(found: FoundSigner, visitor: Visitor, sha256: Buffer): Promise<void> {
    return this.serve(found, async (tx, held) => {
      const { envelope, signer } = held;
      const shown = signer.document_shown_sha256?.equals(sha256) === true && signer.document_shown_at !== null;
      if (!isOpen(envelope.status) || signer.status === 'signed' || shown) return { result: undefined };
      const first = signer.document_shown_at === null;
      const document_shown_at = signer.document_shown_at ?? new Date();
      await updateSigner(tx, signer, { document_shown_sha256: sha256, document_shown_at });
      await witnessed(tx, held, visitor, 'signer.document_shown', { document_sha256: sha256.toString('hex') });
      if (!first) return { result: undefined };
      const event = envelopeEvent('seal.envelope.viewed', envelope, signer);
      await emitEvent(tx, event);
      return { result: undefined, events: [event] };
    });
  }
}

/** The signer as the held row says. Throws NotFound, as a look-up of the token would now. */
function stillTheirs({ envelope, signers }: LockedEnvelope, { facts, tokenHash }: FoundSigner): SignerRow {
  const signer = signers.find(({ id }) => id === facts.signer_id);
  const ended = envelope.status === 'voided' || envelope.status === 'expired';
  const late = isOpen(envelope.status) && envelope.expires_at.getTime() <= Date.now();
  if (!signer?.token_hash.equals(tokenHash) || ended || late) throw new NotFound();
  return signer;
}

export function standingOf({ envelope, signer, circuit, proven }: HeldEnvelope): Standing {
  const { status, auth } = signer;
  return { envelopeStatus: envelope.status, status, documentAccess: circuit.document_access, auth, proven };
}

/** Throws StateConflict, naming what is allowed, when the signer may not ask for this now. */
export function requireAllowed(held: HeldEnvelope, request: SignerRequest): void {
  const standing = standingOf(held);
  const allowed = allowedRequests(standing);
  if (!allowed.includes(request)) throw notNow(standing, `${request} is not possible now`);
}

/** 409, saying where the signer stands and what is possible. */
export function notNow(standing: Standing, what: string): StateConflict {
  const allowed = allowedRequests(standing);
  const { envelopeStatus, status } = standing;
  const possible = allowed.length > 0 ? `Possible: ${allowed.join(', ')}.` : 'Ask for the state (GET).';
  return new StateConflict(`${what}: the envelope is ${envelopeStatus}, the signer ${status}. ${possible}`, {
    envelope_status: envelopeStatus,
    signer_status: status,
    next: nextStep(standing),
    allowed,
  });
}

/** Takes a signer to the state that an action leads to, with further columns. */
export function moved(tx: Tx, signer: SignerRow, action: SignerAction, columns: SignerColumns): Promise<SignerRow> {
  return updateSigner(tx, signer, { ...columns, status: statusAfter(signer.status, action) });
}

function statusAfter(from: SignerStatus, action: SignerAction): SignerStatus {
  const transition = signerTransition(from, action);
  if (!transition) throw new Error(`a signer who is ${from} has no ${action}`);
  return transition.to;
}

/** Adds an event about the signer to the trail, with where the request came from, and with the origin of the page whose frame it came from. */
export function witnessed(
  tx: Tx,
  { envelope, signer }: Pick<HeldEnvelope, 'envelope' | 'signer'>,
  visitor: Visitor,
  type: TrailType,
  evidence: NewTrailEvent['data'],
): Promise<void> {
  const { id: envelopeId, tenant_id: tenantId } = envelope;
  const { ip, userAgent } = visitor;
  return recordEvent(tx, {
    tenantId,
    envelopeId,
    type,
    signer,
    ip,
    userAgent,
    data: { ...evidence, ...frameOf(visitor) },
  });
}

/** What an event of the trail says of the page whose frame the request came from; nothing for a request from no frame. */
export const frameOf = ({ frameOrigin }: Visitor): { frame_origin?: string } =>
  frameOrigin === undefined ? {} : { frame_origin: frameOrigin };
