import { Module } from '@nestjs/common';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { ClosedTenantsSweep } from './closed-tenants-sweep.ts';
import { ConsentEvidence } from './consent-evidence.ts';
import { EraseSubject } from './erase-subject.ts';
import { Erasure } from './erasure.ts';
import { ErasureResultProcessor } from './erasure-result.processor.ts';
import { ModuleErasures } from './module-erasures.ts';
import { RetentionSweep } from './retention-sweep.ts';
import { IdentitySettingsRoutes } from './settings-controllers.ts';
import { ShowErasure } from './show-erasure.ts';

/** Consent, erasure, and how long what is kept. */
@Module({
  imports: [SubjectsModule, UploadsModule],
  controllers: [EraseSubject, ShowErasure, IdentitySettingsRoutes],
  providers: [ConsentEvidence, Erasure, ModuleErasures, ErasureResultProcessor, RetentionSweep, ClosedTenantsSweep],
  exports: [ConsentEvidence, ModuleErasures],
})
export class PrivacyModule {}
