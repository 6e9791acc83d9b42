import { Module } from '@nestjs/common';
import { UploadsModule } from '../identity/uploads/uploads.module.ts';
import { OwnerEmailModule } from '../owner-email/owner-email.module.ts';
import { OwnerNoticesModule } from '../owner-notices/owner-notices.module.ts';
import { ChangeTenant } from './change-tenant.ts';
import { PutLogo } from './put-logo.ts';
import { RetentionRoutes } from './retention-routes.ts';
import { ShowLogo } from './show-logo.ts';

/** What a tenant changes of itself. */
@Module({
  imports: [OwnerEmailModule, OwnerNoticesModule, UploadsModule],
  controllers: [ChangeTenant, PutLogo, RetentionRoutes, ShowLogo],
})
export class TenantSettingsModule {}
