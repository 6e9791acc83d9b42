import {
  answer,
  beforeId,
  beginOf,
  Caller,
  NoQuery,
  OpsAnswer,
  OpsController,
  OpsOperation,
  page,
  ReasonBody,
  tenantNamed,
} from '@constancia/http';
import { BadRequest, NotFound, StateConflict } from '@constancia/problem-json';
import { type OpsCaller } from '@constancia/telemetry';
import { Body, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { RUN } from './delivery-answers.ts';
import { typeId, uuidOf, uuidv7 } from '@constancia/kernel';
import { Database, recordAct, type Tx } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { DEFAULT_MAX } from '../webhook-replays/replay-run-view.ts';
import type { ReplayRun } from '../webhook-replays/replay-run.entity.ts';
import { ReplayBody, ReplaysQuery } from './replay-requests.ts';

/** A run as operators see it. */
type OpsRun = Omit<ReplayRun, 'missing' | 'endpoint_id' | 'cursor_event_id' | 'cursor_id' | 'next_slice_at'> & {
  slug: string | null;
};

const COLUMNS = `(run).id, (run).status, (run).dry_run, (run).statuses, (run).module, (run).event_type, (run).from_at,
  (run).to_at, (run).max_deliveries, (run).matched, (run).replayed, (run).skipped, (run).created_at, (run).finished_at,
  (run).tenant_id, (run).operator, (run).reason, (run).per_second, slug`;

/** A change of a run by an operator. */
interface Turn {
  from: 'running' | 'cancelled';
  to: 'cancelled' | 'running';
  reason: string;
  operator: string;
}

/** Replays by filter, of one tenant or of all: the tenants' replay runs, with a rate, a maximum and a reason. */
@OpsController('ops/replays')
export class ReplayActions {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  @Get()
  @OpsOperation('replay runs, newest first, the tenants’ own among them')
  @OpsAnswer(200, answer.page(RUN))
  async listReplays(@Query() query: ReplaysQuery) {
    const { status, limit } = query;
    const rows = await this.runs({ status, before: beforeId(query), limit: limit + 1 });
    const { data, next_cursor } = page(rows, limit, (run) => [run.id]);
    return { data: data.map(runView), next_cursor };
  }

  @Post()
  @HttpCode(202)
  @OpsOperation('send again what matches, at a rate; dry_run only counts')
  @OpsAnswer(202, RUN)
  async orderReplay(@Body() body: ReplayBody, @Caller() { name: operator }: OpsCaller) {
    const id = uuidv7();
    const run = { id, operator, ...(await this.ordered(body)) };
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
    return runView(await this.find(typeId('run', id)));
  }

  @Get(':id')
  @OpsOperation('how far a run is')
  @OpsAnswer(200, RUN)
  async showReplay(@Param('id') id: string, @Query() _query: NoQuery) {
    return runView(await this.find(id));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @OpsOperation('stop a replay run')
  @OpsAnswer(200, RUN)
  cancelReplay(@Param('id') id: string, @Body() body: ReasonBody, @Caller() caller: OpsCaller) {
    return this.turn(id, { from: 'running', to: 'cancelled', reason: body.reason, operator: caller.name });
  }

  @Post(':id/resume')
  @HttpCode(200)
  @OpsOperation('let a cancelled run go on from where it stood')
  @OpsAnswer(200, RUN)
  resumeReplay(@Param('id') id: string, @Body() body: ReasonBody, @Caller() caller: OpsCaller) {
    return this.turn(id, { from: 'cancelled', to: 'running', reason: body.reason, operator: caller.name });
  }

  /** What a run is to do. Throws BadRequest. */
  private async ordered(body: ReplayBody) {
    const { status: statuses = ['failed'], dry_run = false, module, event_type, max, rate, reason } = body;
    const from = beginOf(body.since);
    const to = beginOf(body.until);
    if (from && to && from >= to) throw new BadRequest('until in the body must be after since.');
    return {
      ...{ dry_run, statuses, module, event_type, reason },
      from_at: from?.toISOString(),
      to_at: to?.toISOString(),
      max_deliveries: max ?? DEFAULT_MAX,
      per_second: rate,
      tenant_id: await this.target(body, statuses),
    };
  }

  /** Whose deliveries: a tenant's, or everybody's (null). */
  private async target({ tenant, all_tenants: all = false }: ReplayBody, statuses: readonly string[]) {
    if (all === (tenant !== undefined)) {
      throw new BadRequest('Give either tenant (a slug or an id) or all_tenants: true in the body.');
    }
    if (all && statuses.includes('delivered')) {
      throw new BadRequest(
        'Across all tenants only what failed is sent again: name a tenant to repeat what was delivered.',
      );
    }
    return (await tenantNamed(this.database, tenant))?.id ?? null;
  }

  private async turn(shownId: string, { from, to, reason, operator }: Turn) {
    const { id, status, tenant_id } = await this.find(shownId);
    await this.database.transaction(async (tx) => {
      const [turned] = await tx.query<{ done: boolean | null }>('select platform.ops_turn_replay($1, $2, $3) as done', [
        id,
        from,
        to,
      ]);
      if (turned?.done !== true) {
        throw new StateConflict(`The run is ${status}: only one that is ${from}, and no dry run, becomes ${to}.`);
      }
      const { id: run_id, replayed, matched } = runView(await this.find(typeId('run', id), tx));
      const type = to === 'cancelled' ? 'replay.cancelled' : 'replay.resumed';
      await recordAct(tx, { type, operator, tenantId: tenant_id, data: { run_id, replayed, matched, reason } });
    });
    if (to === 'running') this.queues.hint('webhook-replay', { v: 1, run_id: id }, `run-${id}`);
    return runView(await this.find(shownId));
  }

  private async find(id: string, tx: Pick<Tx, 'query'> = this.database): Promise<OpsRun> {
    const uuid = uuidOf('run', id);
    const [run] = uuid === null ? [] : await this.runs({ id: uuid, limit: 1 }, tx);
    if (!run) throw new NotFound('There is no replay run of this id: GET /ops/replays lists them.');
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
