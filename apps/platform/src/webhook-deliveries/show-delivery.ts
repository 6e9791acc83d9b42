import { ApiProblems, CurrentTenant, pathUuid, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type DeliveryAttempt, DeliveryAttemptView, DeliveryView, DeliveryWithAttemptsView } from './delivery-view.ts';
import { type Delivery, DELIVERY_COLUMNS } from './delivery.ts';

/** More than a delivery and its replays have in a lifetime. */
const ATTEMPTS = 200;

/** GET /webhook-deliveries/{id}: with every attempt and what the receiver answered. */
@Controller('webhook-deliveries')
@ApiTags('Webhooks')
export class ShowDelivery {
  constructor(private readonly database: Database) {}

  @Get(':id')
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'showWebhookDelivery',
    summary: 'Show a delivery with its attempts',
    description: 'Each attempt with its time, duration, status and the beginning of the answer; the last 200.',
  })
  @ApiOkResponse({ type: DeliveryWithAttemptsView })
  @ApiProblems('not-found')
  handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<DeliveryWithAttemptsView> {
    const uuid = pathUuid('dlv', id);
    return this.database.tenant(tenant.id, async (tx) => {
      const [delivery] = await tx.query<Delivery>(
        `select ${DELIVERY_COLUMNS} from platform.delivery where tenant_id = $1 and id = $2`,
        [tenant.id, uuid],
      );
      if (!delivery) throw new NotFound();
      const attempts = await tx.query<DeliveryAttempt>(
        `select id, number, at, duration_ms, first_byte_ms, url, http_status, error_code, error_detail, response_excerpt
           from platform.delivery_attempt where tenant_id = $1 and delivery_id = $2 order by id desc limit $3`,
        [tenant.id, uuid, ATTEMPTS],
      );
      return {
        ...DeliveryView.of(delivery),
        attempts: attempts.reverse().map((attempt) => DeliveryAttemptView.of(attempt)),
      };
    });
  }
}
