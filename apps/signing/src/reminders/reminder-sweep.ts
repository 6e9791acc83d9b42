import { drainBacklog, typeId } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { updateSigner } from '../envelope-records/envelope-changes.ts';
import type { EnvelopeRow, SignerRow } from '../envelope-records/envelope-rows.ts';
import { isOpen, signerTransition } from '../envelope-records/envelope-states.ts';
import { recordEvent } from '../envelope-records/trail.ts';
import { Envelopes } from '../envelopes/envelopes.ts';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { daysAfter } from '../envelope-records/reminders.ts';

const EVERY_MS = 5_000;
const BATCH = 50;

/** Ids are UUIDs. */
interface DueReminder {
  tenant_id: string;
  envelope_id: string;
  id: string;
}

/**
 * Reminds signers whose scheduled reminder is due. Every process does it: the one that takes an envelope's lock first reminds its signer and
 * writes when the next reminder is due, in one transaction. A day lies between two reminders, also when the tenant asked for one of them.
 */
@Injectable()
export class ReminderSweep extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly envelopes: Envelopes,
    private readonly signerMails: SignerMails,
    private readonly mails: SignerMailLoop,
    logger: Logger,
  ) {
    super({ name: 'reminder-sweep', everyMs: EVERY_MS, logger });
  }

  override run(signal?: AbortSignal): Promise<void> {
    return drainBacklog({
      batch: BATCH,
      due: (limit) => this.database.query<DueReminder>('select * from signing.reminders_due($1)', [limit]),
      handle: (due) => this.remind(due),
      about: ({ envelope_id }) => ({ envelope_id }),
      signal,
    });
  }

  /** False when it is not due any more. */
  private async remind({ tenant_id, envelope_id, id }: DueReminder): Promise<boolean> {
    const done = await this.envelopes.change(tenant_id, typeId('env', envelope_id), async (locked, tx) => {
      const signer = locked.signers.find((one) => one.id === id);
      return signer ? this.remindDue(tx, locked.envelope, signer) : null;
    });
    if (done === 'reminded') this.mails.wake();
    return done !== null;
  }

  private async remindDue(tx: Tx, envelope: EnvelopeRow, signer: SignerRow): Promise<'reminded' | 'postponed' | null> {
    const now = new Date();
    const { reminders } = envelope;
    const due = signer.reminder_due_at;
    if (reminders === null || due === null || due > now || !canBeReminded(envelope, signer, now)) return null;
    const soonest = signer.reminded_at && daysAfter(signer.reminded_at, 1);
    if (soonest && soonest > now) {
      await updateSigner(tx, signer, { reminder_due_at: soonest });
      return 'postponed';
    }
    const count = signer.reminders_sent + 1;
    const next = count < reminders.most ? daysAfter(now, reminders.every_days) : null;
    await updateSigner(tx, signer, { reminded_at: now, reminders_sent: count, reminder_due_at: next });
    await this.signerMails.withdrawInvitations(tx, signer);
    const dedupe = `reminder:${signer.id}:${due.getTime()}`;
    await this.signerMails.enqueue(tx, { kind: 'reminder', envelope, signer, dedupe, whenFull: 'wait' });
    const { id: envelopeId, tenant_id: tenantId } = envelope;
    await recordEvent(tx, { tenantId, envelopeId, type: 'signer.reminded', signer, data: { scheduled: true, count } });
    return 'reminded';
  }
}

function canBeReminded({ status, expires_at }: EnvelopeRow, signer: SignerRow, now: Date): boolean {
  const isUnderWay = isOpen(status) && expires_at > now;
  return isUnderWay && signer.link_stopped_at === null && signerTransition(signer.status, 'remind') !== undefined;
}
