import { Database } from '@constancia/persistence';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { SignerMailLoop } from './signer-mail-loop.ts';

const EVERY_MS = 1_000;

/**
 * Releases mails whose tenant's owner has verified the address, holds those of suspended tenants until these are resumed, within seconds;
 * deletes counts of mails that no longer count.
 */
@Injectable()
export class WaitingMails extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly mails: SignerMailLoop,
    logger: Logger,
  ) {
    super({ name: 'waiting-mails', everyMs: EVERY_MS, logger, easesOff: true });
  }

  override async run(): Promise<void> {
    const [row] = await this.database.query<{ released: number }>(
      `select signing.release_waiting_mails() as released, signing.hold_mails_of_suspended(), signing.forget_mail_counts(),
              signing.forget_text_counts()`,
    );
    if (row?.released) this.mails.wake();
  }
}
