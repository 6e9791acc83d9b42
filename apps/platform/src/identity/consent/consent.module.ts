import { CreditLedger } from '@constancia/credit-ledger';
import { Module } from '@nestjs/common';
import { TopupModule } from '../../billing/topup/topup.module.ts';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { WalletModule } from '../wallet/wallet.module.ts';
import { AskingSessions } from './asking-sessions.ts';
import { ApprovePresentation } from './approve-presentation.ts';
import { ConsentCodes } from './consent-codes.ts';
import { ConsentLinks } from './consent-links.ts';
import { ConsentPasskeys } from './consent-passkeys.ts';
import { ConsentRoutes } from './consent-routes.ts';
import { ConsentStates } from './consent-states.ts';
import { Discover } from './discover.ts';
import { PresentationSweep } from './presentation-sweep.ts';
import { RefusePresentation } from './refuse-presentation.ts';
import { RequestPresentation } from './request-presentation.ts';
import { RevokeConsent } from './revoke-consent.ts';
import { PresentationsModule } from '../presentations/presentations.module.ts';

/** Requests of tenants for what persons keep in wallets, and the persons' answers. */
@Module({
  imports: [IdentityStoreModule, SubjectsModule, PresentationsModule, WalletModule, TopupModule],
  controllers: [Discover, RequestPresentation, ConsentRoutes, RevokeConsent],
  providers: [
    CreditLedger,
    AskingSessions,
    ConsentLinks,
    ConsentStates,
    ConsentCodes,
    ConsentPasskeys,
    ApprovePresentation,
    RefusePresentation,
    PresentationSweep,
  ],
  exports: [ConsentLinks, PresentationsModule],
})
export class ConsentModule {}
