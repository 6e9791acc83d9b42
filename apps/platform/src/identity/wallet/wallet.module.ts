import { mailAge } from '@constancia/mail';
import { Metrics } from '@constancia/telemetry';
import { Module } from '@nestjs/common';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { TokenKeysModule } from '../token-keys/token-keys.module.ts';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { KeepController } from './keep-controller.ts';
import { MyWallet } from './me/my-wallet.ts';
import { Wallets } from './me/wallets.ts';
import { WalletCeremonies } from './passkeys/wallet-ceremonies.ts';
import { WalletPasskeyPages } from './passkeys/wallet-passkey-pages.ts';
import { WalletPasskeyRoutes } from './passkeys/wallet-passkey-routes.ts';
import { WalletPasskeys } from './passkeys/wallet-passkeys.ts';
import { WalletSessionRoutes } from './sessions/wallet-session-routes.ts';
import { WalletSessions } from './sessions/wallet-sessions.ts';
import { WalletTokens } from './sessions/wallet-tokens.ts';
import { OfferFacts } from './offer-facts.ts';
import { SettleOffers } from './settle-offers.ts';
import { ConsentMails } from './consent-mails.ts';
import { WalletContacts } from './wallet-contacts.ts';
import { WalletIndex } from './wallet-index.ts';
import { WalletKeys } from './wallet-keys.ts';
import { WalletMails } from './wallet-mails.ts';
import { WalletOffers } from './wallet-offers.ts';

/** Wallets: what persons keep of their verifications. */
@Module({
  imports: [IdentityStoreModule, SubjectsModule, TokenKeysModule],
  controllers: [KeepController, WalletSessionRoutes, MyWallet, WalletPasskeyRoutes, WalletPasskeyPages],
  providers: [
    WalletIndex,
    WalletKeys,
    WalletContacts,
    ConsentMails,
    WalletMails,
    OfferFacts,
    SettleOffers,
    WalletOffers,
    WalletTokens,
    WalletSessions,
    Wallets,
    WalletCeremonies,
    WalletPasskeys,
  ],
  exports: [WalletTokens, WalletIndex, WalletKeys, WalletMails, Wallets, WalletPasskeys, WalletSessions],
})
export class WalletModule {
  constructor(metrics: Metrics, mails: WalletMails) {
    mailAge(metrics, 'wallet_mail', () => mails.oldestSeconds());
  }
}
