import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import { logoPath, type Role } from '@constancia/contracts';
import { type OneTimeCodes, randomSecret43 } from '@constancia/kernel';
import { type Mail, Mailer, WaitingMails } from '@constancia/mail';
import { Database } from '@constancia/persistence';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../config.ts';
import type { Locale } from '../locale.ts';
import { inNameOf } from '../mail-letter.ts';
import { notificationMail } from '../notifications/notification-mail.ts';
import type { MemberMailKind } from './member-mail.entity.ts';
import { passkeyMail } from './passkey-mail-texts.ts';
import { invitationMail, memberNotice, newDeviceMail, signInCodeMail, ssoBypassedMail } from './member-mail-texts.ts';
import { ssoSignInUrl } from './sso-addresses.ts';
import { CODE_MINUTES, signInCodes } from './sign-in-codes.ts';

const INVITATION_DAYS = 7;

/** A row of platform.claim_member_mail, with the brand of the tenant. */
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
  color: string | null;
  logo_sha256: string | null;
}

/** Mails members (platform.member_mail): codes, invitations, notices, notifications. Secrets are made when their mail is written, and only their hashes are stored. */
@Injectable()
export class MemberMails extends WaitingMails<ClaimedMail> {
  private readonly codes: OneTimeCodes;

  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    mailer: Mailer,
    logger: Logger,
  ) {
    super(mailer, { name: 'member-mails', what: 'a mail to a member', logger });
    this.codes = signInCodes(config);
  }

  /** Of the mail that has been waiting for longest; 0 when none waits. */
  async oldestSeconds(): Promise<number> {
    const [row] = await this.database.query<{ lag: number }>('select platform.member_mail_lag() as lag');
    return row?.lag ?? 0;
  }

  protected override async claim(): Promise<ClaimedMail | undefined> {
    const [claimed] = await this.database.query<ClaimedMail>(
      `select m.*, b.color, b.logo_sha256 from platform.claim_member_mail() m
         left join lateral platform_v1.tenant_branding(m.tenant_id) b on true`,
    );
    return claimed;
  }

  protected override async finish(id: string): Promise<void> {
    await this.database.query('select platform.finish_member_mail($1)', [id]);
  }

  protected override async write(claimed: ClaimedMail): Promise<Mail | null> {
    const texts = await this.textsOf(claimed);
    const { email: to, color, logo_sha256: logo } = claimed;
    const logoUrl = logo && `${this.config.apiUrl}${logoPath(logo)}`;
    return texts && inNameOf({ color, logoUrl }, { to, ...texts });
  }

  /** Null: nobody is to be mailed. */
  private async textsOf(claimed: ClaimedMail): Promise<Omit<Mail, 'to'> | null> {
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
      case 'sso_bypassed': {
        const bypass = JSON.parse(claimed.detail as string) as { name: string; ip: string };
        return ssoBypassedMail(locale, { tenant, at, ...bypass });
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
      default: {
        const { consoleAddress } = this.config;
        return notificationMail(locale, kind, { tenant, detail: claimed.detail, consoleAddress });
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
    return locale === null
      ? null
      : signInCodeMail(locale, { code, minutes: CODE_MINUTES, sso: await this.ssoOf(email) });
  }

  /** Where else a member with the address can sign in: the mail tells it to them alone, and the page to nobody. */
  private async ssoOf(email: string): Promise<{ tenant: string; link: string }[]> {
    const rows = await this.database.query<{ slug: string; display_name: string }>(
      'select * from platform.sso_of_address($1)',
      [email],
    );
    return rows.map(({ slug, display_name: tenant }) => ({
      tenant,
      link: ssoSignInUrl(this.config.consoleAddress, slug),
    }));
  }

  /** The token is in the fragment, so that no server logs it. */
  private async newLink({ tenant_id, email }: ClaimedMail): Promise<string> {
    const token = `inv_${randomSecret43()}`;
    const issued = [tenant_id, email, hashSecret(token), INVITATION_DAYS * 86_400];
    await this.database.query('select platform.issue_login_link($1, $2, $3, $4)', issued);
    return `${this.config.consoleAddress}/invitation#token=${token}`;
  }
}
