import {
  answer,
  ApiOptional,
  Caller,
  IsLine,
  keysOfCursor,
  NoQuery,
  OpsAnswer,
  OpsController,
  OpsOperation,
  OpsPageQuery,
  page as pageOf,
} from '@constancia/http';
import { isUuid, typeId, uuidOf } from '@constancia/kernel';
import { Database, recordAct } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { type OpsCaller, type StoryLine, timeline } from '@constancia/telemetry';
import { Get, Param, Query } from '@nestjs/common';
import type { ReviewCase } from '../case-records/review-case.entity.ts';
import { TimelineArchives } from '../cases/archive/timeline-archives.ts';
import { ArchivedScreenings } from '../screenings/archive/archived-screenings.ts';
import type { Screening } from '../screenings/screening.entity.ts';
import { CASE, LAG, OVERDUE, SCREENING } from './case-answers.ts';

type OverdueRow = Pick<
  ReviewCase,
  'id' | 'tenant_id' | 'priority' | 'status' | 'due_at' | 'assignee' | 'opened_at' | 'escalated_at'
>;

// prettier-ignore
type ScreeningRow = Pick<
  Screening,
  | 'id' | 'tenant_id' | 'validation_code' | 'validation_version' | 'trigger' | 'request_id' | 'decision' | 'score'
  | 'list_versions' | 'case_id' | 'credits_debited' | 'created_at'
> & { lists: string[] };

interface CaseRow extends Pick<
  ReviewCase,
  'id' | 'tenant_id' | 'status' | 'priority' | 'screening_id' | 'opened_at' | 'due_at' | 'resolved_at'
> {
  events: { at: Date | string; type: string; from: string | null; to: string | null }[];
}

const HOUR_MS = 3_600_000;
const isInstant = (key: string | number) => typeof key === 'string' && !Number.isNaN(Date.parse(key));
const isId = (key: string | number) => typeof key === 'string' && isUuid(key);

class OverdueQuery extends OpsPageQuery {
  @ApiOptional({ description: 'Why: needed to see who the cases are assigned to.' })
  @IsLine(500)
  reason?: string;
}

/** What operators see of cases and screenings. */
@OpsController('ops')
export class CaseActions {
  constructor(
    private readonly database: Database,
    private readonly archived: ArchivedScreenings,
    private readonly timelines: TimelineArchives,
  ) {}

  /** Assignees are names of people: reading them requires a reason, which the audit log records. */
  @Get('cases/overdue')
  @OpsOperation('cases past their time, the longest overdue first; who they are assigned to only with a reason')
  @OpsAnswer(200, answer.page(OVERDUE))
  async listOverdueCases(@Query() query: OverdueQuery, @Caller() { name: operator }: OpsCaller) {
    const { reason, limit } = query;
    const [due, id] = keysOfCursor(query, [isInstant, isId]) ?? [];
    const rows = await this.database.query<OverdueRow>('select * from compliance.ops_overdue_cases($1, $2, $3)', [
      due ?? null,
      id ?? null,
      limit + 1,
    ]);
    if (reason !== undefined) {
      const data = { reason, cases: rows.length };
      await this.database.transaction((tx) => recordAct(tx, { type: 'case.assignees_seen', operator, data }));
    }
    const { data, next_cursor } = pageOf(rows, limit, (row) => [row.due_at.toISOString(), row.id]);
    const now = Date.now();
    return { data: data.map((row) => overdueView(row, now, reason !== undefined)), next_cursor };
  }

  @Get('lag')
  @OpsOperation('what waits here: rescreens and overdue cases')
  @OpsAnswer(200, LAG)
  async showLag(@Query() _query: NoQuery) {
    const rows = await this.database.query<{ kind: string; open: number; oldest_seconds: number }>(
      'select * from compliance.ops_work()',
    );
    return {
      work: rows.map((row) => ({ module: 'compliance', ...row, oldest_seconds: Math.round(row.oldest_seconds) })),
    };
  }

