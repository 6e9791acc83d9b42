import { generateOwnerProofToken } from '@constancia/auth';
import { typeId } from '@constancia/kernel';
import { Mailer } from '@constancia/mail';
import { Database } from '@constancia/persistence';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { type LowBalanceNotice, lowBalanceMail } from '../billing/settings/low-balance-mail.ts';
import { PlatformConfig } from '../config.ts';
import type { TenantRow } from '../tenants/tenant.entity.ts';
import { CLOSING_KINDS, type ClosingKind, closingMail, type ClosingNotice } from './closing-mail.ts';
import { ownerEmailAskedMail, ownerEmailChangeMail } from './owner-email-mails.ts';
import { ownerNoticeMail } from './owner-notice-mail.ts';
import { OWNER_PROOF_TTL_SECONDS, ownerProofMail } from './owner-proof-mail.ts';
import { suspensionMail, type SuspensionNotice } from './suspension-mail.ts';
import type { OwnerNotice } from './owner-notice.entity.ts';

const EVERY_MS = 2_000;

/** A row of platform.claim_owner_notice. */
type ClaimedNotice = Omit<OwnerNotice, 'due_at' | 'attempts'> &
  Pick<TenantRow, 'owner_email' | 'display_name' | 'slug' | 'locale'>;

/**
 * Mails owners what happened to their tenant's credentials and credits, and the tokens that prove or keep their address (platform.owner_notice). A
 * notice stays in the store until its mail is out, for three days at most; every platform process works on them, one at a time.
 */
@Injectable()
export class OwnerNotices extends PeriodicWork {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly logger: Logger,
  ) {
    super({ name: 'owner-notices', everyMs: EVERY_MS, runsAtStart: true, logger });
  }

  override async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.sendNext()));
  }

  /** Of the notice that has been waiting for longest; 0 when none waits. */
  async oldestSeconds(): Promise<number> {
    const [row] = await this.database.query<{ lag: number }>('select platform.owner_notice_lag() as lag');
    return row?.lag ?? 0;
  }

  /** False when no notice is due. */
  private async sendNext(): Promise<boolean> {
    const { database, logger } = this;
    const [notice] = await database.query<ClaimedNotice>('select * from platform.claim_owner_notice()');
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

  private async send(notice: ClaimedNotice): Promise<void> {
    const { kind, created_at: at, owner_email: ownerEmail, display_name: displayName, slug, locale } = notice;
    if (kind === 'owner_email_proof') return this.sendProof(notice);
    if (kind === 'owner_email_change' || kind === 'owner_email_change_asked') return this.sendChange(notice, kind);
    if (kind === 'tenant_suspended' || kind === 'tenant_resumed') {
      const facts = JSON.parse(notice.detail as string) as SuspensionNotice;
      return this.mailer.send({ to: facts.email, ...suspensionMail(kind, facts, { displayName, slug, at }) });
    }
    if (isClosing(kind)) {
      const facts = JSON.parse(notice.detail as string) as ClosingNotice;
      const mail = closingMail(kind, facts, { displayName, slug, tenantId: notice.tenant_id });
      return this.mailer.send({ to: facts.email, ...mail });
    }
    if (kind === 'balance_low') {
      const low = JSON.parse(notice.detail as string) as LowBalanceNotice;
      return this.mailer.send({ to: low.email, ...lowBalanceMail(low, { displayName, slug, at }) });
    }
    const detail = notice.detail && kind.startsWith('endpoint_') ? typeId('whe', notice.detail) : notice.detail;
    const mail = ownerNoticeMail(locale, { kind, detail, at, displayName, slug });
    await this.mailer.send({ to: ownerEmail, ...mail });
  }

  /** Mails both addresses of a change a token of their own: the new one to prove it, the present one to stop it. */
  private async sendChange(
    { tenant_id: tenantId, display_name: displayName, locale, detail, created_at: at }: ClaimedNotice,
    kind: 'owner_email_change' | 'owner_email_change_asked',
  ): Promise<void> {
    const { config, database, mailer } = this;
    const { change_id, email } = JSON.parse(detail as string) as { change_id: string; email: string };
    const { plaintext, hash } = generateOwnerProofToken();
    const purpose = kind === 'owner_email_change' ? 'proof' : 'stop';
    const [row] = await database.query<{ waits: boolean }>(
      'select platform.issue_owner_email_token($1, $2, $3, $4) as waits',
      [tenantId, change_id, purpose, hash],
    );
    const token = row?.waits ? plaintext : null;
    const facts = { tenantId, displayName, at, baseUrl: config.apiUrl };
    if (purpose === 'stop') return mailer.send({ to: email, ...ownerEmailAskedMail(locale, { ...facts, token }) });
    // Another change was asked for meanwhile: this address gets nothing.
    if (token !== null) await mailer.send({ to: email, ...ownerEmailChangeMail(locale, { ...facts, token }) });
  }

  /** Mails an owner a new token. One whose mail is not sent is taken back. */
  private async sendProof({ tenant_id, owner_email, display_name, locale }: ClaimedNotice): Promise<void> {
    const { config, database, mailer } = this;
    const token = generateOwnerProofToken();
    const issued = [tenant_id, token.hash, OWNER_PROOF_TTL_SECONDS];
    await database.query('select platform.issue_owner_proof($1, $2, $3)', issued);
    try {
      const facts = { tenantId: tenant_id, displayName: display_name, token: token.plaintext, baseUrl: config.apiUrl };
      await mailer.send({ to: owner_email, ...ownerProofMail(locale, facts) });
    } catch (error) {
      await database.query('select platform.drop_owner_proof($1)', [token.hash]);
      throw error;
    }
  }
}

const isClosing = (kind: OwnerNotice['kind']): kind is ClosingKind => CLOSING_KINDS.some((closing) => closing === kind);
