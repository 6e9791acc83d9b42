import { EVENT_MODULES } from '@constancia/contracts';
import { isUuid, typeId, uuidOf, uuidv7 } from '@constancia/kernel';
import { type Database, recordAct, type Tx } from '@constancia/persistence';
import type { Queues } from '@constancia/queue';
import { type OpsAction, type OpsAnswer, OpsFields, opsPage, OpsRefusal, type OpsRequest } from '@constancia/telemetry';
import { DEFAULT_MAX } from '../webhook-replays/replay-run-view.ts';
import { REPLAY_RUN_STATUSES, type ReplayRun } from '../webhook-replays/replay-run.ts';
import { tenantIn } from './named-tenant.ts';

const MEMBERS = [
  'tenant', 'all_tenants', 'module', 'event_type', 'status', 'since', 'until', 'rate', 'max', 'dry_run', 'reason',
]; // prettier-ignore
const FROM = ['failed', 'delivered'] as const;
const MAX = 1_000_000;
const MAX_RATE = 10_000;

/** A row of platform.replay_run as operators see it; JSON, since it is a member of a row. */
interface OpsRun extends Omit<
  ReplayRun,
  'missing' | 'endpoint_id' | 'from_at' | 'to_at' | 'created_at' | 'finished_at'
> {
  tenant_id: string | null;
  slug: string | null;
  operator: string | null;
  reason: string | null;
  per_second: number | null;
  from_at: Date | null;
  to_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
}

const COLUMNS = `(run).id, (run).status, (run).dry_run, (run).statuses, (run).module, (run).event_type, (run).from_at,
  (run).to_at, (run).max_deliveries, (run).matched, (run).replayed, (run).skipped, (run).created_at, (run).finished_at,
  (run).tenant_id, (run).operator, (run).reason, (run).per_second, slug`;

/** Replays by filter, of one tenant or of all: the tenants' replay runs, with a rate, a maximum and a reason. */
export class ReplayActions {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  get actions(): OpsAction[] {
    const one = '/ops/replays/(?<id>[^/]+)';
    return [
      {
        method: 'GET',
        path: /^\/ops\/replays$/,
        about: 'replay runs, newest first, the tenants’ own among them',
        handle: (request) => this.list(request),
      },
      {
        method: 'POST',
        path: /^\/ops\/replays$/,
        about: 'send again what matches, at a rate; dry_run only counts',
        handle: (request) => this.order(request),
      },
      {
        method: 'GET',
        path: new RegExp(`^${one}$`),
        about: 'how far a run is',
        handle: async ({ params }) => ({ status: 200, body: runView(await this.find(params.id)) }),
      },
      {
        method: 'POST',
        path: new RegExp(`^${one}/cancel$`),
        about: 'put nothing more back in line',
        handle: (request) => this.turn(request, 'running', 'cancelled'),
      },
      {
        method: 'POST',
        path: new RegExp(`^${one}/resume$`),
        about: 'let a cancelled run go on from where it stood',
        handle: (request) => this.turn(request, 'cancelled', 'running'),
      },
    ];
  }

  private async list({ query }: OpsRequest): Promise<OpsAnswer> {
    const fields = OpsFields.ofQuery(query, ['status', 'limit', 'cursor']);
    const [before] = fields.cursor([(key) => typeof key === 'string' && isUuid(key)]) ?? [];
    const limit = fields.limit();
    const rows = await this.runs({
      status: fields.choice('status', REPLAY_RUN_STATUSES),
      before: before as string | undefined,
      limit: limit + 1,
    });
    return { status: 200, body: opsPage(rows, limit, (run) => [run.id], runView) };
  }

  private async order({ body, operator }: OpsRequest): Promise<OpsAnswer> {
    const fields = await OpsFields.ofBody(body, MEMBERS);
    const id = uuidv7();
    const run = { id, operator, ...(await this.ordered(fields)) };
    await this.database.transaction(async (tx) => {
      await tx.query('select platform.ops_order_replay($1)', [JSON.stringify(run)]);
      const ordered = runView(await this.find(typeId('run', id), tx));
      const { matched, max, rate, filter, reason } = ordered;
      await recordAct(tx, {
        type: run.dry_run ? 'replay.counted' : 'replay.started',
        operator,
        tenantId: run.tenant_id,
        data: { run_id: ordered.id, matched, max, rate, filter, reason },
      });
    });
    if (!run.dry_run) this.queues.hint('webhook-replay', { v: 1, run_id: id }, `run-${id}`);
    return { status: 202, body: runView(await this.find(typeId('run', id))) };
  }

