import { type ConsentApproval, type ConsentEnd, type PersonLocale } from '@constancia/contracts';
import { CreditLedger, debitsCounter, HoldSettledError } from '@constancia/credit-ledger';
import { emitEvent } from '@constancia/events';
import { ageOn, bogotaDay, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { KycRejected, NotFound, StateConflict, ValidationError } from '@constancia/problem-json';
import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { subjectVerifiedEvent, type VerifiedFacts } from '../subjects/subject-events.ts';
import type { Subject } from '../subjects/subject.entity.ts';
import { Subjects } from '../subjects/subjects.ts';
import { currentShareText } from '../wallet/share-texts.ts';
import { WalletConsent } from '../wallet/wallet-consent.entity.ts';
import { WalletKeys } from '../wallet/wallet-keys.ts';
import { consentRecord, sealForWallet, type ConsentOrigin } from '../wallet/wallet-records.ts';
import { lockSession } from '../sessions/session-changes.ts';
import type { FlowSession } from '../sessions/session-row.ts';
import { requireWaiting } from './asking-sessions.ts';
import type { ConsentBearer } from './consent-links.ts';
import { type Answerable, ConsentStates, provedBy, provedOnce } from './consent-states.ts';
import { approvedEvent } from './presentation-events.ts';
import { endPresentation, isOpen, lockPresentation } from '../presentations/presentation-rows.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';
import { claimNames, claimsContext, type ReleasedClaims } from '../presentations/released-claims.ts';

export interface ApprovalOrigin {
  ip: string;
  userAgent: string | null;
}

/** A person's yes: what they were shown, and from where they said it. */
interface Approval {
  browser: string;
  shown: ConsentApproval;
  origin: ApprovalOrigin;
}

const OBSTACLES = {
  other_person: 'The request is about another document than that of this wallet.',
  too_old: 'The verification is older than the company accepts.',
  missing: 'The verification does not have everything that is asked for.',
} as const;

/**
 * The answer to a request, in one transaction: the price is spent, the tenant's subject made or changed with its events, the consent recorded,
 * the link used up. Once, however often it is sent.
 */
@Injectable()
export class ApprovePresentation {
  private readonly countDebit: (module: string) => void;

  constructor(
    private readonly database: IdentityDatabase,
    private readonly states: ConsentStates,
    private readonly subjects: Subjects,
    private readonly keys: WalletKeys,
    private readonly ledger: CreditLedger,
    metrics: Metrics,
  ) {
    this.countDebit = debitsCounter(metrics);
  }

  /** Throws NotFound to a browser that has proved nothing, StateConflict once the request ended otherwise, KycRejected, ValidationError. */
  async approve(bearer: ConsentBearer, approval: Approval): Promise<ConsentEnd> {
    const row = await this.states.rowOf(bearer);
    if (!provedOnce(row, approval.browser)) throw new StateConflict('Prove that the wallet is yours first.');
    if (!isOpen(row) || !provedBy(row, approval.browser)) return ended(row);
    const answerable = await this.states.answerable(row);
    if (answerable.obstacle !== null || answerable.released === null) {
      throw new KycRejected(OBSTACLES[answerable.obstacle ?? 'missing']);
    }
    checkShown(row, approval.shown);
    const { wrapped_key } = answerable.opened.wallet;
    const key = await this.keys.unwrap(answerable.walletId, wrapped_key as Buffer);
    const facts = { ...answerable, released: answerable.released, key, sessionId: row.session_id };
    const { end, captured } = await this.database.tenantAndWallet(bearer.tenantId, answerable.walletId, (tx) =>
      this.commit(tx, bearer, approval, facts),
    );
    if (captured) this.countDebit('identity');
    return end;
  }

  private async commit(
    tx: Tx,
    { tenantId, presentationId }: ConsentBearer,
    approval: Approval,
    facts: Answerable & { released: ReleasedClaims; key: Buffer; sessionId: string | null },
  ): Promise<{ end: ConsentEnd; captured: boolean }> {
    const asking = facts.sessionId === null ? null : await lockSession(tx, tenantId, facts.sessionId);
    const row = await lockPresentation(tx, tenantId, presentationId);
    if (!isOpen(row) || !provedBy(row, approval.browser) || row.wallet_id !== facts.walletId) {
      return { end: ended(row), captured: false };
    }
    if (asking !== null) requireWaiting(asking);
    await holdWallet(tx, facts.walletId, row.proved_at);
    const { level, verified_at: verifiedAt } = facts.verification;
    const subject = await this.receive(tx, { row, asking }, facts.released, verifiedAt);
    const text = JSON.stringify(facts.released);
    const claims = await this.subjects.seal(tx, subject, claimsContext(row.id), text);
    if (claims === null) throw new StateConflict('The company has erased its record meanwhile.');
    const names = claimNames(row.claims);
    await recordConsent(tx, row, names, approval, facts);
    const approvedAt = new Date();
    await endPresentation(tx, row, {
      ...{ status: 'approved', ended_at: approvedAt, subject_id: subject.id, level, verified_at: verifiedAt },
      sealed_claims: claims,
    });
    const { birth_date } = facts.released;
    const ageYears = birth_date ? ageOn(birth_date, bogotaDay(approvedAt)) : null;
    await emitEvent(tx, subjectVerifiedEvent(factsOf(subject, ageYears)));
    const given = { subjectId: subject.id, claims: names, level, verifiedAt, approvedAt };
    await emitEvent(tx, approvedEvent(row, given));
    await this.capture(tx, row); // last: the balance row stays locked only until the commit
    return { end: { redirect_to: row.return_url }, captured: true };
  }

  /** The tenant's subject, with what the person gave, and nothing that was known before and that this verification does not state. */
  private async receive(
    tx: Tx,
    { row, asking }: { row: Presentation; asking: FlowSession | null },
    released: ReleasedClaims,
    verifiedAt: Date,
  ): Promise<Subject> {
    const subject = asking
      ? await this.subjects.find(tx, row.tenant_id, asking.subject_id)
      : await this.subjects.findOrCreate(tx, row.tenant_id, {
          externalRef: row.external_ref,
          documentType: released.document_type,
          documentNumber: released.document_number ?? null,
          country: released.document_country,
          email: null,
          phone: null,
        });
    const { full_name: fullName = null, birth_date: birthDate = null } = released;
    await this.subjects.learn(tx, subject, { fullName, birthDate });
    await this.subjects.setStatus(tx, subject, { kycStatus: 'approved', verifiedAt });
    return subject;
  }

  /** Nothing is given for a price that is not held any more: the request is over. */
  private async capture(tx: Tx, { hold_id }: Presentation): Promise<void> {
    if (hold_id === null) throw new Error('a request holds its price');
    await this.ledger.capture(tx, hold_id).catch((error: unknown) => {
      throw error instanceof HoldSettledError ? new StateConflict('The time of the request is over.') : error;
    });
  }
}

function factsOf(subject: Subject, ageYears: number | null): VerifiedFacts {
  return {
    tenantId: subject.tenant_id,
    subjectId: subject.id,
    externalRef: subject.external_ref,
    documentType: subject.document_type,
    documentCountry: subject.document_country,
    ageYears,
    listHits: subject.restrictive_list_hits,
  };
}

/** An answer that was given is given again; anything else is over. */
function ended(row: Presentation): ConsentEnd {
  if (row.status === 'approved') return { redirect_to: row.return_url };
  throw new StateConflict('The request is over: it was answered, it was cancelled, or its time has passed.');
}

/** Throws NotFound once the wallet is erased, or was recovered or lost a passkey after the proof. */
async function holdWallet(tx: Tx, walletId: string, provedAt: Date | null): Promise<void> {
  const sql = `
    select 1 from identity.wallet
     where wallet_id = $1 and erased_at is null and (signed_out_at is null or signed_out_at < $2) for share`;
  if ((await tx.query(sql, [walletId, provedAt])).length === 0) throw new NotFound();
}

/** What was shown is what is agreed to. */
function checkShown(row: Presentation, { claims, version, locale, sha256 }: ConsentApproval): void {
  const names = claimNames(row.claims);
  const missing = names.filter((name) => !claims.includes(name));
  if (missing.length > 0 || claims.length !== names.length) {
    const detail = `Send exactly ${names.join(', ')}.`;
    throw new ValidationError([{ pointer: '/claims', code: 'not_allowed', detail }]);
  }
  const text = textOf(row, locale);
  if (text.version !== version || text.sha256 !== sha256) {
    const detail = 'Send that of the text as it was answered.';
    throw new ValidationError([{ pointer: '/sha256', code: 'mismatch', detail }]);
  }
}

const textOf = (row: Presentation, locale: PersonLocale) =>
  currentShareText(locale, { ...row, claims: claimNames(row.claims) });

async function recordConsent(
  tx: Tx,
  row: Presentation,
  claims: string[],
  { shown, origin }: Approval,
  { walletId, key, kept }: Answerable & { key: Buffer },
): Promise<void> {
  const id = uuidv7();
  const record: ConsentOrigin = {
    verified_for: kept.verified_for,
    ip: origin.ip,
    user_agent: origin.userAgent,
    shared: {
      ...{ tenant_id: row.tenant_id, presentation_id: row.id, tenant_name: row.tenant_name },
      ...{ purpose: row.purpose, claims, method: row.proved_by },
    },
  };
  await tx.manager.insert(WalletConsent, {
    id,
    wallet_id: walletId,
    kind: 'share',
    text_version: shown.version,
    locale: shown.locale,
    text_sha256: Buffer.from(shown.sha256, 'hex'),
    sealed_origin: sealForWallet(key, walletId, consentRecord(id), record),
    given_at: new Date(),
  });
}
