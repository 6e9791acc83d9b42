import { Module } from '@nestjs/common';
import { CaptureModule } from './capture/capture.module.ts';
import { ComplianceModule } from './compliance/compliance.module.ts';
import { ConsentModule } from './consent/consent.module.ts';
import { EmbedModule } from './embed/embed.module.ts';
import { IdentityExportModule } from './export/identity-export.module.ts';
import { FlowsModule } from './flows/flows.module.ts';
import { HostedModule } from './hosted/hosted.module.ts';
import { IdentityStoreModule } from './identity-store.module.ts';
import { OidcModule } from './oidc/oidc.module.ts';
import { PrivacyModule } from './privacy/privacy.module.ts';
import { ReviewsModule } from './reviews/reviews.module.ts';
import { SessionsModule } from './sessions/sessions.module.ts';
import { SignersModule } from './signers/signers.module.ts';
import { StatusListsModule } from './status-lists/status-lists.module.ts';
import { StepsModule } from './steps/steps.module.ts';
import { SubjectsModule } from './subjects/subjects.module.ts';
import { TokenKeysModule } from './token-keys/token-keys.module.ts';
import { UploadsModule } from './uploads/uploads.module.ts';
import { WalletModule } from './wallet/wallet.module.ts';

/** Identity verification: flows, sessions and their steps, subjects and their pictures. */
@Module({
  imports: [
    IdentityStoreModule,
    FlowsModule,
    ComplianceModule,
    SessionsModule,
    StepsModule,
    ReviewsModule,
    SubjectsModule,
    PrivacyModule,
    UploadsModule,
    HostedModule,
    CaptureModule,
    SignersModule,
    EmbedModule,
    IdentityExportModule,
    TokenKeysModule,
    StatusListsModule,
    WalletModule,
    ConsentModule,
    OidcModule,
  ],
  exports: [
    IdentityExportModule,
    IdentityStoreModule,
    SessionsModule,
    UploadsModule,
    HostedModule,
    EmbedModule,
    WalletModule,
    ConsentModule,
    OidcModule,
  ],
})
export class IdentityModule {}
