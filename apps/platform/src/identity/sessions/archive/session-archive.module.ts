import { Module } from '@nestjs/common';
import { BillingModule } from '../../../billing/billing.module.ts';
import { IdentityStoreModule } from '../../identity-store.module.ts';
import { SessionTrailArchives } from './session-trail-archives.ts';

/** Trails of sessions that ended long ago, as files in the object store. */
@Module({
  imports: [BillingModule, IdentityStoreModule],
  providers: [SessionTrailArchives],
  exports: [SessionTrailArchives],
})
export class SessionArchiveModule {}
