import { createHash } from 'node:crypto';
import { generateWebhookSecret } from '@constancia/auth';
import { EVENT_MODULES, type EventModule } from '@constancia/contracts';
import { endpointIdOf } from '@constancia/events';
import { ApiOptional, checked } from '@constancia/http';
import { type SecretBox, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import type { AppliedChange, ConfigurationChange, ConfigurationKind } from '@constancia/tenant-export';
import { IsIn } from 'class-validator';
import { webhookSecretContext } from '../tenants/webhook-secret.ts';
import { auditedEndpoint, auditedUrl, endpointObject } from '../webhook-endpoints/audited-endpoint.ts';
import { PUT_ENDPOINT } from '../webhook-endpoints/put-webhook-endpoint.ts';
import { targetOf } from '../webhook-endpoints/v1/check-endpoint.ts';
import { INSERT_ENDPOINT, lockEndpoints, MAX_ENDPOINTS } from '../webhook-endpoints/v1/create-endpoint.ts';
import { NewEndpointBody } from '../webhook-endpoints/v1/endpoint-body.ts';
import { refusedTypes } from '../webhook-endpoints/v1/subscription.ts';
import { ENDPOINT_COLUMNS, type WebhookEndpoint } from '../webhook-endpoints/webhook-endpoint.ts';
import type { WebhookTargets } from '../webhook-endpoints/webhook-targets.ts';

/** An endpoint without its state: an import creates it disabled. */
class EndpointContent extends NewEndpointBody {
  /** Of the endpoint that the tenant's secret signs for. */
  @ApiOptional()
  @IsIn(EVENT_MODULES)
  module?: EventModule;
}

type Change = ConfigurationChange<EndpointContent>;

/** The webhook endpoints of a tenant: by module, or by address and, of several with one, in the order of their creation. */
export class EndpointConfiguration implements ConfigurationKind<EndpointContent> {
  readonly folder = 'webhook-endpoints';
  private ids = new Map<string, string>();

  constructor(
    private readonly tenantId: string,
    private readonly targets: WebhookTargets,
    private readonly secrets: SecretBox,
  ) {}

  async current(tx: Tx): Promise<Map<string, EndpointContent>> {
    const endpoints = await tx.query<WebhookEndpoint>(
      `select ${ENDPOINT_COLUMNS} from platform.webhook_endpoint where tenant_id = $1 order by id`,
      [this.tenantId],
    );
    const found = new Map<string, EndpointContent>();
    this.ids = new Map();
    for (const endpoint of endpoints) {
      const content = contentOf(endpoint);
      let nth = 0;
      while (found.has(nameOf(content, nth))) nth++;
      this.ids.set(nameOf(content, nth), endpoint.id);
      found.set(nameOf(content, nth), content);
    }
    return found;
  }

  read(content: unknown, name: string): EndpointContent {
    const read = checked(content as object, EndpointContent, '');
    const { module, modules, url, event_types = [], description } = read;
    const of = module ? [module] : modules;
    const errors: FieldError[] = refusedTypes(event_types, of ?? []);
    const wrong = (pointer: string, detail: string) => errors.push({ pointer, code: 'not_allowed', detail });
    if (of === undefined || (module && modules)) wrong('/modules', 'Must have either module or modules.');
    if (!URL.canParse(url)) wrong('/url', 'Must be an address.');
    if (name !== nameOf(read, Number(name.slice(-2))))
      wrong(module ? '/module' : '/url', 'The file must be named as the export names it.');
    if (errors.length > 0) throw new ValidationError(errors);
    return { ...(module ? { module } : { modules }), url, event_types, ...(description && { description }) };
  }

  lock(tx: Tx): Promise<void> {
    return lockEndpoints(tx, this.tenantId);
  }

  review(_tx: Tx, changes: Change[]): Promise<void> {
    const isOwn = ({ module }: EndpointContent) => module === undefined;
    let own = [...this.ids.keys()].filter((name) => !name.startsWith('module-')).length;
    for (const change of changes) {
      const { before, after } = change;
      if (before === undefined) {
        change.note = `Is created disabled: check its address, then enable it. ${auditedUrl(after.url)}`;
        if (isOwn(after) && ++own > MAX_ENDPOINTS) {
          change.conflict = `A tenant has at most ${MAX_ENDPOINTS} of these endpoints: delete one first.`;
        }
      } else if (before.url !== after.url) {
        change.conflict = 'Has another address here, to which events go: change it with PUT.';
      }
    }
    return Promise.resolve();
  }

  async prepare({ before, after: { url } }: Change): Promise<FieldError[]> {
    const errors: FieldError[] = [];
    if (before === undefined) await targetOf(this.targets, url, errors);
    return errors;
  }

  async apply(tx: Tx, { name, before, after }: Change): Promise<AppliedChange> {
    if (before === undefined) return this.create(tx, after);
    const { modules = null, event_types, description = null } = after;
    const [row] = await tx.query<WebhookEndpoint>(
      `update platform.webhook_endpoint set modules = $3, event_types = $4, description = $5, updated_at = now()
        where tenant_id = $1 and id = $2 returning ${ENDPOINT_COLUMNS}`,
      [this.tenantId, this.ids.get(name), modules, event_types, description],
    );
    return { audit: { action: 'webhook_endpoint.changed', ...auditOf(row) } };
  }

  private async create(tx: Tx, { module, modules, url, event_types, description = null }: EndpointContent) {
    const { tenantId } = this;
    const rest = [event_types, description];
    if (module) {
      const id = endpointIdOf(tenantId, module);
      const [row] = await tx.query<WebhookEndpoint>(PUT_ENDPOINT, [id, tenantId, module, url, false, ...rest]);
      return { audit: { action: 'webhook_endpoint.created', ...auditOf(row) } as const };
    }
    const secret = generateWebhookSecret();
    const sealed = this.secrets.seal(secret, webhookSecretContext(tenantId));
    const values = [uuidv7(), tenantId, modules, url, false, ...rest, sealed];
    const [row] = await tx.query<WebhookEndpoint>(INSERT_ENDPOINT, values);
    return { secret, audit: { action: 'webhook_endpoint.created', ...auditOf(row) } as const };
  }
}

function auditOf(row: WebhookEndpoint | undefined) {
  const endpoint = row as WebhookEndpoint;
  return { object: endpointObject(endpoint), after: auditedEndpoint(endpoint) };
}

function contentOf({ module, modules, url, event_types, description }: WebhookEndpoint): EndpointContent {
  return {
    ...(module ? { module } : { modules: modules ?? [] }),
    url,
    event_types,
    ...(description && { description }),
  };
}

/** The name of the file: by module, else by the digest of the address, which may hold a secret in its query. `nth`: of those with this address. */
const nameOf = ({ module, url }: EndpointContent, nth: number): string =>
  module
    ? `module-${module}`
    : `${createHash('sha256').update(url).digest('hex').slice(0, 16)}-${String(nth).padStart(2, '0')}`;
