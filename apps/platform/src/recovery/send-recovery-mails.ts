import { generateRecoveryToken } from '@constancia/auth';
import { PeriodicTask } from '@constancia/kernel';
import type { Mailer } from '@constancia/mail';
import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import type { Locale } from '../locale.ts';
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
  private readonly task: PeriodicTask;

  constructor(private readonly options: RecoveryMailsOptions) {
    const { logger } = options;
    this.task = new PeriodicTask({
      name: 'recovery-mails',
      everyMs: EVERY_MS,
      logger,
      run: (signal) => this.work(signal),
    });
  }

  start(): void {
    this.task.start();
  }

  close(): Promise<void> {
    return this.task.close();
  }

  /** Looks for due requests now, without making anyone wait. */
  wake(): void {
    this.task.wake();
  }

  /** Of the request whose mail has been waiting for longest; 0 when none waits. */
  async oldestSeconds(): Promise<number> {
    const [row] = await this.options.database.query<{ lag: number }>('select platform.recovery_mail_lag() as lag');
    return row?.lag ?? 0;
  }

  private async work(signal: AbortSignal): Promise<void> {
    // One at a time: a claim is a lease of a minute, and a slow mail server would outlast it on a batch.
    for (let request = await this.claim(); request && !signal.aborted; request = await this.claim()) {
      await this.send(request);
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
