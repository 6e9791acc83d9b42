import { generateRecoveryToken } from '@constancia/auth';
import { Mailer } from '@constancia/mail';
import { Database } from '@constancia/persistence';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../config.ts';
import type { TenantRow } from '../tenants/tenant.entity.ts';
import { isEmailOf } from './email-digest.ts';
import type { RecoveryRequest } from './recovery-request.entity.ts';
import { RECOVERY_TOKEN_TTL_SECONDS, recoveryMail } from './recovery-mail.ts';

const EVERY_MS = 5_000;

/** A row of platform.claim_recovery_requests; the tenant's members are null when there is no such tenant. */
type ClaimedRequest = Pick<RecoveryRequest, 'id' | 'tenant_id' | 'email_digest'> & {
  [Member in 'owner_email' | 'display_name' | 'locale']: TenantRow[Member] | null;
};

/**
 * Works off the requests for recovery mails: examines the claim, issues a token, mails it. A request stays in the store until
 * its mail is out: a mail server that is unavailable for hours, or a process that dies, loses none. Every platform process does it.
 */
@Injectable()
export class RecoveryMails extends PeriodicWork {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly logger: Logger,
  ) {
    super({ name: 'recovery-mails', everyMs: EVERY_MS, logger });
  }

  /** Of the request whose mail has been waiting for longest; 0 when none waits. */
  async oldestSeconds(): Promise<number> {
    const [row] = await this.database.query<{ lag: number }>('select platform.recovery_mail_lag() as lag');
    return row?.lag ?? 0;
  }

  override async run(signal: AbortSignal): Promise<void> {
    // One at a time: a claim is a lease of a minute, and a slow mail server would outlast it on a batch.
    for (let request = await this.claim(); request && !signal.aborted; request = await this.claim()) {
      await this.send(request);
    }
  }

  private async claim(): Promise<ClaimedRequest | undefined> {
    const [request] = await this.database.query<ClaimedRequest>('select * from platform.claim_recovery_requests(1)');
    return request;
  }

  private async send(request: ClaimedRequest): Promise<void> {
    const { database, mailer, logger } = this;
    if (request.owner_email !== null && isEmailOf(request.email_digest, request.owner_email)) {
      const token = generateRecoveryToken();
      const [row] = await database.query<{ issued: boolean }>(
        'select platform.issue_recovery_token($1, $2, $3) as issued',
        [request.tenant_id, token.hash, RECOVERY_TOKEN_TTL_SECONDS],
      );
      if (row?.issued) {
        try {
          const facts = {
            tenantId: request.tenant_id,
            displayName: request.display_name ?? '',
            baseUrl: this.config.apiUrl,
          };
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
