import { mailAge } from '@constancia/mail';
import { Metrics } from '@constancia/telemetry';
import { Module } from '@nestjs/common';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { TokenKeysModule } from '../token-keys/token-keys.module.ts';
import { StatusListsModule } from '../status-lists/status-lists.module.ts';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { CredentialIssuer } from './credentials/credential-issuer.ts';
import { WalletCredentialRoutes } from './credentials/wallet-credential-routes.ts';
import { WalletCredentials } from './credentials/wallet-credentials.ts';
import { CredentialMails } from './issuance/credential-mails.ts';
import { CredentialNonces } from './issuance/credential-nonces.ts';
import { CredentialOffers } from './issuance/credential-offers.ts';
import { CreateCredentialOffer } from './issuance/create-credential-offer.ts';
import { DeleteOldIssuance } from './issuance/delete-old-issuance.ts';
import { IssuanceRoutes } from './issuance/issuance-routes.ts';
import { IssueByProofs } from './issuance/issue-by-proofs.ts';
import { IssuerAddresses } from './issuance/issuer-addresses.ts';
import { IssuerMetadata } from './issuance/issuer-metadata.ts';
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
  imports: [IdentityStoreModule, StatusListsModule, SubjectsModule, TokenKeysModule],
  controllers: [
    KeepController,
    WalletSessionRoutes,
    MyWallet,
    WalletCredentialRoutes,
    CreateCredentialOffer,
    IssuanceRoutes,
    IssuerMetadata,
    WalletPasskeyRoutes,
    WalletPasskeyPages,
  ],
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
    CredentialIssuer,
    WalletCredentials,
    CredentialMails,
    CredentialNonces,
    CredentialOffers,
    IssueByProofs,
    IssuerAddresses,
    DeleteOldIssuance,
  ],
  exports: [CredentialIssuer, WalletTokens, WalletIndex, WalletKeys, WalletMails, Wallets, WalletPasskeys],
})
export class WalletModule {
  constructor(metrics: Metrics, mails: WalletMails) {
    mailAge(metrics, 'wallet_mail', () => mails.oldestSeconds());
  }
}
