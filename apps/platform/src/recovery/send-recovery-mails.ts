import { generateRecoveryToken } from '@constancia/auth';
import type { Mailer } from '@constancia/mail';
import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import type { Locale } from '../signup/locale.ts';
import { isEmailOf } from './email-digest.ts';
import { RECOVERY_TOKEN_TTL_SECONDS, recoveryMail } from './recovery-mail.ts';

const EVERY_MS = 5_000;

interface RecoveryRequest {
  id: string;
  tenant_id: string;
  email_digest: Buffer;
  /** Null when there is no such tenant. */
  owner_email: string | null;
  display_name: string | null;
  locale: Locale | null;
}

interface RecoveryMailsOptions {
  database: Database;
  mailer: Mailer;
  logger: Logger;
  baseUrl: string;
}

/**
 * Works off the requests for recovery mails: examines the claim, issues a token, mails it. A request stays in the store until
 * its mail is out: a mail server that is away for hours, or a process that dies, loses none. Every platform process does it.
 */
export class RecoveryMails {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;

  constructor(private readonly options: RecoveryMailsOptions) {}

  start(): void {
    this.timer = setInterval(() => this.wake(), EVERY_MS);
  }

  async close(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Looks for due requests now, without making anyone wait. */
  wake(): void {
    if (this.stopped) return;
    this.again = true;
    this.running ??= this.work().finally(() => (this.running = undefined));
  }

  /** Of the request whose mail has been waiting for longest; 0 when none waits. */
  async oldestSeconds(): Promise<number> {
    const [row] = await this.options.database.query<{ lag: number }>('select platform.recovery_mail_lag() as lag');
    return row?.lag ?? 0;
  }

  private async work(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        // One at a time: a claim is a lease of a minute, and a slow mail server would outlast it on a batch.
        for (let request = await this.claim(); request && !this.stopped; request = await this.claim()) {
          await this.send(request);
        }
      } catch (error) {
        this.options.logger.warn({ err: error }, 'recovery mails could not be worked off: tried again soon');
      }
    }
  }

  private async claim(): Promise<RecoveryRequest | undefined> {
    const [request] = await this.options.database.query<RecoveryRequest>(
      'select * from platform.claim_recovery_requests(1)',
    );
    return request;
  }

  private async send(request: RecoveryRequest): Promise<void> {
    const { database, mailer, logger, baseUrl } = this.options;
    if (request.owner_email !== null && isEmailOf(request.email_digest, request.owner_email)) {
      const token = generateRecoveryToken();
      const [row] = await database.query<{ issued: boolean }>(
        'select platform.issue_recovery_token($1, $2, $3) as issued',
        [request.tenant_id, token.hash, RECOVERY_TOKEN_TTL_SECONDS],
      );
      if (row?.issued) {
        try {
          const facts = { tenantId: request.tenant_id, displayName: request.display_name ?? '', baseUrl };
          const mail = recoveryMail(request.locale ?? 'es-CO', { ...facts, token: token.plaintext });
          await mailer.send({ to: request.owner_email, ...mail });
        } catch (error) {
          logger.warn({ err: error, tenant_id: request.tenant_id }, 'recovery mail not sent: tried again later');
          await database.query('select platform.drop_recovery_token($1)', [token.hash]);
          return;
        }
      }
    }
    await database.query('select platform.finish_recovery_request($1)', [request.id]);
  }
}
