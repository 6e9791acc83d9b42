import { PeriodicTask } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import type { SignerMailLoop } from './signer-mail-loop.ts';

const EVERY_MS = 1_000;

/** Releases mails whose tenant's owner has verified the address, within seconds; deletes counts of mails that no longer count. */
export class WaitingMails {
  private readonly task: PeriodicTask;

  constructor(database: Database, mails: Pick<SignerMailLoop, 'wake'>, logger: Logger) {
    const run = async () => {
      const [row] = await database.query<{ released: number }>(
        'select signing.release_waiting_mails() as released, signing.forget_mail_counts()',
      );
      if (row?.released) mails.wake();
    };
    this.task = new PeriodicTask({ name: 'waiting-mails', everyMs: EVERY_MS, logger, run, easesOff: true });
  }

  start(): void {
    this.task.start();
  }

  close(): Promise<void> {
    return this.task.close();
  }
}
