import { type RecoveryCheckInput, type StepOutcome, WALLET_RECOVERY_CHECKS } from '@constancia/contracts';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { LEASE_SECONDS } from './step-runs.ts';

/** The face of a person who recovers a wallet, to be compared with the one that the wallet keeps. Ids are UUIDs. */
export interface ClaimedRecoveryCheck {
  id: string;
  wallet_id: string;
  input: RecoveryCheckInput;
  lease_token: string;
  deadline_at: Date;
  /** How often it was claimed, this time included. */
  claims: number;
  /** Null: the wallet is erased. */
  wrapped_key: Buffer | null;
  face_verification_id: string | null;
  face_sealed: Buffer | null;
}

/** The result of a check. */
export interface RecoveryCheckEnd {
  outcome: StepOutcome;
  /** A stable word; null for pass. */
  reason: string | null;
}

/** Checks of recoveries in Postgres. Every write is fenced by the lease. */
@Injectable()
export class RecoveryCheckStore {
  constructor(private readonly database: Database) {}

  claim(limit: number): Promise<ClaimedRecoveryCheck[]> {
    return this.database.query('select * from identity.claim_recovery_checks($1, $2)', [limit, LEASE_SECONDS]);
  }

  async extend(checks: readonly ClaimedRecoveryCheck[]): Promise<void> {
    await this.database.query(
      'select identity.extend_recovery_check(id, token, $3) from unnest($1::uuid[], $2::uuid[]) as held(id, token)',
      [checks.map(({ id }) => id), checks.map(({ lease_token }) => lease_token), LEASE_SECONDS],
    );
  }

  /** Sealed, in the order of their ids; fewer when the lease was lost. */
  pictures(
    { id, lease_token }: ClaimedRecoveryCheck,
    ids: readonly string[],
  ): Promise<{ id: string; sealed: Buffer }[]> {
    return this.database.query('select * from identity.recovery_pictures($1, $2, $3)', [id, lease_token, ids]);
  }

  /** False: the lease was lost, and another's end counts. */
  async finish({ id, lease_token }: ClaimedRecoveryCheck, { outcome, reason }: RecoveryCheckEnd): Promise<boolean> {
    const [row] = await this.database.query<{ ours: boolean }>(
      'select identity.finish_recovery_check($1, $2, $3, $4, $5) as ours',
      [id, lease_token, outcome, reason, WALLET_RECOVERY_CHECKS],
    );
    return row?.ours ?? false;
  }
}
