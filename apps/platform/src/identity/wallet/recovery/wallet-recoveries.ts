import { randomUUID } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import { type OneTimeCodes, uuidOf } from '@constancia/kernel';
import { NotFound, RateLimitExceeded, StateConflict, UnprocessableEntity } from '@constancia/problem-json';
import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../../config.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { recoveryCodes } from '../wallet-codes.ts';
import { WalletIndex } from '../wallet-index.ts';
import { WalletMails } from '../wallet-mails.ts';
import { EvidenceAddresses } from './evidence-addresses.ts';
import type { WalletRecovery } from './wallet-recovery.entity.ts';

/** From the start until the face is compared. */
const RECOVERY_SECONDS = 1_800;
/** Recoveries of one address in 24 hours. */
export const RECOVERIES_PER_DAY = 5;
/** The wrong code that ends a recovery. */
export const WRONG_CODES = 3;

const WRONG = 'The code is wrong or has expired. Three wrong codes end the recovery.';

interface Verified {
  outcome: 'ok' | 'wrong' | 'no_face' | 'another' | 'ended' | 'unknown';
}

/**
 * Recoveries of wallets, until the contact is proven, and their end by hand. What is asked of an address costs the same work, and is answered the
 * same, whether or not it opens a wallet: every start is a row, and whose address it is is looked at when the mail is written.
 */
@Injectable()
export class WalletRecoveries {
  private readonly codes: OneTimeCodes;
  private readonly recoveries;

  constructor(
    config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly index: WalletIndex,
    private readonly mails: WalletMails,
    private readonly addresses: EvidenceAddresses,
    metrics: Metrics,
  ) {
    this.codes = recoveryCodes(config);
    const help = 'What became of recoveries of wallets, by step';
    this.recoveries = metrics.counter('wallet_recoveries_total', help, ['outcome']);
  }

  /** Throws RateLimitExceeded for the sixth of an address in 24 hours. */
  async start(identifier: string): Promise<{ id: string; expiresAt: Date }> {
    const contact = await this.index.contact(identifier);
    const id = randomUUID(); // nobody else is to find it: no id that counts
    const [row] = await this.database.query<{ expires_at: Date | null; retry_after: number | null }>(
      'select * from identity.start_recovery($1, $2, $3, $4)',
      [id, contact, RECOVERY_SECONDS, RECOVERIES_PER_DAY],
    );
    const { expires_at: expiresAt = null, retry_after: retryAfter = null } = row ?? {};
    if (expiresAt === null) throw tooManyStarts(retryAfter ?? 1);
    this.mails.wake();
    return { id, expiresAt };
  }

  /**
   * Proves the contact; answers where the evidence goes. Throws NotFound, StateConflict once it has ended, UnprocessableEntity for a wrong code,
   * and for a wallet that keeps no face.
   */
  async verify(recoveryId: string, code: string): Promise<{ uploadUrl: string; expiresAt: Date }> {
    const id = uuidOf('wrc', recoveryId);
    if (id === null) throw unknown();
    const [row] = await this.database.query<Verified>('select * from identity.verify_recovery($1, $2, $3)', [
      ...[id, this.codes.hashesOf(id, code), WRONG_CODES],
    ]);
    const outcome = row?.outcome ?? 'unknown';
    if (outcome !== 'unknown') this.count(outcome === 'ok' ? 'contact_verified' : outcome);
    switch (outcome) {
      case 'ok': {
        const { expires_at: expiresAt } = await this.find(recoveryId);
        return { uploadUrl: this.addresses.addressOf(id, expiresAt), expiresAt };
      }
      case 'unknown':
        throw unknown();
      case 'ended':
        throw hasEnded((await this.find(recoveryId)).reason);
      case 'wrong':
        throw new UnprocessableEntity(WRONG);
      case 'no_face':
        throw new UnprocessableEntity(
          'This wallet keeps no picture of a face, so that it cannot be recovered by one. Sign in with a mailed code, and remove the passkeys.',
          { reason: 'no_face' },
        );
      case 'another':
        throw new StateConflict(
          'Another recovery of this wallet is under way: cancel it, or wait until it takes effect.',
          { reason: 'another' },
        );
    }
  }

  /** Throws NotFound. */
  async find(recoveryId: string): Promise<WalletRecovery> {
    const id = uuidOf('wrc', recoveryId);
    if (id === null) throw unknown();
    const [row] = await this.database.query<WalletRecovery>('select * from identity.find_recovery($1)', [id]);
    if (row === undefined) throw unknown();
    return row;
  }

  /** By the link of the notice. Throws NotFound: unknown, used, or the recovery is over. */
  cancelByLink(token: string): Promise<void> {
    return this.cancelled('select identity.cancel_recovery_by_link($1) as done', [hashSecret(token)]);
  }

  /** By somebody who is signed in. Throws NotFound when none is under way. */
  cancelOf(walletId: string): Promise<void> {
    return this.cancelled('select identity.cancel_recovery_of($1) as done', [walletId]);
  }

  count(outcome: string): void {
    this.recoveries.inc({ outcome });
  }

  private async cancelled(sql: string, params: unknown[]): Promise<void> {
    const [row] = await this.database.query<{ done: boolean }>(sql, params);
    if (row?.done !== true) throw new NotFound('There is no recovery that could be cancelled.');
    this.count('cancelled');
    this.mails.wake();
  }
}

/** @param reason why it ended; answered only when it says nothing about a wallet */
export const hasEnded = (reason: string | null = null): StateConflict =>
  new StateConflict('The recovery has ended: start another one.', reason === 'wrong_codes' ? { reason } : {});

export const isBusy = (): StateConflict =>
  new StateConflict('The face is being compared: ask for the state of the recovery.', { reason: 'busy' });

const unknown = (): NotFound => new NotFound('No such recovery.');

function tooManyStarts(seconds: number): RateLimitExceeded {
  const detail = `This address had ${RECOVERIES_PER_DAY} recoveries in 24 hours: try again in ${Math.ceil(seconds / 3_600)} h.`;
  return new RateLimitExceeded(detail, {}, { 'Retry-After': String(seconds) });
}
