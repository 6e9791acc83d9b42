import type { Tx } from '@constancia/persistence';
import type { ApiKey } from '../api-keys/api-key.entity.ts';
import type { OwnerEmailChange } from './owner-email-change.entity.ts';
import type { TenantLogo } from './tenant-logo.entity.ts';
import { BrandingView } from './branding-view.ts';
import { ClosingView } from './closing-view.ts';
import { TenantClosing } from './tenant-closing.entity.ts';
import type { TenantRow } from './tenant.entity.ts';
import type { TenantView } from './tenant-view.ts';

type ViewedTenant = Omit<TenantRow, 'id' | 'webhook_secret' | 'previous_webhook_secret'> & {
  pending_email: OwnerEmailChange['email'];
  pending_at: Date;
  pending_until: Date;
  logo_sha256: Buffer | null;
} & Pick<TenantLogo, 'width' | 'height'>;

type ViewedKey = Pick<ApiKey, 'prefix' | 'status' | 'expires_at' | 'created_at'>;

/** The tenant of the transaction as it sees itself. */
export async function shownTenant(tx: Tx, tenantId: string, apiUrl: string): Promise<TenantView> {
  const [row] = await tx.query<ViewedTenant>(
    `select t.slug, t.display_name, t.owner_email, t.owner_email_verified_at, t.plan, t.environment, t.locale, t.brand_color,
            t.webhook_secret_rotated_at,
            case when t.previous_webhook_secret_expires_at > now() then t.previous_webhook_secret_expires_at end
              as previous_webhook_secret_expires_at, t.created_at,
            c.email as pending_email, c.requested_at as pending_at, c.expires_at as pending_until,
            l.sha256 as logo_sha256, l.width, l.height
       from platform.tenant t
       left join platform.owner_email_change c on c.tenant_id = t.id and c.email is not null and c.expires_at > now()
       left join platform.tenant_logo l on l.tenant_id = t.id
      where t.id = $1`,
    [tenantId],
  );
  const keys = await tx.query<ViewedKey>(
    `select prefix, status, expires_at, created_at from platform.api_key
      where tenant_id = $1 and (status = 'active' or (status = 'expiring' and expires_at > now()))
      order by id desc limit 1000`,
    [tenantId],
  );
  const closing = await tx.manager.findOneBy(TenantClosing, { tenant_id: tenantId });
  return { ...viewOf(tenantId, row as ViewedTenant, keys, apiUrl), closing: closing && ClosingView.of(closing) };
}

function viewOf(id: string, row: ViewedTenant, keys: ViewedKey[], apiUrl: string): Omit<TenantView, 'closing'> {
  const { logo_sha256: sha256, width, height } = row;
  return {
    tenant_id: id,
    slug: row.slug,
    display_name: row.display_name,
    owner_email: row.owner_email,
    owner_email_verified_at: iso(row.owner_email_verified_at),
    pending_owner_email:
      row.pending_email === null
        ? null
        : {
            email: row.pending_email,
            requested_at: row.pending_at.toISOString(),
            expires_at: row.pending_until.toISOString(),
          },
    plan: row.plan,
    environment: row.environment,
    locale: row.locale,
    branding: BrandingView.of(row.brand_color, sha256 && { sha256, width, height }, apiUrl),
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
