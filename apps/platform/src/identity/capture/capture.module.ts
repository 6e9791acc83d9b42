import { Module } from '@nestjs/common';
import { HostedModule } from '../hosted/hosted.module.ts';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { StepsModule } from '../steps/steps.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { CaptureAdvances } from './capture-advances.ts';
import { CaptureController } from './capture-controller.ts';
import { CaptureSessions } from './capture-sessions.ts';

/** The capture page: a subject takes a flow in a browser. */
@Module({
  imports: [IdentityStoreModule, HostedModule, SessionsModule, StepsModule, UploadsModule],
  controllers: [CaptureController],
  providers: [CaptureSessions, CaptureAdvances],
  exports: [CaptureSessions, CaptureAdvances],
})
export class CaptureModule {}
