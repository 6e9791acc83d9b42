import { typeId } from '@constancia/kernel';
import type { StoryLine } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity/identity-database.ts';
import type { FlowSessionRow } from '../identity/sessions/flow-session.entity.ts';
import { SessionTrailArchives } from '../identity/sessions/archive/session-trail-archives.ts';
import type { SessionEvent } from '../identity/sessions/session-event.entity.ts';
import type { TrailEvent } from '../identity/sessions/session-trail.ts';
import type { StepRun } from '../identity/sessions/step-run.entity.ts';

/** A row of identity.ops_session. */
type SessionRow = Pick<
  FlowSessionRow,
  | 'id'
  | 'tenant_id'
  | 'flow_id'
  | 'status'
  | 'rejection_reason'
  | 'case_id'
  | 'created_at'
  | 'expires_at'
  | 'completed_at'
> & { current_step: string | null };

/** A row of identity.ops_session_trail. */
type TrailRow = Pick<SessionEvent, 'seq' | 'at' | 'type' | 'step' | 'from' | 'to'> & {
  data: Record<string, string> | null;
};

/** A row of identity.ops_step_runs. */
type RunRow = Pick<
  StepRun,
  'id' | 'step_type' | 'attempt' | 'status' | 'outcome' | 'reason' | 'claims' | 'created_at' | 'finished_at'
>;

/** What is known of one flow session. */
export interface SessionStory {
  session: SessionRow;
  runs: RunRow[];
  timeline: StoryLine[];
}

/** How flow sessions went: steps, work and outcomes, without whom they were about. */
@Injectable()
export class SessionStories {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly archives: SessionTrailArchives,
  ) {}

  /** Undefined when there is no such session. */
  async find(id: string): Promise<SessionStory | undefined> {
    const [[session], trail, runs] = await Promise.all([
      this.database.query<SessionRow>('select * from identity.ops_session($1)', [id]),
      this.database.query<TrailRow>('select * from identity.ops_session_trail($1)', [id]),
      this.database.query<RunRow>('select * from identity.ops_step_runs($1)', [id]),
    ]);
    if (!session) return undefined;
    const archived = trail[0]?.seq === 1 ? [] : await this.archives.events(session.tenant_id, id);
    const rows = [...archived.map(shownOfEvent), ...trail];
    return { session, runs, timeline: [...rows.map(trailLine), ...runs.flatMap(runLines)] };
  }

  /** The newest of a subject, newest first. */
  async ofSubject(subjectId: string, limit: number): Promise<SessionStory[]> {
    const rows = await this.database.query<{ id: string }>('select id from identity.ops_subject_sessions($1, $2)', [
      subjectId,
      limit,
    ]);
    const stories = await Promise.all(rows.map(({ id }) => this.find(id)));
    return stories.filter((story) => story !== undefined);
  }
}

export function sessionView({ session, runs }: SessionStory) {
  return {
    id: typeId('fls', session.id),
    kind: 'flow_session',
    tenant_id: session.tenant_id,
    flow_id: typeId('flw', session.flow_id),
    status: session.status,
    current_step: session.current_step,
    rejection_reason: session.rejection_reason,
    case_id: session.case_id,
    created_at: session.created_at.toISOString(),
    expires_at: session.expires_at.toISOString(),
    completed_at: session.completed_at?.toISOString() ?? null,
    step_runs: runs.map(({ id, step_type, attempt, status, outcome, reason, claims }) => ({
      id: typeId('stp', id),
      ...{ step_type, attempt, status, outcome, reason, claims },
    })),
  };
}

/** Words, numbers and ids of the service's own, as ops_session_trail answers them. */
const SHOWN = /^[a-z0-9_.]{1,60}$/;

function shownOfEvent({ seq, at, type, step, from, to, data }: TrailEvent): TrailRow {
  const plain = Object.entries(data).filter(([, value]) => value !== null && typeof value !== 'object');
  const members = plain.map(([name, value]) => [name, String(value)] as const);
  const isShown = ([name, value]: readonly [string, string]) =>
    SHOWN.test(value) && (type !== 'reviewed' || name === 'decision');
  return { seq, at: new Date(at), type, step, from, to, data: Object.fromEntries(members.filter(isShown)) };
}

function trailLine({ at, type, step, from, to, data }: TrailRow): StoryLine {
  const members = Object.entries(data ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .sort();
  const moved = from === to ? to : `${from ?? 'new'} → ${to}`;
  return {
    at: at.toISOString(),
    where: 'identity',
    what: type,
    detail: [step, moved, ...members].filter(Boolean).join(', '),
  };
}

function runLines(run: RunRow): StoryLine[] {
  const id = typeId('stp', run.id);
  const line = (at: Date, what: string, detail: string) => ({ at: at.toISOString(), where: 'step-run', what, detail });
  const lines = [line(run.created_at, 'started', `${run.step_type}, attempt ${run.attempt}, ${id}`)];
  if (run.finished_at) {
    const outcome = [run.outcome, run.reason].filter(Boolean).join(': ');
    lines.push(line(run.finished_at, 'finished', `${outcome}, claimed ${run.claims} times, ${id}`));
  }
  return lines;
}
