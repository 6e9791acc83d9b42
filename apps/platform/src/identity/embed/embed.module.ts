import { embedControllers, EmbedKinds, EmbedSessions, framedPlace, OldEmbedSessions } from '@constancia/embed-sessions';
import { mounted } from '@constancia/http';
import { Module } from '@nestjs/common';
import { CaptureModule } from '../capture/capture.module.ts';
import { CaptureRoutes } from '../capture/capture-routes.ts';
import { ConsentModule } from '../consent/consent.module.ts';
import { ConsentRoutes } from '../consent/consent-routes.ts';
import { HostedModule } from '../hosted/hosted.module.ts';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { StepsModule } from '../steps/steps.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { ConsentEmbedTokens } from './consent-embed-tokens.ts';
import { EmbedScript } from './embed-script.ts';
import { EmbeddedConsents } from './embedded-consents.ts';
import { EmbeddedFlows } from './embedded-flows.ts';
import { FlowEmbedTokens } from './flow-embed-tokens.ts';

/** The routes of both pages, for a frame: the embed token in the path, the access token as the bearer. */
const FramedCapture = mounted(CaptureRoutes, ...framedPlace('flow', 'capture', 'person'));
const FramedConsent = mounted(ConsentRoutes, ...framedPlace('wallet_consent', 'consent', 'person'));

/** The capture page, and that of a request for a kept verification, in frames of tenants' pages. */
@Module({
  imports: [
    IdentityStoreModule,
    HostedModule,
    CaptureModule,
    ConsentModule,
    SessionsModule,
    StepsModule,
    UploadsModule,
  ],
  controllers: [
    ...embedControllers({ pageHost: 'person', read: 'identity:read', write: 'identity:write' }),
    EmbedScript,
    FramedCapture,
    FramedConsent,
  ],
  providers: [
    EmbedSessions,
    OldEmbedSessions,
    FlowEmbedTokens,
    ConsentEmbedTokens,
    EmbeddedFlows,
    EmbeddedConsents,
    {
      provide: EmbedKinds,
      inject: [EmbeddedFlows, EmbeddedConsents],
      useFactory: (flows: EmbeddedFlows, consents: EmbeddedConsents) => new EmbedKinds([flows, consents]),
    },
  ],
  exports: [FlowEmbedTokens, ConsentEmbedTokens],
})
export class EmbedModule {}
