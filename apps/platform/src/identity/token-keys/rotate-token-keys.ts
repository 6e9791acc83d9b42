import { IndependentWork } from '@constancia/kernel';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { periodsOf, TOKEN_KEY_SETS, type TokenKeySet } from './token-key-sets.ts';
import { TokenKeys } from './token-keys.ts';

const EVERY_MS = 10 * 60_000;

/**
 * Replaces the keys of tokens: publishes the next one a day before the current one has served its time, then lets it sign, and deletes
 * those whose last token has long expired. Every process does it; the store lets one at a time. A set that was never used has no keys.
 */
@Injectable()
export class RotateTokenKeys extends PeriodicWork {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly keys: TokenKeys,
    logger: Logger,
  ) {
    super({ name: 'token-keys', everyMs: EVERY_MS, logger });
  }

  override async run(): Promise<void> {
    const work = new IndependentWork();
    for (const keySet of Object.keys(TOKEN_KEY_SETS) as TokenKeySet[]) await work.attempt(() => this.rotate(keySet));
    work.throwFirstFailure();
  }

  private async rotate(keySet: TokenKeySet): Promise<void> {
    const { useSeconds, publishSeconds, keepSeconds } = periodsOf(keySet);
    const [row] = await this.database.query<{ wants_next: boolean }>(
      'select identity.rotate_token_keys($1, $2, $3, $4) as wants_next',
      [keySet, useSeconds, publishSeconds, keepSeconds],
    );
    if (row?.wants_next) await this.keys.add(keySet);
  }
}
