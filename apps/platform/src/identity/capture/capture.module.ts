import { CreditLedger } from '@constancia/credit-ledger';
import { BearerCredential, mounted, OnPageHost, OwnPageOnly } from '@constancia/http';
import { Controller, Module, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CAPTURE_TOKEN_PREFIX } from '../hosted/capture-tokens.ts';
import { HostedModule } from '../hosted/hosted.module.ts';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { StepsModule } from '../steps/steps.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { CaptureAdvances } from './capture-advances.ts';
import { CaptureReuse } from './capture-reuse.ts';
import { CaptureRoutes } from './capture-routes.ts';
import { CaptureSessions } from './capture-sessions.ts';

/** For the capture page: its pages alone, the routes are on no API host. */
const CaptureController = mounted(
  CaptureRoutes,
  Controller('capture'),
  ApiExcludeController(),
  BearerCredential(CAPTURE_TOKEN_PREFIX),
  OnPageHost('person'),
  UseGuards(OwnPageOnly),
);

/** The capture page: a subject takes a flow in a browser. */
@Module({
  imports: [IdentityStoreModule, HostedModule, SessionsModule, StepsModule, UploadsModule],
  controllers: [CaptureController],
  providers: [CreditLedger, CaptureReuse, CaptureSessions, CaptureAdvances],
  exports: [CaptureSessions, CaptureAdvances],
})
export class CaptureModule {}
