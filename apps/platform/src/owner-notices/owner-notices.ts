import { PeriodicTask, typeId } from '@constancia/kernel';
import type { Mailer } from '@constancia/mail';
import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import type { Locale } from '../locale.ts';
import { mailOwnerProof } from './mail-owner-proof.ts';
import { type OwnerNoticeKind, ownerNoticeMail } from './owner-notice-mail.ts';

const EVERY_MS = 2_000;

interface OwnerNoticeRow {
  id: string;
  tenant_id: string;
  kind: OwnerNoticeKind | 'owner_email_proof';
  detail: string | null;
  created_at: Date;
  owner_email: string;
  display_name: string;
  slug: string;
  locale: Locale;
}

/**
 * Mails owners what happened to their tenant's credentials, and the token that proves their address (platform.owner_notice). A
 * notice stays in the store until its mail is out, for three days at most; every platform process works on them, one at a time.
 */
export class OwnerNotices {
  private readonly task: PeriodicTask;

  constructor(private readonly options: { database: Database; mailer: Mailer; logger: Logger; baseUrl: string }) {
    const { logger } = options;
    const run = async (signal: AbortSignal) => {
      while (!signal.aborted && (await this.sendNext()));
    };
    this.task = new PeriodicTask({ name: 'owner-notices', everyMs: EVERY_MS, logger, run });
  }

  start(): void {
    this.task.start();
    this.task.wake();
  }

  /** There is a notice, and its transaction has committed: it is looked for now. A lost call costs two seconds. */
  wake(): void {
    this.task.wake();
  }

  close(): Promise<void> {
    return this.task.close();
  }

  /** Of the notice that has been waiting for longest; 0 when none waits. */
  async oldestSeconds(): Promise<number> {
    const [row] = await this.options.database.query<{ lag: number }>('select platform.owner_notice_lag() as lag');
    return row?.lag ?? 0;
  }

  /** False when no notice is due. */
  private async sendNext(): Promise<boolean> {
    const { database, logger } = this.options;
    const [notice] = await database.query<OwnerNoticeRow>('select * from platform.claim_owner_notice()');
    if (!notice) return false;
    try {
      await this.send(notice);
    } catch (error) {
      logger.warn({ err: error, tenant_id: notice.tenant_id }, 'a notice to an owner was not sent: tried again later');
      return true;
    }
    await database.query('select platform.finish_owner_notice($1)', [notice.id]);
    return true;
  }

  private async send(notice: OwnerNoticeRow): Promise<void> {
    const { kind, created_at: at, owner_email: ownerEmail, display_name: displayName, slug, locale } = notice;
    if (kind === 'owner_email_proof') {
      return mailOwnerProof(this.options, { tenantId: notice.tenant_id, ownerEmail, displayName, locale });
    }
    const detail = notice.detail && kind.startsWith('endpoint_') ? typeId('whe', notice.detail) : notice.detail;
    const mail = ownerNoticeMail(locale, { kind, detail, at, displayName, slug });
    await this.options.mailer.send({ to: ownerEmail, ...mail });
  }
}
