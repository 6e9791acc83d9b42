import { CreditLedger } from '@constancia/credit-ledger';
import { Module } from '@nestjs/common';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { PresentationRoutes, TenantPresentations } from './tenant-presentations.ts';

/** Requests for kept verifications, as the tenants that made them see them. */
@Module({
  imports: [IdentityStoreModule, SubjectsModule],
  controllers: [PresentationRoutes],
  providers: [CreditLedger, TenantPresentations],
  exports: [TenantPresentations],
})
export class PresentationsModule {}
