import { randomBytes } from 'node:crypto';
import { type PersonLocale, WALLET_PAGE } from '@constancia/contracts';
import type { OneTimeCodes } from '@constancia/kernel';
import { type Mail, Mailer, WaitingMails } from '@constancia/mail';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { Subjects } from '../subjects/subjects.ts';
import { CredentialMails } from './issuance/credential-mails.ts';
import { ConsentMails } from './consent-mails.ts';
import { RecoveryMails } from './recovery/recovery-mails.ts';
import { recoveryCancelledMail, recoveryCompletedMail, recoveryExpiredMail } from './recovery/recovery-mail-texts.ts';
import { type OfferRecord, offerContext } from './offers/offer-record.ts';
import { walletPasskeyMail } from './passkeys/wallet-passkey-mails.ts';
import { CODE_MINUTES, offerCodes, offerRecipient, walletSignInCodes } from './wallet-codes.ts';
import { addressTakenMail, keptMail, offerCodeMail, otherAddressMail, walletCodeMail } from './wallet-mail-texts.ts';
import type { WalletMail, WalletMailKind } from './wallet-mail.entity.ts';
import { WalletOffer } from './offers/wallet-offer.entity.ts';
import { WalletContacts } from './wallet-contacts.ts';

const TO_WALLET = {
  kept: keptMail,
  other_address: otherAddressMail,
  passkey_added: walletPasskeyMail('added'),
  passkey_removed: walletPasskeyMail('removed'),
  passkey_refused: walletPasskeyMail('refused'),
  recovery_cancelled: recoveryCancelledMail,
  recovery_completed: recoveryCompletedMail,
  recovery_expired: recoveryExpiredMail,
};
const isToWallet = (kind: WalletMailKind): kind is keyof typeof TO_WALLET => Object.hasOwn(TO_WALLET, kind);

/** Mails persons (identity.wallet_mail). A code is made when its mail is written, and only its HMAC is stored. */
@Injectable()
export class WalletMails extends WaitingMails<WalletMail> {
  private readonly offerCodes: OneTimeCodes;
  private readonly signInCodes: OneTimeCodes;

  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
    private readonly contacts: WalletContacts,
    private readonly consents: ConsentMails,
    private readonly credentials: CredentialMails,
    private readonly recoveries: RecoveryMails,
    mailer: Mailer,
    logger: Logger,
  ) {
    super(mailer, { name: 'wallet-mails', what: 'a mail to a person', logger });
    this.offerCodes = offerCodes(config);
    this.signInCodes = walletSignInCodes(config);
  }

  /** Of the mail that has been waiting for longest; 0 when none waits. */
  async oldestSeconds(): Promise<number> {
    const [row] = await this.database.query<{ lag: number }>('select identity.wallet_mail_lag() as lag');
    return row?.lag ?? 0;
  }

  protected override async claim(): Promise<WalletMail | undefined> {
    const [claimed] = await this.database.query<WalletMail>('select * from identity.claim_wallet_mail()');
    return claimed;
  }

  protected override async finish(id: string): Promise<void> {
    await this.database.query('select identity.finish_wallet_mail($1)', [id]);
  }

  protected override async write(mail: WalletMail): Promise<Mail | null> {
    const { kind } = mail;
    if (isToWallet(kind)) {
      const contact = await this.contacts.of(mail.wallet_id as string);
      return contact && { to: contact.email, ...TO_WALLET[kind](contact.locale, this.pageIn(contact.locale)) };
    }
    switch (kind) {
      case 'offer_code':
      case 'address_taken':
        return this.toOffer(mail);
      case 'sign_in_code':
        return this.signInCode(mail.contact_index as Buffer);
      case 'presentation':
        return this.consents.request(mail.presentation_id as string, mail.wallet_id as string);
      case 'consent_code':
        return this.consents.code(mail.presentation_id as string, mail.contact_index as Buffer);
      case 'credential_code':
        return this.credentials.code(mail.credential_offer_id as string, mail.wallet_id as string);
      case 'recovery_code':
        return this.recoveries.code(mail.recovery_id as string);
      case 'recovery_cooling':
        return this.recoveries.cooling(mail.recovery_id as string, mail.wallet_id as string);
    }
  }

  private async toOffer({ kind, tenant_id, session_id }: WalletMail): Promise<Mail | null> {
    const [tenantId, sessionId] = [tenant_id as string, session_id as string];
    const known = await this.database.tenant(tenantId, async (tx) => {
      const offer = await tx.manager.findOneBy(WalletOffer, { session_id: sessionId, tenant_id: tenantId });
      if (offer === null) return null;
      const subject = await this.subjects.find(tx, tenantId, offer.subject_id);
      const text = await this.subjects.unseal(tx, subject, offerContext(sessionId), offer.sealed);
      return text === null ? null : { offer, email: (JSON.parse(text) as OfferRecord).email };
    });
    if (known === null) return null;
    const { offer, email } = known;
    if (kind === 'address_taken') return { to: email, ...addressTakenMail(offer.locale, this.pageIn(offer.locale)) };
    const code = this.offerCodes.newCode();
    await this.database.query('select identity.keep_offer_code($1, $2, $3)', [
      ...[offer.code_digest, this.offerCodes.hashOf(offerRecipient(offer), code), CODE_MINUTES * 60],
    ]);
    return { to: email, ...offerCodeMail(offer.locale, { code, minutes: CODE_MINUTES }) };
  }

  /** Where a person signs in to their wallet. */
  private pageIn(locale: PersonLocale): string {
    return `${this.config.personAddress}${WALLET_PAGE}?lang=${locale === 'en' ? 'en' : 'es'}`;
  }

  /** The code is stored before it is mailed; for a contact without a wallet, random bytes are stored instead. */
  private async signInCode(index: Buffer): Promise<Mail | null> {
    const code = this.signInCodes.newCode();
    const [row] = await this.database.query<{ wallet_id: string | null }>(
      'select identity.keep_wallet_code($1, $2, $3, $4) as wallet_id',
      [index, this.signInCodes.hashOf(index.toString('hex'), code), randomBytes(32), CODE_MINUTES * 60],
    );
    const contact = row?.wallet_id ? await this.contacts.of(row.wallet_id) : null;
    return contact && { to: contact.email, ...walletCodeMail(contact.locale, { code, minutes: CODE_MINUTES }) };
  }
}
