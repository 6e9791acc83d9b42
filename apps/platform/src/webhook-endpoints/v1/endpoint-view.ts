import { PageOf } from '@constancia/http';
import { EVENT_MODULES } from '@constancia/contracts';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { WebhookEndpointView } from '../webhook-endpoint-view.ts';
import type { WebhookEndpoint } from '../webhook-endpoint.ts';

const SECRET = '^whsec_[A-Za-z0-9+/]{43}=$';

/** An endpoint of either kind. */
export class EndpointView extends OmitType(WebhookEndpointView, ['module'] as const) {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...EVENT_MODULES] },
    maxItems: EVENT_MODULES.length,
    description: 'The modules whose events it gets.',
  })
  modules: string[];

  @ApiProperty({
    enum: ['endpoint', 'tenant'],
    description:
      'Whose secret signs: its own, or (for the endpoint that PUT /tenants/{id}/webhook-endpoints/{module} registers) the tenant’s.',
  })
  secret_of: 'endpoint' | 'tenant';

  static of(endpoint: WebhookEndpoint): EndpointView {
    const { module, ...view } = WebhookEndpointView.of(endpoint);
    return { ...view, modules: endpoint.modules ?? [module], secret_of: endpoint.modules ? 'endpoint' : 'tenant' };
  }
}

export class NewEndpointView extends EndpointView {
  @ApiProperty({ pattern: SECRET, description: 'Shown in this answer only.' })
  secret: string;
}

export class EndpointPage extends PageOf(EndpointView, {}) {}

export class EndpointSecretView {
  @ApiProperty({ pattern: SECRET, description: 'Shown in this answer only.' })
  secret: string;

  @ApiProperty({ format: 'date-time' })
  rotated_at: string;

  @ApiProperty({ format: 'date-time', description: 'Until then deliveries are signed with the former secret too.' })
  previous_secret_expires_at: string;
}
