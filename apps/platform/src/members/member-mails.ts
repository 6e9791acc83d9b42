import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import type { Role } from '@constancia/contracts';
import { type OneTimeCodes, randomSecret43 } from '@constancia/kernel';
import { type Mail, Mailer } from '@constancia/mail';
import { Database } from '@constancia/persistence';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../config.ts';
import type { Locale } from '../locale.ts';
import type { MemberMailKind } from './member-mail.entity.ts';
import { invitationMail, memberNotice, newDeviceMail, signInCodeMail } from './member-mail-texts.ts';
import { passkeyMail } from './passkey-mail-texts.ts';
import { CODE_MINUTES, signInCodes } from './sign-in-codes.ts';

const EVERY_MS = 1_000;
const INVITATION_DAYS = 7;

/** A row of platform.claim_member_mail. */
interface ClaimedMail {
  id: string;
  kind: MemberMailKind;
  detail: string | null;
  created_at: Date;
  email: string;
  tenant_id: string;
  name: string;
  role: Role;
  locale: Locale;
  display_name: string;
}

/**
 * Mails members (platform.member_mail): codes, invitations, notices. Secrets are made when their mail is written, and only their hashes are
 * stored. A mail stays in the store until it is out; every platform process works on them, one at a time.
 */
@Injectable()
export class MemberMails extends PeriodicWork {
  private readonly codes: OneTimeCodes;

  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly logger: Logger,
  ) {
    super({ name: 'member-mails', everyMs: EVERY_MS, runsAtStart: true, logger });
    this.codes = signInCodes(config);
  }

  override async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.sendNext()));
  }

  /** Of the mail that has been waiting for longest; 0 when none waits. */
  async oldestSeconds(): Promise<number> {
    const [row] = await this.database.query<{ lag: number }>('select platform.member_mail_lag() as lag');
    return row?.lag ?? 0;
  }

  /** False when no mail is due. */
  private async sendNext(): Promise<boolean> {
    const [claimed] = await this.database.query<ClaimedMail>('select * from platform.claim_member_mail()');
    if (!claimed) return false;
    try {
      const mail = await this.write(claimed);
      if (mail !== null) await this.mailer.send({ to: claimed.email, ...mail });
    } catch (error) {
      this.logger.warn(
        { err: error, mail_id: claimed.id, kind: claimed.kind },
        'a mail to a member was not sent: tried again later',
      );
      return true;
    }
    await this.database.query('select platform.finish_member_mail($1)', [claimed.id]);
    return true;
  }

  /** Null: nobody is to be mailed. */
  private async write(claimed: ClaimedMail): Promise<Omit<Mail, 'to'> | null> {
    const { kind, created_at: at, display_name: tenant, name, role, locale } = claimed;
    switch (kind) {
      case 'sign_in_code':
        return this.codeMail(claimed);
      case 'invitation': {
        const facts = { tenant, name, role, link: await this.newLink(claimed), days: INVITATION_DAYS };
        return invitationMail(locale, facts);
      }
      case 'new_device': {
        const { user_agent, ip } = JSON.parse(claimed.detail as string) as { user_agent: string; ip: string };
        return newDeviceMail(locale, { tenant, at, userAgent: user_agent, ip });
      }
      case 'member_added':
      case 'role_changed': {
        const change = JSON.parse(claimed.detail as string) as { name: string; role: Role; by: string };
        return memberNotice(locale, kind, { tenant, at, ...change });
      }
      case 'passkey_added':
      case 'passkey_removed':
      case 'passkey_refused':
      case 'passkeys_reset': {
        const about = JSON.parse(claimed.detail as string) as { name: string };
        return passkeyMail(locale, kind, { tenant, at, name: about.name });
      }
    }
  }

  /** The code is stored before it is mailed: one whose mail is not sent is replaced by that of the next attempt. */
  private async codeMail({ email, detail }: ClaimedMail): Promise<Omit<Mail, 'to'> | null> {
    const digest = Buffer.from(detail as string, 'hex');
    const code = this.codes.newCode();
    const [row] = await this.database.query<{ locale: Locale | null }>(
      'select platform.issue_sign_in_code($1, $2, $3, $4, $5) as locale',
      [email, digest, this.codes.hashOf(detail as string, code), randomBytes(32), CODE_MINUTES * 60],
    );
    const locale = row?.locale ?? null;
    return locale === null ? null : signInCodeMail(locale, { code, minutes: CODE_MINUTES });
  }

  /** The token is in the fragment, so that no server logs it. */
  private async newLink({ tenant_id, email }: ClaimedMail): Promise<string> {
    const token = `inv_${randomSecret43()}`;
    const issued = [tenant_id, email, hashSecret(token), INVITATION_DAYS * 86_400];
    await this.database.query('select platform.issue_login_link($1, $2, $3, $4)', issued);
    return `${this.config.consoleAddress}/invitation#token=${token}`;
  }
}
