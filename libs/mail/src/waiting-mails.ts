import { type Logger, PeriodicWork } from '@constancia/telemetry';
import { type Mail, Mailer } from './mailer.ts';

export interface WaitingMailsOptions {
  /** Of the task. */
  name: string;
  /** What a mail is, for the log: `a mail to a member`. */
  what: string;
  logger: Logger;
}

/**
 * Mails that stay in the store until they are sent. A mail is claimed until its next attempt is due, written, sent and then deleted; every
 * process works on them, one at a time.
 */
export abstract class WaitingMails<Claimed extends { id: string; kind: string }> extends PeriodicWork {
  private readonly about: WaitingMailsOptions;

  constructor(
    private readonly mailer: Mailer,
    options: WaitingMailsOptions,
  ) {
    super({ name: options.name, everyMs: 1_000, runsAtStart: true, logger: options.logger });
    this.about = options;
  }

  override async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.sendNext()));
  }

  /** The next mail that is due, which is not due again for some time. */
  protected abstract claim(): Promise<Claimed | undefined>;
  /** Null: nobody is to be mailed. */
  protected abstract write(claimed: Claimed): Promise<Mail | null>;
  /** Deletes a mail that was sent, or that nobody is to get. */
  protected abstract finish(id: string): Promise<void>;

  /** False when no mail is due. */
  private async sendNext(): Promise<boolean> {
    const claimed = await this.claim();
    if (!claimed) return false;
    const { id, kind } = claimed;
    try {
      const mail = await this.write(claimed);
      if (mail !== null) await this.mailer.send(mail);
    } catch (error) {
      this.about.logger.warn({ err: error, mail_id: id, kind }, `${this.about.what} was not sent: tried again later`);
      return true;
    }
    await this.finish(id);
    return true;
  }
}
