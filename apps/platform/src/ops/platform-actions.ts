import type { Database } from '@constancia/persistence';
import type { Queues } from '@constancia/queue';
import type { OpsAction } from '@constancia/telemetry';
import { AuditActions } from './audit-actions.ts';
import { DeliveryActions } from './delivery-actions.ts';
import { EndpointActions } from './endpoint-actions.ts';
import { GrantActions } from './grant-actions.ts';
import { LagActions } from './lag-actions.ts';
import { LedgerActions } from './ledger-actions.ts';
import { ReplayActions } from './replay-actions.ts';
import { StoryActions } from './story-actions.ts';
import { TenantActions, type TenantActionParts } from './tenant-actions.ts';

export interface PlatformActionParts extends TenantActionParts {
  identity: Database;
  queues: Queues;
}

/** What operators can do on the platform's ops port. */
export function platformActions({ database, identity, queues, ...tenancy }: PlatformActionParts): OpsAction[] {
  const parts = [
    new DeliveryActions(database, queues),
    new ReplayActions(database, queues),
    new EndpointActions(database, queues),
    new LagActions(database, queues),
    new LedgerActions(database),
    new TenantActions({ database, ...tenancy }),
    new GrantActions(database, tenancy.grantLimit),
    new StoryActions(database, identity),
    new AuditActions(database),
  ];
  return parts.flatMap(({ actions }) => actions);
}
