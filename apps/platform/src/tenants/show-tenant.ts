import { ApiProblems, CurrentTenant, type Tenant, AnyScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiTenantId, requireOwnTenant } from './own-tenant.ts';
import type { ApiKey } from '../api-keys/api-key.entity.ts';
import type { TenantRow } from './tenant.entity.ts';
import { TenantView } from './tenant-view.ts';

type ViewedTenant = Omit<TenantRow, 'id' | 'webhook_secret' | 'previous_webhook_secret'>;

type ViewedKey = Pick<ApiKey, 'prefix' | 'status' | 'expires_at' | 'created_at'>;

/** GET /tenants/{id}: the caller's own tenant. */
@Controller('tenants')
@ApiTags('Tenants')
export class ShowTenant {
  constructor(private readonly database: Database) {}

  @Get(':id')
  @AnyScope()
  @ApiOperation({
    operationId: 'showTenant',
    summary: 'Show the tenant, without secrets',
    description: 'With its plan, the owner’s address and how each valid API key begins.',
  })
  @ApiTenantId()
  @ApiOkResponse({ type: TenantView })
  @ApiProblems('not-found')
  handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<TenantView> {
    requireOwnTenant(tenant, id);
    return this.database.tenant(tenant.id, async (tx) => {
      const [row] = await tx.query<ViewedTenant>(
        `select slug, display_name, owner_email, owner_email_verified_at, plan, environment, locale, webhook_secret_rotated_at,
                case when previous_webhook_secret_expires_at > now() then previous_webhook_secret_expires_at end
                  as previous_webhook_secret_expires_at, created_at
           from platform.tenant where id = $1`,
        [tenant.id],
      );
      const keys = await tx.query<ViewedKey>(
        `select prefix, status, expires_at, created_at from platform.api_key
          where tenant_id = $1 and (status = 'active' or (status = 'expiring' and expires_at > now()))
          order by id desc limit 1000`,
        [tenant.id],
      );
      return viewOf(tenant.id, row as ViewedTenant, keys);
    });
  }
}

function viewOf(id: string, row: ViewedTenant, keys: ViewedKey[]): TenantView {
  return {
    tenant_id: id,
    slug: row.slug,
    display_name: row.display_name,
    owner_email: row.owner_email,
    owner_email_verified_at: iso(row.owner_email_verified_at),
    plan: row.plan,
    environment: row.environment,
    locale: row.locale,
    api_keys: keys.map((key) => ({
      prefix: key.prefix,
      status: key.status,
      expires_at: iso(key.expires_at),
      created_at: key.created_at.toISOString(),
    })),
    webhook_secret_rotated_at: iso(row.webhook_secret_rotated_at),
    previous_webhook_secret_expires_at: iso(row.previous_webhook_secret_expires_at),
    created_at: row.created_at.toISOString(),
  };
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
