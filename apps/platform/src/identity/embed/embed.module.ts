import { OnPageHost, PathCredential } from '@constancia/http';
import { Controller, Module, UseGuards } from '@nestjs/common';
import { EmbedOriginsModule } from '../../embed-origins/embed-origins.module.ts';
import { captureController } from '../capture/capture-controller.ts';
import { CaptureModule } from '../capture/capture.module.ts';
import { OwnPageOnly } from '../capture/capture-request.ts';
import { HostedModule } from '../hosted/hosted.module.ts';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { StepsModule } from '../steps/steps.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { CreateEmbedSession } from './create-embed-session.ts';
import { EmbedFrame, EmbedScript } from './embed-pages.ts';
import { FrameOnly } from './embed-request.ts';
import { EmbedSessions } from './embed-sessions.ts';
import { EmbedTokens } from './embed-tokens.ts';
import { OpenEmbedSession } from './open-embed-session.ts';
import { RevokeEmbedSession } from './revoke-embed-session.ts';
import { ShowEmbedSession } from './show-embed-session.ts';

/** The capture page's routes, for a frame: the embed token in the path, the access token as the bearer. */
const FramedCapture = captureController(
  Controller('v1/embed/sessions/:token/capture'),
  PathCredential('token'),
  OnPageHost('person'),
  UseGuards(OwnPageOnly, FrameOnly),
);

/** Pages of ours in frames of tenants' pages. */
@Module({
  imports: [
    IdentityStoreModule,
    EmbedOriginsModule,
    HostedModule,
    CaptureModule,
    SessionsModule,
    StepsModule,
    UploadsModule,
  ],
  controllers: [
    CreateEmbedSession,
    ShowEmbedSession,
    RevokeEmbedSession,
    OpenEmbedSession,
    EmbedFrame,
    EmbedScript,
    FramedCapture,
  ],
  providers: [EmbedSessions, EmbedTokens],
  exports: [EmbedTokens],
})
export class EmbedModule {}
