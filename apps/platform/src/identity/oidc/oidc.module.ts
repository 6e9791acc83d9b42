import { Module } from '@nestjs/common';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { TokenKeysModule } from '../token-keys/token-keys.module.ts';
import { WalletModule } from '../wallet/wallet.module.ts';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { OwnSubjects } from './api/own-subjects.ts';
import { PersonTokens } from './api/person-tokens.ts';
import { OidcClientRoutes } from './clients/client-routes.ts';
import { OidcClients } from './clients/oidc-clients.ts';
import { RegisteredClients } from './clients/registered-clients.ts';
import { Interactions } from './interactions/interactions.ts';
import { InteractionTickets } from './interactions/interaction-tickets.ts';
import { OpenIdLinks } from './interactions/openid-links.ts';
import { OpenIdPageRoutes } from './interactions/openid-page-routes.ts';
import { OpenIdStates } from './interactions/openid-states.ts';
import { PersonSignIn } from './interactions/person-sign-in.ts';
import { OpenIdRoutes } from './mount/openid-routes.ts';
import { Accounts } from './provider/accounts.ts';
import { OpenIdProvider } from './provider/openid-provider.ts';
import { Releases } from './provider/releases.ts';
import { OidcRecords } from './store/oidc-records.ts';
import { OidcRecordsSweep } from './store/oidc-records-sweep.ts';

/** The OpenID provider: applications of tenants sign persons in with their wallet. */
@Module({
  imports: [IdentityStoreModule, SubjectsModule, TokenKeysModule, WalletModule],
  controllers: [OidcClientRoutes, OpenIdPageRoutes],
  providers: [
    OidcClients,
    RegisteredClients,
    OidcRecords,
    OidcRecordsSweep,
    Accounts,
    Releases,
    OpenIdProvider,
    Interactions,
    InteractionTickets,
    OpenIdLinks,
    OpenIdStates,
    PersonSignIn,
    OpenIdRoutes,
    OwnSubjects,
    PersonTokens,
  ],
  exports: [OpenIdLinks, OpenIdRoutes, PersonTokens],
})
export class OidcModule {}
