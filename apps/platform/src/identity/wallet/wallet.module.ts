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
import { UploadsModule } from '../uploads/uploads.module.ts';
import { ComparedFaces } from './face/compared-faces.ts';
import { KeepController } from './offers/keep-controller.ts';
import { MyWallet } from './me/my-wallet.ts';
import { MyRecovery } from './recovery/my-recovery.ts';
import { EvidenceAddresses } from './recovery/evidence-addresses.ts';
import { RecoveryChecks } from './recovery/recovery-checks.ts';
import { RecoveryEvidence } from './recovery/recovery-evidence.ts';
import { RecoveryEvidenceRoutes, RecoveryPasskeyPages } from './recovery/recovery-evidence-routes.ts';
import { RecoveryMails } from './recovery/recovery-mails.ts';
import { RecoveryRoutes } from './recovery/recovery-routes.ts';
import { RecoverySweep } from './recovery/recovery-sweep.ts';
import { WalletRecoveries } from './recovery/wallet-recoveries.ts';
import { PlatformConfig } from '../../config.ts';
import { Wallets } from './me/wallets.ts';
import { WalletCeremonies } from './passkeys/wallet-ceremonies.ts';
import { WalletPasskeyPages } from './passkeys/wallet-passkey-pages.ts';
import { WalletPasskeyRoutes } from './passkeys/wallet-passkey-routes.ts';
import { WalletPasskeys } from './passkeys/wallet-passkeys.ts';
import { WalletSessionRoutes } from './sessions/wallet-session-routes.ts';
import { WalletSessions } from './sessions/wallet-sessions.ts';
import { WalletTokens } from './sessions/wallet-tokens.ts';
import { OfferFacts } from './offers/offer-facts.ts';
import { SettleOffers } from './offers/settle-offers.ts';
import { ConsentMails } from './consent-mails.ts';
import { WalletContacts } from './wallet-contacts.ts';
import { WalletIndex } from './wallet-index.ts';
import { WalletKeys } from './wallet-keys.ts';
import { WalletMails } from './wallet-mails.ts';
import { WalletOffers } from './offers/wallet-offers.ts';

/** Wallets: what persons keep of their verifications. */
@Module({
  imports: [IdentityStoreModule, StatusListsModule, SubjectsModule, TokenKeysModule, UploadsModule],
  controllers: [
    KeepController,
    WalletSessionRoutes,
    MyWallet,
    WalletCredentialRoutes,
    CreateCredentialOffer,
    IssuanceRoutes,
    IssuerMetadata,
    MyRecovery,
    WalletPasskeyRoutes,
    WalletPasskeyPages,
    RecoveryRoutes,
    RecoveryEvidenceRoutes,
    RecoveryPasskeyPages,
  ],
  providers: [
    WalletIndex,
    WalletKeys,
    WalletContacts,
    ConsentMails,
    RecoveryMails,
    WalletMails,
    OfferFacts,
    ComparedFaces,
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
    {
      provide: EvidenceAddresses,
      inject: [PlatformConfig],
      useFactory: (config: PlatformConfig) => new EvidenceAddresses(config, config.personAddress),
    },
    WalletRecoveries,
    RecoverySweep,
    RecoveryEvidence,
    RecoveryChecks,
  ],
  exports: [
    CredentialIssuer,
    EvidenceAddresses,
    WalletTokens,
    WalletIndex,
    WalletKeys,
    WalletMails,
    Wallets,
    WalletPasskeys,
    WalletSessions,
  ],
})
export class WalletModule {
  constructor(metrics: Metrics, mails: WalletMails) {
    mailAge(metrics, 'wallet_mail', () => mails.oldestSeconds());
  }
}
