import type { Database } from '@constancia/persistence';
import type { Queues } from '@constancia/queue';
import type { OpsAction } from '@constancia/telemetry';
import { AuditActions } from './audit-actions.ts';
import { DeliveryActions } from './delivery-actions.ts';
import { ReplayActions } from './replay-actions.ts';

export interface PlatformActionParts {
  database: Database;
  queues: Queues;
}

/** What operators can do on the platform's ops port. */
export function platformActions({ database, queues }: PlatformActionParts): OpsAction[] {
  return [
    ...new DeliveryActions(database, queues).actions,
    ...new ReplayActions(database, queues).actions,
    ...new AuditActions(database).actions,
  ];
}
