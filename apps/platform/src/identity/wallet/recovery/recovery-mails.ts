import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import { WALLET_PAGE } from '@constancia/contracts';
import type { OneTimeCodes } from '@constancia/kernel';
import type { Mail } from '@constancia/mail';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../../config.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { CODE_MINUTES, recoveryCancelToken, recoveryCodes } from '../wallet-codes.ts';
import { WalletContacts } from '../wallet-contacts.ts';
import { recoveryCodeMail, recoveryCoolingMail } from './recovery-mail-texts.ts';

/** In which anyone with old access can cancel. */
export const COOLING_HOURS = 24;

/** Writes mails about recoveries. Null: the recovery is over, or nobody is to be mailed. */
@Injectable()
export class RecoveryMails {
  private readonly codes: OneTimeCodes;

  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly contacts: WalletContacts,
  ) {
    this.codes = recoveryCodes(config);
  }

  /** The code is stored before it is mailed; for a contact without a wallet, random bytes are stored instead. */
  async code(recoveryId: string): Promise<Mail | null> {
    const code = this.codes.newCode();
    const [row] = await this.database.query<{ wallet_id: string | null }>(
      'select identity.keep_recovery_code($1, $2, $3, $4) as wallet_id',
      [recoveryId, this.codes.hashOf(recoveryId, code), randomBytes(32), CODE_MINUTES * 60],
    );
    const contact = row?.wallet_id ? await this.contacts.of(row.wallet_id) : null;
    return contact && { to: contact.email, ...recoveryCodeMail(contact.locale, { code, minutes: CODE_MINUTES }) };
  }

  /** The time counts from when the mail is written. Every attempt has the same link: the one that arrives works, whichever it is. */
  async cooling(recoveryId: string, walletId: string): Promise<Mail | null> {
    const contact = await this.contacts.of(walletId);
    if (contact === null) return null;
    const token = recoveryCancelToken(this.config, recoveryId);
    const [row] = await this.database.query<{ effective_at: Date }>(
      'select * from identity.recovery_mail($1, $2, $3)',
      [...[recoveryId, hashSecret(token), COOLING_HOURS]],
    );
    if (row === undefined) return null;
    const language = contact.locale === 'en' ? 'en' : 'es';
    const link = `${this.config.personAddress}${WALLET_PAGE}?lang=${language}#cancel=${token}`;
    return { to: contact.email, ...recoveryCoolingMail(contact.locale, { link, effectiveAt: row.effective_at }) };
  }
}
