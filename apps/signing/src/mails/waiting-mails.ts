import { PeriodicTask } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Logger } from '@constancia/telemetry';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SignerMailLoop } from './signer-mail-loop.ts';

const EVERY_MS = 1_000;

/** Releases mails whose tenant's owner has verified the address, within seconds; deletes counts of mails that no longer count. */
@Injectable()
export class WaitingMails implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(database: Database, mails: SignerMailLoop, logger: Logger) {
    const run = async () => {
      const [row] = await database.query<{ released: number }>(
        'select signing.release_waiting_mails() as released, signing.forget_mail_counts()',
      );
      if (row?.released) mails.wake();
    };
    this.task = new PeriodicTask({ name: 'waiting-mails', everyMs: EVERY_MS, logger, run, easesOff: true });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.close();
  }
}
