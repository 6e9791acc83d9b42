import { recoveryPictureRecord, walletFaceRecord, walletKeyContext, walletRecordContext } from '@constancia/contracts';
import type { Pose } from '@constancia/face-matching';
import { retry, SecretBox, typeId } from '@constancia/kernel';
import { DatabaseUnavailableError } from '@constancia/persistence';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { BiometricsConfig } from './config.ts';
import { EnginePool } from './engines/engine-pool.ts';
import { CannotWork, classifyFailure } from './failure.ts';
import { BiometricsMetrics } from './metrics.ts';
import { type ClaimedRecoveryCheck, type RecoveryCheckEnd, RecoveryCheckStore } from './recovery-check-store.ts';
import { verdictOf } from './step-results.ts';
import { WalletKeys } from './wallet-keys.ts';

const WRITE_ATTEMPTS = 5;
const WRITE_PAUSE_MS = 1_500;
const LEAST_MS = 500;

/** Compares the face of a person who recovers a wallet with the one that it keeps. Nothing of a face is written down. */
@Injectable()
export class RecoveryCheckProcessor {
  constructor(
    private readonly store: RecoveryCheckStore,
    private readonly keys: WalletKeys,
    private readonly engines: EnginePool,
    private readonly metrics: BiometricsMetrics,
    private readonly logger: Logger,
    private readonly config: BiometricsConfig,
  ) {}

  /** Never rejects: what cannot even be written is left to the next worker, when the lease has ended, and to the platform's sweep. */
  async run(check: ClaimedRecoveryCheck): Promise<void> {
    const facts = { recovery_id: typeId('wrc', check.id), attempts: check.claims };
    try {
      const end = await this.end(check);
      const ours = await retry(() => this.store.finish(check, end), {
        pauseMs: (error, attempt) =>
          error instanceof DatabaseUnavailableError && attempt < WRITE_ATTEMPTS ? WRITE_PAUSE_MS : null,
      });
      this.metrics.ended('recovery', ours ? end.outcome : 'lost');
      this.logger.info({ ...facts, result: ours ? end.outcome : 'lost', reason: end.reason }, 'a recovery was checked');
    } catch (error) {
      this.logger.error({ ...facts, error }, 'the end of a check of a recovery could not be written');
    }
  }

  private async end(check: ClaimedRecoveryCheck): Promise<RecoveryCheckEnd> {
    try {
      return await this.compared(check);
    } catch (error) {
      const { reason } = classifyFailure(error);
      this.metrics.failed(reason);
      // Not the error: what libraries say may quote a picture.
      this.logger.warn({ recovery_id: typeId('wrc', check.id), reason }, 'a check of a recovery failed');
      return { outcome: 'error', reason };
    }
  }

  private async compared(check: ClaimedRecoveryCheck): Promise<RecoveryCheckEnd> {
    const { input } = check;
    const left = Math.min(check.deadline_at.getTime() - Date.now(), this.config.deadlineMs);
    const pictures = await this.pictures(check);
    const finding = await this.metrics.stage('face', () =>
      this.engines.work(
        {
          job: 'face',
          thresholds: null,
          challenge: {
            mode: 'active',
            poses: input.poses as Pose[],
            issuedAt: Date.parse(input.issued_at),
            expiresAt: Date.parse(input.expires_at),
          },
          receivedAt: input.frames.map(({ received_at }) => Date.parse(received_at)),
          passive: { policy: 'off' },
          deadlineMs: Math.max(LEAST_MS, left),
        },
        pictures,
      ),
    );
    if (finding.job !== 'face') throw new Error('an engine answers what it was not asked');
    const { outcome, reason } = verdictOf(finding, 'active');
    return { outcome, reason };
  }

  /** The kept face, the selfie and the frames, decrypted. */
  private async pictures(check: ClaimedRecoveryCheck): Promise<Buffer[]> {
    const { wallet_id: walletId, wrapped_key, face_sealed, face_verification_id, input } = check;
    if (!wrapped_key || !face_sealed || !face_verification_id) throw new CannotWork('picture_missing');
    const box = new SecretBox([await this.keys.unwrap(walletId, wrapped_key, walletKeyContext(walletId))]);
    const open = (sealed: Buffer, record: string) => box.open(sealed, walletRecordContext(walletId, record));
    const ids = [input.selfie, ...input.frames.map(({ picture }) => picture)];
    const stored = new Map((await this.store.pictures(check, ids)).map(({ id, sealed }) => [id, sealed]));
    const taken = ids.map((id) => {
      const sealed = stored.get(id);
      if (sealed === undefined) throw new CannotWork('picture_missing');
      return open(sealed, recoveryPictureRecord(id));
    });
    return [open(face_sealed, walletFaceRecord(face_verification_id)), ...taken];
  }
}
