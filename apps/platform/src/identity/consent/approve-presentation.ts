import { type ConsentApproval, type ConsentEnd, type PersonLocale } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import { KycRejected, NotFound, StateConflict, ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { currentShareText } from '../wallet/share-texts.ts';
import { WalletKeys } from '../wallet/wallet-keys.ts';
import { lockSession } from '../sessions/session-changes.ts';
import { requireWaiting } from './asking-sessions.ts';
import type { ConsentBearer } from './consent-links.ts';
import { type Answerable, ConsentStates, provedBy, provedOnce } from './consent-states.ts';
import { type AnswerOrigin, GivePresentation } from './give-presentation.ts';
import { isOpen, lockPresentation } from '../presentations/presentation-rows.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';
import { claimNames, type ReleasedClaims } from '../presentations/released-claims.ts';

/** A person's yes: what they were shown, and from where they said it. */
interface Approval {
  browser: string;
  shown: ConsentApproval;
  origin: AnswerOrigin;
}

export const OBSTACLES = {
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
  constructor(
    private readonly database: IdentityDatabase,
    private readonly states: ConsentStates,
    private readonly keys: WalletKeys,
    private readonly giving: GivePresentation,
  ) {}

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
    if (captured) this.giving.countDebit();
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
    const { shown, origin } = approval;
    const text = { version: shown.version, locale: shown.locale, sha256: shown.sha256 };
    await this.giving.give(tx, row, {
      ...{ ...facts, verifiedFor: facts.kept.verified_for, text, origin, asking },
      method: row.proved_by,
    });
    return { end: { redirect_to: row.return_url }, captured: true };
  }
}

/** An answer that was given is given again; anything else is over. */
function ended(row: Presentation): ConsentEnd {
  if (row.status === 'approved') return { redirect_to: row.return_url };
  throw new StateConflict('The request is over: it was answered, it was cancelled, or its time has passed.');
}

/** Throws NotFound once the wallet is erased, or was recovered or lost a passkey after the proof. */
export async function holdWallet(tx: Tx, walletId: string, provedAt: Date | null): Promise<void> {
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
