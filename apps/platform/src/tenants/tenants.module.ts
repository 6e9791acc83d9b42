import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.ts';
import { RotateApiKey } from './rotate-api-key.ts';
import { RotateWebhookSecret } from './rotate-webhook-secret.ts';
import { ShowTenant } from './show-tenant.ts';

@Module({ imports: [ApiKeysModule], controllers: [ShowTenant, RotateApiKey, RotateWebhookSecret] })
export class TenantsModule {}
