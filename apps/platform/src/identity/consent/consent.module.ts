import { CreditLedger } from '@constancia/credit-ledger';
import { mounted, OnPageHost, OwnPageOnly, PathCredential } from '@constancia/http';
import { Controller, Module, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { TopupModule } from '../../billing/topup/topup.module.ts';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { WalletModule } from '../wallet/wallet.module.ts';
import { OpenId4VpModule } from '../openid4vp/openid4vp.module.ts';
import { AnswerByApp } from './by-app/answer-by-app.ts';
import { AppRequestLinks } from './by-app/app-request-links.ts';
import { AppRequestRoutes } from './by-app/app-request-routes.ts';
import { AskingSessions } from './asking-sessions.ts';
import { ApprovePresentation } from './approve-presentation.ts';
import { ConsentCodes } from './consent-codes.ts';
import { CONSENT_LINK, ConsentLinks } from './consent-links.ts';
import { ConsentPasskeyRoutes } from './consent-passkey-routes.ts';
import { ConsentPasskeys } from './consent-passkeys.ts';
import { ConsentRoutes } from './consent-routes.ts';
import { ConsentStates } from './consent-states.ts';
import { Discover } from './discover.ts';
import { GivePresentation } from './give-presentation.ts';
import { PresentationSweep } from './presentation-sweep.ts';
import { RefusePresentation } from './refuse-presentation.ts';
import { RequestPresentation } from './request-presentation.ts';
import { RevokeConsent } from './revoke-consent.ts';
import { PresentationsModule } from '../presentations/presentations.module.ts';

/** For the page of a link: its pages alone, the routes are on no API host. */
const ConsentControllers = [ConsentRoutes, ConsentPasskeyRoutes].map((routes) =>
  mounted(
    routes,
    Controller('consent/:token'),
    ApiExcludeController(),
    PathCredential('token', CONSENT_LINK),
    OnPageHost('person'),
    UseGuards(OwnPageOnly),
  ),
);

/** Requests of tenants for what persons keep in wallets, and the persons' answers. */
@Module({
  imports: [IdentityStoreModule, SubjectsModule, PresentationsModule, WalletModule, OpenId4VpModule, TopupModule],
  controllers: [Discover, RequestPresentation, ...ConsentControllers, AppRequestRoutes, RevokeConsent],
  providers: [
    CreditLedger,
    AskingSessions,
    ConsentLinks,
    ConsentStates,
    ConsentCodes,
    ConsentPasskeys,
    GivePresentation,
    ApprovePresentation,
    AppRequestLinks,
    AnswerByApp,
    RefusePresentation,
    PresentationSweep,
  ],
  exports: [
    ConsentLinks,
    ConsentStates,
    ConsentCodes,
    ApprovePresentation,
    RefusePresentation,
    AppRequestLinks,
    PresentationsModule,
  ],
})
export class ConsentModule {}
