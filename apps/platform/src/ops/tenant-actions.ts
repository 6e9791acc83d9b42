import type { Environment } from '@constancia/contracts';
import { isUuid, type SecretBox, typeId, uuidv8Of } from '@constancia/kernel';
import { type Database, recordAct } from '@constancia/persistence';
import { type OpsAction, type OpsAnswer, OpsFields, opsPage, OpsRefusal, type OpsRequest } from '@constancia/telemetry';
import { isEmail } from 'class-validator';
import { createTenant } from '../signup/new-tenant.ts';
import { PLAIN_LINE, SLUG } from '../signup/sign-up-body.ts';
import { endpointsLike, endpointView } from './endpoint-rows.ts';
import { namedTenant } from './named-tenant.ts';

/** Far more than anybody buys at once: a slip of the hand should not pass. */
const MAX_CREDITS = 10_000_000;
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

interface GrantRow {
  made: boolean;
  id: string;
  kind: string;
  amount: number;
  balance_after: number;
  ref_id: string;
  created_at: Date;
  available: number;
  held: number;
}

export interface TenantActionParts {
  database: Database;
  secrets: SecretBox;
  environment: Environment;
}

/** Tenants: finding, making, giving credits. In production the only way to both of the latter. */
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
        about: 'make a tenant; its key and webhook secret are shown once',
        handle: (request) => this.create(request),
      },
      {
        method: 'GET',
        path: /^\/ops\/tenants\/(?<id>[^/]+)$/,
        about: 'a tenant, by id or slug, with its keys’ prefixes and its endpoints',
        handle: (request) => this.show(request),
      },
      {
        method: 'POST',
        path: /^\/ops\/tenants\/(?<id>[^/]+)\/grants$/,
        about: 'give credits, once per reference',
        handle: (request) => this.grant(request),
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
    const displayName = text('name', {
      max: 120,
      like: PLAIN_LINE,
      hint: 'must be one line of 1 to 120 characters',
    }).trim();
    const ownerEmail = text('owner_email', { max: 254 });
    if (!isEmail(ownerEmail, { blacklisted_chars: '"' })) {
      throw new OpsRefusal(400, 'owner_email in the body must be a mail address: keys are recovered by it.');
    }
    const openingCredits = fields.whole('credits', { min: 0, max: MAX_CREDITS });
    const reason = fields.reason();
    const { database, secrets, environment } = this.parts;
    const created = await database.transaction(async (tx) => {
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

  private async grant({ params, body, operator }: OpsRequest): Promise<OpsAnswer> {
    const fields = await OpsFields.ofBody(body, ['credits', 'reason', 'reference']);
    const credits = fields.needed('credits', fields.whole('credits', { min: 1, max: MAX_CREDITS }));
    const reason = fields.reason();
    const why = 'name the order, invoice or ticket, so that the same one is never granted twice';
    const reference = fields.needed('reference', fields.text('reference', { max: 100 }), why);
    const { id } = await namedTenant(this.parts.database, params.id ?? '');
    const granted = await this.parts.database.tenant(id, async (tx) => {
      const [row] = await tx.query<GrantRow>('select * from platform.ops_grant($1, $2, $3, $4)', [
        id,
        credits,
        grantId(id, reference),
        reason,
      ]);
      const entry = row as GrantRow;
      if (entry.amount !== credits) {
        throw new OpsRefusal(
          409,
          `This reference was granted already, with ${entry.amount} credits: give another one.`,
        );
      }
      if (entry.made) {
        const data = { credits, reference, reason, entry_id: typeId('led', entry.id) };
        await recordAct(tx, { type: 'tenant.granted', operator, tenantId: id, data });
      }
      return entry;
    });
    return { status: granted.made ? 201 : 200, body: grantView(granted) };
  }

  private rows(params: unknown[]): Promise<TenantRow[]> {
    return this.parts.database.query<TenantRow>('select * from platform.ops_tenants($1, $2, $3, $4)', params);
  }
}

function tenantView({ id, slug, display_name, plan, environment, created_at, available, held }: TenantRow) {
  return { id, slug, display_name, plan, environment, created_at: created_at.toISOString(), available, held };
}

function grantView({ made, id, kind, amount, balance_after, ref_id, created_at, available, held }: GrantRow) {
  return {
    balance: { available, held },
    entry: { id: typeId('led', id), kind, amount, balance_after, ref_id, created_at: created_at.toISOString() },
    repeated: !made,
  };
}

/** The object that a grant is for in the ledger: the same reference is the same object. */
const grantId = (tenantId: string, reference: string): string => uuidv8Of(`operator-grant:${tenantId}:${reference}`);
