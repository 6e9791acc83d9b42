import type { Mail } from '@constancia/mail';
import type { OneTimeCodes } from '@constancia/kernel';
import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import { PlatformConfig } from '../../../config.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { CODE_MINUTES, credentialCodes } from '../wallet-codes.ts';
import { WalletContacts } from '../wallet-contacts.ts';
import { credentialCodeMail } from '../wallet-mail-texts.ts';
import { CredentialOffer } from '../credentials/credential-offer.entity.ts';

/** The mails with the second code of an offer. */
@Injectable()
export class CredentialMails {
  private readonly codes: OneTimeCodes;

  constructor(
    config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly contacts: WalletContacts,
  ) {
    this.codes = credentialCodes(config);
  }

  /** The code is stored before it is mailed. Null: the offer is over, or the wallet was erased. */
  async code(offerId: string, walletId: string): Promise<Mail | null> {
    const contact = await this.contacts.of(walletId);
    if (contact === null) return null;
    const code = this.codes.newCode();
    const kept = await this.database.wallet(walletId, async (tx) => {
      const mine = { id: offerId, wallet_id: walletId };
      const open = { ...mine, redeemed_at: IsNull(), expires_at: MoreThan(new Date()) };
      const offer = await tx.manager.findOneBy(CredentialOffer, open);
      if (offer === null) return false;
      const hash = this.codes.hashOf(offer.code_hash.toString('hex'), code);
      const { affected } = await tx.manager.update(CredentialOffer, open, { tx_code_hash: hash });
      return affected === 1;
    });
    if (!kept) return null;
    return { to: contact.email, ...credentialCodeMail(contact.locale, { code, minutes: CODE_MINUTES }) };
  }
}
