import { sleep } from '@constancia/kernel';
import type { Mailer } from '@constancia/mail';
import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import type { Locale } from '../signup/locale.ts';
import { type OwnerNoticeKind, ownerNoticeMail } from './owner-notice-mail.ts';

const EVERY_MS = 2_000;

interface OwnerNoticeRow {
  id: string;
  tenant_id: string;
  kind: OwnerNoticeKind;
  detail: string | null;
  created_at: Date;
  owner_email: string;
  display_name: string;
  slug: string;
  locale: Locale;
}

/**
 * Mails owners what happened to their tenant's credentials (platform.owner_notice). A notice stays in the store until its mail is
 * out, for three days at most; every platform process works on them, one at a time.
 */
export class OwnerNotices {
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly options: { database: Database; mailer: Mailer; logger: Logger }) {}

  start(): void {
    this.running = this.run();
  }

  async close(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  /** Of the notice that has been waiting for longest; 0 when none waits. */
  async oldestSeconds(): Promise<number> {
    const [row] = await this.options.database.query<{ lag: number }>('select platform.owner_notice_lag() as lag');
    return row?.lag ?? 0;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      try {
        while (!signal.aborted && (await this.sendNext()));
      } catch (error) {
        this.options.logger.warn({ err: error }, 'owners could not be told of a change: tried again soon');
      }
      await sleep(EVERY_MS, signal);
    }
  }

  /** False when no notice is due. */
  private async sendNext(): Promise<boolean> {
    const { database, mailer, logger } = this.options;
    const [notice] = await database.query<OwnerNoticeRow>('select * from platform.claim_owner_notice()');
    if (!notice) return false;
    const { kind, detail, created_at: at, display_name: displayName, slug } = notice;
    try {
      const mail = ownerNoticeMail(notice.locale, { kind, detail, at, displayName, slug });
      await mailer.send({ to: notice.owner_email, ...mail });
    } catch (error) {
      logger.warn({ err: error, tenant_id: notice.tenant_id }, 'a notice to an owner was not sent: tried again later');
      return true;
    }
    await database.query('select platform.finish_owner_notice($1)', [notice.id]);
    return true;
  }
}
