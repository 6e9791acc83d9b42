import type { KeepText } from '@constancia/contracts';
import { CreditLedger, debitsCounter, HoldSettledError } from '@constancia/credit-ledger';
import { emitEvent } from '@constancia/events';
import { ageOn, bogotaDay, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { endPresentation } from '../presentations/presentation-rows.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';
import type { FlowSession } from '../sessions/session-row.ts';
import { claimNames, claimsContext, type ReleasedClaims } from '../presentations/released-claims.ts';
import { subjectVerifiedEvent, type VerifiedFacts } from '../subjects/subject-events.ts';
import type { Subject } from '../subjects/subject.entity.ts';
import { Subjects } from '../subjects/subjects.ts';
import { WalletConsent } from '../wallet/wallet-consent.entity.ts';
import { type ConsentOrigin, consentRecord, sealForWallet, type SharedRecord } from '../wallet/wallet-records.ts';
import type { WalletVerification } from '../wallet/wallet-verification.entity.ts';
import { approvedEvent } from './presentation-events.ts';

export interface AnswerOrigin {
  ip: string;
  userAgent: string | null;
  /** Of the page that held the frame, as its tenant stated it; null: there was none. */
  frameOrigin: string | null;
}

/** What a person gives, and how they said so. */
export interface Answer {
  walletId: string;
  /** The data key of the wallet. */
  key: Buffer;
  verification: Pick<WalletVerification, 'level' | 'verified_at'>;
  /** The name of the tenant that the verification was made for. */
  verifiedFor: string;
  released: ReleasedClaims;
  /** What the person agreed to. */
  text: Pick<KeepText, 'version' | 'locale' | 'sha256'>;
  origin: AnswerOrigin;
  method: SharedRecord['method'];
  /** The session whose page asked, and whose row is held; null: the tenant asked. */
  asking: Pick<FlowSession, 'subject_id'> | null;
}

/**
 * Gives a tenant what it asked for: the tenant's subject is made or changed with its events, the consent recorded, the request ended, the price
 * spent. The request is locked, open, and this transaction's last work.
 */
@Injectable()
export class GivePresentation {
  private readonly count: (module: string) => void;

  constructor(
    private readonly subjects: Subjects,
    private readonly ledger: CreditLedger,
    metrics: Metrics,
  ) {
    this.count = debitsCounter(metrics);
  }

  /** Counts the debit of an answer, once its transaction is committed. */
  countDebit(): void {
    this.count('identity');
  }

  /** Throws StateConflict when the company has erased its record, or the price is not held any more. */
  async give(tx: Tx, row: Presentation, answer: Answer): Promise<void> {
    const { level, verified_at: verifiedAt } = answer.verification;
    const subject = await this.receive(tx, row, answer);
    const text = JSON.stringify(answer.released);
    const claims = await this.subjects.seal(tx, subject, claimsContext(row.id), text);
    if (claims === null) throw new StateConflict('The company has erased its record meanwhile.');
    const names = claimNames(row.claims);
    await recordConsent(tx, row, names, answer);
    const approvedAt = new Date();
    await endPresentation(tx, row, {
      ...{ status: 'approved', ended_at: approvedAt, subject_id: subject.id, level, verified_at: verifiedAt },
      sealed_claims: claims,
      ...(answer.method === 'credential' && { browser_hash: null, proved_by: null }), // a person on the page gave nothing
    });
    const { birth_date } = answer.released;
    const ageYears = birth_date ? ageOn(birth_date, bogotaDay(approvedAt)) : null;
    await emitEvent(tx, subjectVerifiedEvent(factsOf(subject, ageYears)));
    const given = { subjectId: subject.id, claims: names, level, verifiedAt, approvedAt };
    await emitEvent(tx, approvedEvent(row, given));
    await this.capture(tx, row); // last: the balance row stays locked only until the commit
  }

  /** The tenant's subject, with what the person gave, and nothing that was known before and that this verification does not state. */
  private async receive(tx: Tx, row: Presentation, { asking, released, verification }: Answer): Promise<Subject> {
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
    await this.subjects.setStatus(tx, subject, { kycStatus: 'approved', verifiedAt: verification.verified_at });
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

async function recordConsent(tx: Tx, row: Presentation, claims: string[], answer: Answer): Promise<void> {
  const { walletId, key, text, origin, method } = answer;
  const id = uuidv7();
  const record: ConsentOrigin = {
    verified_for: answer.verifiedFor,
    ip: origin.ip,
    user_agent: origin.userAgent,
    shared: {
      ...{ tenant_id: row.tenant_id, presentation_id: row.id, tenant_name: row.tenant_name },
      ...{ purpose: row.purpose, claims, method },
      ...(origin.frameOrigin !== null && { frame_origin: origin.frameOrigin }),
    },
  };
  await tx.manager.insert(WalletConsent, {
    id,
    wallet_id: walletId,
    kind: 'share',
    text_version: text.version,
    locale: text.locale,
    text_sha256: Buffer.from(text.sha256, 'hex'),
    sealed_origin: sealForWallet(key, walletId, consentRecord(id), record),
    given_at: new Date(),
  });
}
