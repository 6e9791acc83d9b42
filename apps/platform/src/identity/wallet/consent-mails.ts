import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import type { OneTimeCodes } from '@constancia/kernel';
import type { Mail } from '@constancia/mail';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { CODE_MINUTES, consentCodes, consentRecipient } from './wallet-codes.ts';
import { WalletContacts } from './wallet-contacts.ts';
import { WalletIndex } from './wallet-index.ts';
import { consentCodeMail, presentationMail } from './wallet-mail-texts.ts';

/** Writes mails about requests of tenants. Null: the request is over, or nobody is to be mailed. */
@Injectable()
export class ConsentMails {
  private readonly codes: OneTimeCodes;

  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly contacts: WalletContacts,
    private readonly index: WalletIndex,
  ) {
    this.codes = consentCodes(config);
  }

  /** The link is made when its mail is written; one of an earlier attempt leads nowhere from then on. */
  async request(presentationId: string, walletId: string): Promise<Mail | null> {
    const contact = await this.contacts.of(walletId);
    if (contact === null) return null;
    const token = randomBytes(32).toString('base64url');
    const [row] = await this.database.query<{ tenant_name: string; purpose: string }>(
      'select * from identity.presentation_mail($1, $2)',
      [presentationId, hashSecret(token)],
    );
    if (row === undefined) return null;
    const link = `${this.config.personAddress}/consent/${token}`;
    return {
      to: contact.email,
      ...presentationMail(contact.locale, { tenantName: row.tenant_name, purpose: row.purpose, link }),
    };
  }

  /** The code is stored before it is mailed; for a contact without a wallet, random bytes are stored instead. */
  async code(presentationId: string, index: Buffer): Promise<Mail | null> {
    const code = this.codes.newCode();
    const hash = this.codes.hashOf(consentRecipient(index, presentationId), code);
    const [row] = await this.database.query<{ wallet_id: string | null; tenant_name: string | null }>(
      'select * from identity.keep_consent_code($1, $2, $3, $4, $5, $6)',
      [presentationId, index, await this.index.consentCode(index), hash, randomBytes(32), CODE_MINUTES * 60],
    );
    const { wallet_id: walletId = null, tenant_name: tenantName = null } = row ?? {};
    const contact = walletId === null ? null : await this.contacts.of(walletId);
    if (contact === null || tenantName === null) return null;
    return { to: contact.email, ...consentCodeMail(contact.locale, { tenantName, code, minutes: CODE_MINUTES }) };
  }
}
