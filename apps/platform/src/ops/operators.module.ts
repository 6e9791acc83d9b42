import { OpsModule } from '@constancia/http';
import { Module } from '@nestjs/common';
import { IdentityStoreModule } from '../identity/identity-store.module.ts';
import { SessionArchiveModule } from '../identity/sessions/archive/session-archive.module.ts';
import { AuditActions } from './audit-actions.ts';
import { DeliveryActions } from './delivery-actions.ts';
import { EndpointActions } from './endpoint-actions.ts';
import { GrantActions } from './grant-actions.ts';
import { LagActions } from './lag-actions.ts';
import { LedgerActions } from './ledger-actions.ts';
import { ReplayActions } from './replay-actions.ts';
import { SessionStories } from './session-stories.ts';
import { StoryActions } from './story-actions.ts';
import { TenantActions } from './tenant-actions.ts';

/** What operators see of the platform and do there, on the ops listener. */
@Module({
  imports: [OpsModule, IdentityStoreModule, SessionArchiveModule],
  providers: [SessionStories],
  controllers: [
    DeliveryActions,
    ReplayActions,
    EndpointActions,
    LagActions,
    LedgerActions,
    TenantActions,
    GrantActions,
    StoryActions,
    AuditActions,
  ],
})
export class OperatorsModule {}
