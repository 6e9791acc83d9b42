import { type WalletRecoveryCompletion } from '@constancia/contracts';
import { uuidOf, uuidv7 } from '@constancia/kernel';
import { StateConflict, UnprocessableEntity, ValidationError } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { PlatformConfig } from '../../../config.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { settledWithin } from '../../settled-within.ts';
import { WalletCeremonies } from '../passkeys/wallet-ceremonies.ts';
import { passkeyRecord, sealForWallet } from '../wallet-records.ts';
import { RecoveryEvidence } from './recovery-evidence.ts';
import { RecoverySweep } from './recovery-sweep.ts';
import { hasEnded, isBusy, WalletRecoveries } from './wallet-recoveries.ts';
import type { RecoveryPasskey, WalletRecovery } from './wallet-recovery.entity.ts';

/** How long a request waits for the engines; afterwards the person asks how it stands. */
const WAIT_MS = 20_000;

type Queued = 'queued' | 'ended' | 'busy' | 'no_passkey' | 'no_challenge' | 'no_picture';

/** The comparison of the face of a recovery, and what begins when it says that it is the person's. */
@Injectable()
export class RecoveryChecks {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly recoveries: WalletRecoveries,
    private readonly evidence: RecoveryEvidence,
    private readonly ceremonies: WalletCeremonies,
    private readonly sweep: RecoverySweep,
    private readonly queues: Queues,
  ) {}

  /** Throws NotFound, StateConflict, ValidationError for pictures that are not there, UnprocessableEntity for a passkey that proves nothing. */
  async complete(completion: WalletRecoveryCompletion): Promise<WalletRecovery> {
    const { id } = await this.recoveries.find(completion.recovery_id);
    if (completion.passkey !== undefined) await this.keepPasskey(id, completion.passkey);
    refuse(await this.queue(id, completion));
    this.queues.hint('step-run', { v: 1, run_id: id }, id); // may be lost: the worker looks for itself
    return settledWithin(
      WAIT_MS,
      async () => {
        const recovery = await this.recoveries.find(completion.recovery_id);
        if (recovery.state === 'biometric_verified') await this.sweep.cool(recovery);
        return recovery;
      },
      ({ state, check_input }) => check_input === null && state !== 'biometric_verified',
    );
  }

  private async queue(id: string, { challenge_id, selfie_uri, frame_uris }: WalletRecoveryCompletion): Promise<Queued> {
    const selfie = pictureId(selfie_uri, '/selfie_uri');
    const frames = frame_uris.map((uri, nth) => pictureId(uri, `/frame_uris/${nth}`));
    const [row] = await this.database.query<{ queued: Queued }>(
      'select identity.queue_recovery_check($1, $2, $3, $4, $5) as queued',
      [id, uuidOf('lch', challenge_id), selfie, frames, this.config.stepDeadlineMs],
    );
    return row?.queued ?? 'ended';
  }

  private async keepPasskey(recoveryId: string, given: { name: string; credential: object }): Promise<void> {
    const { walletId, key } = await this.evidence.wallet(recoveryId);
    const made = await this.ceremonies.finishRegistration(recoveryId, given.credential as RegistrationResponseJSON);
    if (made === null) throw new UnprocessableEntity('The passkey was not accepted: make it again.');
    const passkey: RecoveryPasskey = {
      id: uuidv7(),
      credential_id: made.credentialId.toString('hex'),
      public_key: made.publicKey.toString('hex'),
      sign_count: made.signCount,
      transports: made.transports,
      backed_up: made.backedUp,
    };
    const sealed = sealForWallet(key, walletId, passkeyRecord(passkey.id), { name: given.name });
    const [row] = await this.database.query<{ kept: boolean }>(
      'select identity.keep_recovery_passkey($1, $2, $3) as kept',
      [recoveryId, JSON.stringify(passkey), sealed],
    );
    if (row?.kept !== true) throw await this.evidence.refusal(recoveryId);
  }
}

function refuse(queued: Queued): void {
  switch (queued) {
    case 'queued':
      return;
    case 'ended':
      throw hasEnded();
    case 'busy':
      throw isBusy();
    case 'no_passkey':
      throw missing('/passkey', 'required', 'Give the passkey that is to be the only one.');
    case 'no_challenge':
      throw new StateConflict('The challenge is unknown here, or was used: ask for a new one.');
    case 'no_picture':
      throw missing(
        '/frame_uris',
        'unknown_reference',
        'Upload the selfie, and one picture per pose: some are not here.',
      );
  }
}

function pictureId(uri: string, pointer: string): string {
  const id = uuidOf('wrp', uri.slice('asset://'.length));
  if (id === null) throw missing(pointer, 'unknown_reference', 'Give a stored_uri as the upload was answered.');
  return id;
}

const missing = (pointer: string, code: string, detail: string): ValidationError =>
  new ValidationError([{ pointer, code, detail }]);