  /** What a run is to do. Throws OpsRefusal. */
  private async ordered(fields: OpsFields) {
    const statuses = fields.choices('status', FROM) ?? ['failed'];
    const from = fields.instant('since');
    const to = fields.instant('until');
    if (from && to && from >= to) throw new OpsRefusal(400, 'until in the body must be after since.');
    return {
      dry_run: fields.flag('dry_run') ?? false,
      statuses,
      module: fields.choice('module', EVENT_MODULES),
      event_type: fields.text('event_type', { max: 100 }),
      from_at: from?.toISOString(),
      to_at: to?.toISOString(),
      max_deliveries: fields.whole('max', { min: 1, max: MAX }) ?? DEFAULT_MAX,
      per_second: fields.whole('rate', { min: 1, max: MAX_RATE }),
      reason: fields.reason(),
      tenant_id: await this.target(fields, statuses),
    };
  }

  /** Whose deliveries: a tenant's, or everybody's (null). */
  private async target(fields: OpsFields, statuses: readonly string[]): Promise<string | null> {
    const all = fields.flag('all_tenants') === true;
    if (all === (fields.text('tenant') !== undefined)) {
      throw new OpsRefusal(400, 'Give either tenant (a slug or an id) or all_tenants: true in the body.');
    }
    if (all && statuses.includes('delivered')) {
      throw new OpsRefusal(
        400,
        'Across all tenants only what failed is sent again: name a tenant to repeat what was delivered.',
      );
    }
    return (await tenantIn(this.database, fields))?.id ?? null;
  }

  private async turn(
    { params, body, operator }: OpsRequest,
    from: 'running' | 'cancelled',
    to: 'cancelled' | 'running',
  ): Promise<OpsAnswer> {
    const reason = (await OpsFields.ofBody(body, ['reason'])).reason();
    const { id, status, tenant_id } = await this.find(params.id);
    await this.database.transaction(async (tx) => {
      const [turned] = await tx.query<{ done: boolean | null }>('select platform.ops_turn_replay($1, $2, $3) as done', [
        id,
        from,
        to,
      ]);
      if (turned?.done !== true) {
        throw new OpsRefusal(409, `The run is ${status}: only one that is ${from}, and no dry run, becomes ${to}.`);
      }
      const { id: run_id, replayed, matched } = runView(await this.find(typeId('run', id), tx));
      const type = to === 'cancelled' ? 'replay.cancelled' : 'replay.resumed';
      await recordAct(tx, { type, operator, tenantId: tenant_id, data: { run_id, replayed, matched, reason } });
    });
    if (to === 'running') this.queues.hint('webhook-replay', { v: 1, run_id: id }, `run-${id}`);
    return { status: 200, body: runView(await this.find(params.id)) };
  }

  private async find(id = '', tx: Pick<Tx, 'query'> = this.database): Promise<OpsRun> {
    const uuid = uuidOf('run', id);
    const [run] = uuid === null ? [] : await this.runs({ id: uuid, limit: 1 }, tx);
    if (!run) throw new OpsRefusal(404, 'There is no replay run of this id: GET /ops/replays lists them.');
    return run;
  }

  private runs(
    filter: { id?: string; status?: string | undefined; before?: string | undefined; limit: number },
    tx: Pick<Tx, 'query'> = this.database,
  ): Promise<OpsRun[]> {
    const { id = null, status = null, before = null, limit } = filter;
    return tx.query<OpsRun>(`select ${COLUMNS} from platform.ops_replays($1, $2, $3, $4)`, [id, status, before, limit]);
  }
}

function runView(run: OpsRun) {
  return {
    id: typeId('run', run.id),
    status: run.status,
    dry_run: run.dry_run,
    matched: run.matched,
    replayed: run.replayed,
    skipped: run.skipped,
    /** null: the dispatcher's own rate. */
    rate: run.per_second,
    max: run.max_deliveries,
    filter: {
      tenant_id: run.tenant_id,
      slug: run.slug,
      all_tenants: run.tenant_id === null,
      status: run.statuses,
      module: run.module,
      event_type: run.event_type,
      since: run.from_at?.toISOString() ?? null,
      until: run.to_at?.toISOString() ?? null,
    },
    operator: run.operator,
    reason: run.reason,
    created_at: run.created_at.toISOString(),
    finished_at: run.finished_at?.toISOString() ?? null,
  };
}