  @Get('story/:id')
  @OpsOperation('what became of a screening (scr_…), a case (cas_…) or an identity step (stp_…)')
  @OpsAnswer(200, { anyOf: [SCREENING, CASE] })
  async showStory(@Param('id') id: string, @Query() _query: NoQuery) {
    const caseId = uuidOf('cas', id);
    const found =
      caseId === null ? await this.screening(uuidOf('scr', id), uuidOf('stp', id)) : await this.case(caseId);
    if (found) return found;
    throw new NotFound(
      'Compliance knows no screening (scr_…), case (cas_…) or request of an identity step (stp_…) of this id.',
    );
  }

  private async screening(id: string | null, requestId: string | null) {
    if (id === null && requestId === null) return undefined;
    const [row] = await this.database.query<ScreeningRow>('select * from compliance.ops_screening($1, $2)', [
      id,
      requestId,
    ]);
    if (!row) return id === null ? undefined : this.archivedScreening(id);
    const opened = row.case_id === null ? undefined : await this.caseRow(row.case_id);
    return screeningView(row, opened);
  }

  private async archivedScreening(id: string) {
    const [known] = await this.database.query<{ tenant_id: string }>(
      'select tenant_id from compliance.ops_archived_screenings($1)',
      [[id]],
    );
    const [found] = known ? await this.archived.many(known.tenant_id, [id]) : [];
    if (!found) return undefined;
    const { row, archive } = found;
    const opened = row.case_id === null ? undefined : await this.caseRow(row.case_id);
    const moved = {
      at: archive.archived_at.toISOString(),
      where: 'compliance',
      what: 'archived',
      detail: archive.object_key,
    };
    return screeningView({ ...row, lists: row.list_hits }, opened, moved);
  }

  private async case(id: string) {
    const row = await this.caseRow(id);
    return row && caseView(row);
  }

  private async caseRow(id: string): Promise<CaseRow | undefined> {
    const [row] = await this.database.query<CaseRow>('select * from compliance.ops_case($1)', [id]);
    if (!row || row.events[0]?.type === 'opened') return row;
    const archived = await this.timelines.events(row.tenant_id, id);
    return { ...row, events: [...archived, ...row.events] };
  }
}

function overdueView(row: OverdueRow, now: number, isNamed: boolean) {
  return {
    id: typeId('cas', row.id),
    tenant_id: row.tenant_id,
    severity: row.priority,
    status: row.status,
    due_at: row.due_at.toISOString(),
    hours_over: Math.floor((now - row.due_at.getTime()) / HOUR_MS),
    assignee: isNamed ? row.assignee : null,
    opened_at: row.opened_at.toISOString(),
    escalated_at: row.escalated_at?.toISOString() ?? null,
  };
}

function screeningView(row: ScreeningRow, opened: CaseRow | undefined, moved?: StoryLine) {
  const detail = `${row.decision}, score ${row.score}, lists hit: ${row.lists.join(', ') || 'none'}, ${row.credits_debited} credits`;
  const screened = { at: row.created_at.toISOString(), where: 'compliance', what: 'screened', detail };
  return {
    id: typeId('scr', row.id),
    kind: 'screening',
    tenant_id: row.tenant_id,
    validation: `${row.validation_code} v${row.validation_version}`,
    trigger: row.trigger,
    step_run_id: row.request_id && typeId('stp', row.request_id),
    decision: row.decision,
    score: row.score,
    list_hits: row.lists,
    list_versions: row.list_versions,
    credits_debited: row.credits_debited,
    case_id: row.case_id && typeId('cas', row.case_id),
    created_at: row.created_at.toISOString(),
    timeline: timeline([screened, ...(opened ? linesOf(opened) : []), ...(moved ? [moved] : [])]),
  };
}

function caseView(row: CaseRow) {
  return {
    id: typeId('cas', row.id),
    kind: 'case',
    tenant_id: row.tenant_id,
    status: row.status,
    severity: row.priority,
    screening_id: typeId('scr', row.screening_id),
    opened_at: row.opened_at.toISOString(),
    due_at: row.due_at.toISOString(),
    resolved_at: row.resolved_at?.toISOString() ?? null,
    timeline: linesOf(row),
  };
}

const linesOf = ({ events, id }: CaseRow): StoryLine[] =>
  events.map(({ at, type, from, to }) => ({
    at: new Date(at).toISOString(),
    where: 'compliance',
    what: type,
    detail: [typeId('cas', id), from === to ? to : `${from ?? 'new'} → ${to ?? '–'}`].filter(Boolean).join(', '),
  }));
