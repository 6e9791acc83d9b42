import { Idempotency } from '@constancia/idempotency';
import { IndependentWork, typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { updateStored } from '../envelope-records/envelope-changes.ts';
import { endedUnsealed } from '../envelope-records/envelope-states.ts';
import { Envelopes } from '../envelopes/envelopes.ts';
import { eraseSigner } from './erased-signer.ts';

const EVERY_MS = 60_000;
const BATCH = 50;

const NO_WORDS = {
  ...{ subject: null, message: null, sealed_words: null },
  ...{ end_reason: null, sealed_end_reason: null, end_reason_salt: null },
  ...{ sealed_values: null, external_ref: null, metadata: {} },
};

/**
 * Erases signers and words of envelopes that ended without a seal, once the retention of their tenant is over. The trail stays: it names
 * nobody without the signers' salts. Every process does it; the one that takes an envelope's lock first erases it.
 */
@Injectable()
export class RetentionSweep extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly envelopes: Envelopes,
    private readonly personal: PersonalData,
    private readonly idempotency: Idempotency,
    logger: Logger,
  ) {
    super({ name: 'retention-sweep', everyMs: EVERY_MS, logger });
  }

  override async run(): Promise<void> {
    const sql = 'select tenant_id, id from signing.envelopes_to_forget($1)';
    const due = await this.database.query<{ tenant_id: string; id: string }>(sql, [BATCH]);
    const work = new IndependentWork();
    for (const { tenant_id, id } of due) {
      await work.attempt(() => this.forget(tenant_id, id), { envelope_id: id });
    }
    work.throwFirstFailure();
  }

  private forget(tenantId: string, envelopeId: string): Promise<void> {
    const { envelopes, personal, idempotency } = this;
    return envelopes.change(tenantId, typeId('env', envelopeId), async ({ envelope, signers }, tx) => {
      if (!endedUnsealed(envelope.status) || envelope.forgotten_at !== null) return;
      for (const signer of signers) await eraseSigner(tx, personal, signer);
      await updateStored(tx, 'envelope', envelopeId, { ...NO_WORDS, forgotten_at: new Date() });
      await personal.destroy(tx, tenantId, [envelopeId]);
      await idempotency.eraseOwner(tx, tenantId, envelopeId);
    });
  }
}
