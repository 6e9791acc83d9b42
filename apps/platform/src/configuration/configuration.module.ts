import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.ts';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.ts';
import { ConfigurationRoutes } from './configuration-routes.ts';

@Module({ imports: [IdentityModule, WebhookEndpointsModule], controllers: [ConfigurationRoutes] })
export class ConfigurationModule {}
