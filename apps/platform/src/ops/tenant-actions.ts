import type { Environment } from '@constancia/contracts';
import { mailedTextProblem } from '@constancia/http';
import { isUuid, type SecretBox } from '@constancia/kernel';
import { type Database, recordAct } from '@constancia/persistence';
import { type OpsAction, type OpsAnswer, OpsFields, opsPage, OpsRefusal, type OpsRequest } from '@constancia/telemetry';
import { isEmail } from 'class-validator';
import { createTenant } from '../signup/new-tenant.ts';
import { SLUG } from '../tenants/plans.ts';
import { endpointsLike, endpointView } from './endpoint-rows.ts';
import { MAX_CREDITS } from './grant-actions.ts';
import { exceedsGrantLimit } from './grant-limit.ts';
import { namedTenant } from './named-tenant.ts';

const ENDPOINTS = 10;

interface TenantRow {
  id: string;
  slug: string;
  display_name: string;
  plan: string;
  environment: string;
  created_at: Date;
  available: number;
  held: number;
  open_holds: number;
}

interface KeyRow {
  prefix: string;
  status: string;
  created_at: Date;
  expires_at: Date | null;
}

export interface TenantActionParts {
  database: Database;
  secrets: SecretBox;
  environment: Environment;
  /** OPS_GRANT_LIMIT. */
  grantLimit: number;
}

/** Tenants: finding and creating them; in production the only way to create one. */
export class TenantActions {
  constructor(private readonly parts: TenantActionParts) {}

  get actions(): OpsAction[] {
    return [
      {
        method: 'GET',
        path: /^\/ops\/tenants$/,
        about: 'tenants, newest first; search: a part of slug or name, or the id',
        handle: (request) => this.list(request),
      },
      {
        method: 'POST',
        path: /^\/ops\/tenants$/,
        role: 'grant',
        about: 'make a tenant; its key and webhook secret are shown once',
        handle: (request) => this.create(request),
      },
      {
        method: 'GET',
        path: /^\/ops\/tenants\/(?<id>[^/]+)$/,
        about: 'a tenant, by id or slug, with its keys’ prefixes and its endpoints',
        handle: (request) => this.show(request),
      },
    ];
  }

  private async list({ query }: OpsRequest): Promise<OpsAnswer> {
    const fields = OpsFields.ofQuery(query, ['search', 'limit', 'cursor']);
    const [before] = fields.cursor([(key) => typeof key === 'string' && isUuid(key)]) ?? [];
    const limit = fields.limit();
    const rows = await this.rows([null, fields.text('search', { max: 120 }) ?? null, before ?? null, limit + 1]);
    return { status: 200, body: opsPage(rows, limit, ({ id }) => [id], tenantView) };
  }

  private async show({ params, query }: OpsRequest): Promise<OpsAnswer> {
    OpsFields.ofQuery(query, []);
    const { database } = this.parts;
    const { id } = await namedTenant(database, params.id ?? '');
    const [[row], keys, endpoints] = await Promise.all([
      this.rows([id, null, null, 1]),
      database.query<KeyRow>('select * from platform.ops_keys($1)', [id]),
      endpointsLike(database, { tenantId: id, limit: ENDPOINTS }),
    ]);
    const tenant = row as TenantRow;
    const body = {
      ...tenantView(tenant),
      open_holds: tenant.open_holds,
      keys: keys.map(({ prefix, status, created_at, expires_at }) => ({
        prefix,
        status,
        created_at: created_at.toISOString(),
        expires_at: expires_at?.toISOString() ?? null,
      })),
      endpoints: endpoints.map(endpointView),
    };
    return { status: 200, body };
  }

  private async create({ body, operator }: OpsRequest): Promise<OpsAnswer> {
    const fields = await OpsFields.ofBody(body, ['slug', 'name', 'owner_email', 'credits', 'reason']);
    const text = (name: string, rule: Parameters<OpsFields['text']>[1]) => fields.needed(name, fields.text(name, rule));
    const slug = text('slug', {
      max: 79,
      like: SLUG,
      hint: 'must be 2 to 40 lower-case letters or digits, with single hyphens between them',
    });
    const displayName = text('name', { max: 120 }).trim();
    const unfit = mailedTextProblem(displayName);
    if (unfit !== null) throw new OpsRefusal(400, `name in the body ${unfit}.`);
    const ownerEmail = text('owner_email', { max: 254 });
    if (!isEmail(ownerEmail, { blacklisted_chars: '"' })) {
      throw new OpsRefusal(400, 'owner_email in the body must be a mail address: keys are recovered by it.');
    }
    const openingCredits = fields.whole('credits', { min: 0, max: MAX_CREDITS });
    const reason = fields.reason();
    const { database, secrets, environment, grantLimit } = this.parts;
    const created = await database.transaction(async (tx) => {
      if (openingCredits && (await exceedsGrantLimit(tx, operator, openingCredits, grantLimit))) {
        const rule = `More than ${grantLimit} credits in 24 hours need a second operator`;
        throw new OpsRefusal(422, `${rule}: create the tenant without credits, then grant them.`);
      }
      const tenant = await createTenant(tx, secrets, {
        ...{ environment, slug, displayName, ownerEmail, openingCredits },
        locale: 'es-CO',
      });
      const data = { slug, plan: tenant.plan, credits: openingCredits, reason };
      await recordAct(tx, { type: 'tenant.created', operator, tenantId: tenant.tenant_id, data });
      return tenant;
    });
    const [row] = await this.rows([created.tenant_id, null, null, 1]);
    return { status: 201, body: { ...created, available: row?.available ?? 0 } };
  }

  private rows(params: unknown[]): Promise<TenantRow[]> {
    return this.parts.database.query<TenantRow>('select * from platform.ops_tenants($1, $2, $3, $4)', params);
  }
}

function tenantView({ id, slug, display_name, plan, environment, created_at, available, held }: TenantRow) {
  return { id, slug, display_name, plan, environment, created_at: created_at.toISOString(), available, held };
}
