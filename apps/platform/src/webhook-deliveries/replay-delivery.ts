import { hintEndpoint } from '@constancia/events';
import { ApiProblems, CurrentTenant, pathUuid, type Tenant, RequireScope } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { NotFound, StateConflict } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeliveryView } from './delivery-view.ts';
import { type Delivery, DELIVERY_COLUMNS, type DeliveryStatus, REPLAYABLE } from './delivery.ts';

/** POST /webhook-deliveries/{id}/replay: queues it again, with the whole schedule before it. */
@Controller('webhook-deliveries')
@ApiTags('Webhooks')
export class ReplayDelivery {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  @Post(':id/replay')
  @RequireScope('webhooks:write')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'replayWebhookDelivery',
    summary: 'Send a delivery again',
    description:
      'The same event_id and the same bytes under a fresh signature. One that waits for a retry goes at once.',
  })
  @ApiAcceptedResponse({ type: DeliveryView })
  @ApiProblems('not-found', 'state-conflict')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<DeliveryView> {
    const uuid = pathUuid('dlv', id);
    const delivery = await this.database.tenant(tenant.id, (tx) => putBackInLine(tx, tenant.id, uuid));
    hintEndpoint(this.queues, delivery.endpoint_id);
    return DeliveryView.of(delivery);
  }
}

/**
 * Queues a delivery of the transaction's tenant again when it is in one of the states `from`. Throws NotFound, or
 * StateConflict with what stands in the way.
 */
export async function putBackInLine(
  tx: Tx,
  tenantId: string,
  uuid: string,
  from: readonly DeliveryStatus[] = REPLAYABLE,
): Promise<Delivery> {
  const [found] = await tx.query<Pick<Delivery, 'status' | 'event_id' | 'endpoint_id'>>(
    `select ${DELIVERY_COLUMNS} from platform.delivery where tenant_id = $1 and id = $2 for update`,
    [tenantId, uuid],
  );
  if (!found) throw new NotFound();
  if (found.status === 'delivering') {
    throw new StateConflict('The delivery is being attempted at this moment: look at it again in a few seconds.');
  }
  if (!from.includes(found.status)) throw new StateConflict('The delivery is in line already.');
  await refuseWithoutTarget(tx, tenantId, found);
  const [row] = await tx.query<Delivery>(REPLAY, [tenantId, uuid]);
  return row as Delivery;
}

async function refuseWithoutTarget(
  tx: Tx,
  tenantId: string,
  { endpoint_id, event_id }: Pick<Delivery, 'endpoint_id' | 'event_id'>,
): Promise<void> {
  const [facts] = await tx.query<{ endpoint: boolean | null; event: boolean }>(
    `select (select enabled from platform.webhook_endpoint where tenant_id = $1 and id = $2) as endpoint,
            exists (select 1 from platform.event where tenant_id = $1 and event_id = $3) as event`,
    [tenantId, endpoint_id, event_id],
  );
  if (facts?.endpoint === null)
    throw new StateConflict('The endpoint was deleted: register one, and replay what it missed ({"missing": true}).');
  if (facts?.endpoint === false) {
    throw new StateConflict(
      `The endpoint ${typeId('whe', endpoint_id)} is disabled: enable it, then send this delivery again.`,
    );
  }
  if (!facts?.event) throw new StateConflict('The event is older than the time for which bodies are kept.');
}

const REPLAY = `
  update platform.delivery
     set status = 'pending', next_attempt_at = now(), schedule_step = 0, failed_at = null, lease_token = null,
         lease_until = null
   where tenant_id = $1 and id = $2
  returning ${DELIVERY_COLUMNS}`;
