import { Module } from '@nestjs/common';
import { RotateApiKey } from './rotate-api-key.ts';
import { RotateWebhookSecret } from './rotate-webhook-secret.ts';
import { ShowTenant } from './show-tenant.ts';

@Module({ controllers: [ShowTenant, RotateApiKey, RotateWebhookSecret] })
export class TenantsModule {}
