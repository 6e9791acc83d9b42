import { dnsResolve, PUBLIC_TARGETS } from '@constancia/events';
import { Module } from '@nestjs/common';
import { PlatformConfig } from '../config.ts';
import { DeleteWebhookEndpoint } from './delete-webhook-endpoint.ts';
import { ListWebhookEndpoints } from './list-webhook-endpoints.ts';
import { PutWebhookEndpoint } from './put-webhook-endpoint.ts';
import { ShowWebhookEndpoint } from './show-webhook-endpoint.ts';
import { TestWebhookEndpoint } from './test-webhook-endpoint.ts';
import { ChangeEndpoint } from './v1/change-endpoint.ts';
import { CreateEndpoint } from './v1/create-endpoint.ts';
import { DeleteEndpoint } from './v1/delete-endpoint.ts';
import { ListEndpoints } from './v1/list-endpoints.ts';
import { RotateEndpointSecret } from './v1/rotate-endpoint-secret.ts';
import { ShowEndpoint } from './v1/show-endpoint.ts';
import { TestEndpoint } from './v1/test-endpoint.ts';
import { WebhookTargets } from './webhook-targets.ts';

/** A registration does not wait long for a name server: the dispatcher asks it again anyway. */
const RESOLVE_MS = 2_000;

@Module({
  controllers: [
    PutWebhookEndpoint,
    ShowWebhookEndpoint,
    ListWebhookEndpoints,
    DeleteWebhookEndpoint,
    TestWebhookEndpoint,
    CreateEndpoint,
    ListEndpoints,
    ShowEndpoint,
    ChangeEndpoint,
    DeleteEndpoint,
    RotateEndpointSecret,
    TestEndpoint,
  ],
  providers: [
    {
      provide: WebhookTargets,
      inject: [PlatformConfig],
      useFactory: (config: PlatformConfig) => {
        const ports = config.webhookPorts.map(Number);
        const policy = { ...PUBLIC_TARGETS, allowLoopback: config.webhookAllowLoopback, ports };
        return new WebhookTargets(policy, dnsResolve({ timeoutMs: RESOLVE_MS }));
      },
    },
  ],
  exports: [WebhookTargets],
})
export class WebhookEndpointsModule {}
