import { Module } from '@nestjs/common';
import { ConsentModule } from '../consent/consent.module.ts';
import { PrivacyModule } from '../privacy/privacy.module.ts';
import { SessionArchiveModule } from '../sessions/archive/session-archive.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { IdentityExport } from './identity-export.ts';

@Module({
  imports: [ConsentModule, SubjectsModule, SessionsModule, SessionArchiveModule, PrivacyModule],
  providers: [IdentityExport],
  exports: [IdentityExport],
})
export class IdentityExportModule {}
