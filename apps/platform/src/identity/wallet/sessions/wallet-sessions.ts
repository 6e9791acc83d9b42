import { WALLET_SESSION_SECONDS } from '@constancia/contracts';
import { type OneTimeCodes, uuidv7 } from '@constancia/kernel';
import { Unauthorized } from '@constancia/problem-json';
import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { codesLocked } from '../../../codes-locked.ts';
import { PlatformConfig } from '../../../config.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { CODE_MINUTES, walletSignInCodes } from '../wallet-codes.ts';
import { WalletIndex } from '../wallet-index.ts';
import { WalletMails } from '../wallet-mails.ts';
import { WalletChallenges } from './wallet-challenge.ts';
import { WalletSession, type WalletSignInMethod } from './wallet-session.entity.ts';
import { WalletTokens } from './wallet-tokens.ts';

interface OpenRow {
  outcome: 'ok' | 'wrong' | 'locked';
  retry_after: number | null;
  wallet_id: string | null;
  expires_at: Date | null;
}

const WRONG = 'The code is wrong or has expired. Check it, or ask for another one.';

/**
 * Signing in to a wallet. What is asked of a contact costs the same work, and is answered the same, whether or not it opens a wallet: that is
 * looked at when the mail is written, and a code is checked in a row that every contact has.
 */
@Injectable()
export class WalletSessions {
  private readonly codes: OneTimeCodes;
  private readonly challenges: WalletChallenges;
  private readonly signIns;

  constructor(
    config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly index: WalletIndex,
    private readonly tokens: WalletTokens,
    private readonly mails: WalletMails,
    metrics: Metrics,
  ) {
    this.codes = walletSignInCodes(config);
    this.challenges = new WalletChallenges(config);
    const help = 'Attempts of persons to sign in to a wallet';
    this.signIns = metrics.counter('wallet_sign_ins_total', help, ['method', 'outcome']);
  }

  async start(identifier: string): Promise<{ challengeId: string; expiresAt: Date }> {
    const contact = await this.index.contact(identifier);
    await this.database.query('select identity.request_wallet_code($1)', [contact]);
    this.mails.wake();
    const expiresAt = new Date(Date.now() + CODE_MINUTES * 60_000);
    return { challengeId: this.challenges.issue(contact, expiresAt), expiresAt };
  }

  /** Throws Unauthorized for a wrong code, RateLimitExceeded after five. */
  async verify(challengeId: string, code: string): Promise<{ token: string; expiresAt: Date }> {
    const sign = await this.tokens.signer();
    const opened = await this.open(challengeId, code);
    return { token: await this.tokens.issue(sign, { ...opened, method: 'code' }), expiresAt: opened.expiresAt };
  }

  /** The same without a token: a session that is opened for who signs in to something else. */
  async open(challengeId: string, code: string): Promise<{ walletId: string; sessionId: string; expiresAt: Date }> {
    const contact = this.challenges.contactOf(challengeId);
    if (contact === null) throw new Unauthorized(WRONG);
    const sessionId = uuidv7();
    const [row] = await this.database.query<OpenRow>('select * from identity.open_wallet_session($1, $2, $3, $4)', [
      ...[contact, this.codes.hashesOf(contact.toString('hex'), code), sessionId, WALLET_SESSION_SECONDS],
    ]);
    const { outcome, retry_after, wallet_id: walletId, expires_at: expiresAt } = row as OpenRow;
    this.count('code', outcome);
    if (outcome === 'locked') throw codesLocked(retry_after ?? 1);
    if (walletId === null || expiresAt === null) throw new Unauthorized(WRONG);
    return { walletId, sessionId, expiresAt };
  }

  count(method: WalletSignInMethod, outcome: 'ok' | 'wrong' | 'locked'): void {
    this.signIns.inc({ method, outcome });
  }

  /** Its token is refused from now on. */
  async end(walletId: string, sessionId: string): Promise<void> {
    await this.database.wallet(walletId, (tx) =>
      tx.manager.update(
        WalletSession,
        { id: sessionId, wallet_id: walletId, ended_at: IsNull() },
        { ended_at: new Date() },
      ),
    );
  }
}
