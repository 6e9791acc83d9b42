import {
  embedControllers,
  EmbedSessions,
  EmbedTargets,
  framedPlace,
  OldEmbedSessions,
} from '@constancia/embed-sessions';
import { mounted } from '@constancia/http';
import { Module } from '@nestjs/common';
import { CaptureModule } from '../capture/capture.module.ts';
import { CaptureRoutes } from '../capture/capture-routes.ts';
import { HostedModule } from '../hosted/hosted.module.ts';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { StepsModule } from '../steps/steps.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { EmbedScript } from './embed-script.ts';
import { EmbeddedFlows } from './embedded-flows.ts';
import { FlowEmbedTokens } from './flow-embed-tokens.ts';

/** The capture page's routes, for a frame: the embed token in the path, the access token as the bearer. */
const FramedCapture = mounted(CaptureRoutes, ...framedPlace('capture', 'person'));

/** The capture page in frames of tenants' pages. */
@Module({
  imports: [IdentityStoreModule, HostedModule, CaptureModule, SessionsModule, StepsModule, UploadsModule],
  controllers: [
    ...embedControllers({ pageHost: 'person', read: 'identity:read', write: 'identity:write' }),
    EmbedScript,
    FramedCapture,
  ],
  providers: [EmbedSessions, OldEmbedSessions, FlowEmbedTokens, { provide: EmbedTargets, useClass: EmbeddedFlows }],
  exports: [FlowEmbedTokens],
})
export class EmbedModule {}
