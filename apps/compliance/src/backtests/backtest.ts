import { typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Conflict } from '@constancia/problem-json';
import type { CompiledValidation, Decision, Evaluation, Facts, SubjectType } from '@constancia/rule-graph';
import { Injectable } from '@nestjs/common';
import { archivedUntil } from '../screenings/archive/archived-screenings.ts';
import { failingClosed } from '../screenings/assess.ts';
import { daysAskedFor, type EarlierScreening, historyOf } from '../screenings/screening-history.ts';
import { type MaybeSealed, openScreening, SEALED_FACTS, SUBJECT_KEY } from '../screenings/sealed-screening.ts';
import { BACKTEST_LIMITS, type BacktestView } from './backtest-view.ts';

/** Which stored screenings are evaluated again. Bounds are UUIDv7s; `to` is left out. */
export interface BacktestRange {
  code: string;
  from: string | null;
  to: string | null;
  max: number;
}

/** The rules that are tried. */
export interface TriedRules {
  compiled: CompiledValidation;
  ruleCodes: string[];
}

interface StoredFacts {
  id: string;
  subject_ref: string;
  subject_type: SubjectType;
  decision: Decision;
  score: number;
  facts: Facts;
  names_not_compared: string[];
  earlier: EarlierScreening[] | null;
}

/** Screenings that are read and evaluated between two turns of the event loop. */
const BATCH = 250;
const DEADLINE_MS = 20_000;

const earlierIn = (table: string) => `
  (select p.id, p.decision, p.trigger, p.created_at from compliance.${table} p
    where p.tenant_id = c.tenant_id and p.subject_ref = c.subject_ref and p.subject_type = c.subject_type
      and p.id < c.id and p.created_at >= c.created_at - make_interval(days => $5 + 1)
    order by p.id desc limit 1000)`;

/** $5: how many days back the tried rules look; the stored facts go only as far as the rules of their time did. */
const NEXT = `
  select c.id, c.subject_ref, c.subject_type, c.decision, c.score, c.facts, c.names_not_compared,
         ${SEALED_FACTS}, ${SUBJECT_KEY},
         case when $5 > 0 then (
           select coalesce(jsonb_agg(jsonb_build_object('decision', e.decision, 'trigger', e.trigger, 'at', e.created_at) order by e.id), '[]')
             from (${earlierIn('screening')} union all ${earlierIn('archived_screening')} order by id desc limit 1000) e) end as earlier
    from compliance.screening c
   where c.tenant_id = $1 and c.validation_code = $2 and ($3::uuid is null or c.id >= $3) and ($4::uuid is null or c.id < $4)
   order by c.id desc limit $6`;

/** Evaluates stored screenings by other rules, from what was stored with them; nothing is matched, written or charged. */
@Injectable()
export class Backtest {
  private readonly busy = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
  ) {}

  /** One at a time for each tenant: throws Conflict for a second one. */
  async run(tenantId: string, rules: TriedRules, range: BacktestRange): Promise<BacktestView> {
    if (this.busy.has(tenantId)) {
      throw new Conflict('A backtest of yours is running: wait for it.', {}, { 'Retry-After': '5' });
    }
    this.busy.add(tenantId);
    try {
      return await this.tally(tenantId, rules, range);
    } finally {
      this.busy.delete(tenantId);
    }
  }

  private async tally(
    tenantId: string,
    { compiled, ruleCodes }: TriedRules,
    range: BacktestRange,
  ): Promise<BacktestView> {
    const keyring = await this.personal.tenant(tenantId);
    const days = daysAskedFor(compiled.needs);
    const tally = new Tally(ruleCodes);
    const until = Date.now() + DEADLINE_MS;
    let before = range.to;
    for (;;) {
      const wanted = Math.min(BATCH, range.max - tally.view.screenings);
      const params = [tenantId, range.code, range.from, before, days, wanted];
      const rows =
        wanted === 0
          ? []
          : await this.database.tenant(tenantId, (tx) => tx.query<StoredFacts & MaybeSealed>(NEXT, params));
      for (const row of rows) tally.add(row, evaluated(openScreening(keyring, row), compiled));
      const isComplete = rows.length < BATCH;
      if (isComplete || Date.now() > until) return this.total(tenantId, tally, isComplete);
      before = rows.at(-1)?.id ?? null;
    }
  }

  /** Asked last: what was archived meanwhile was not evaluated either. */
  private async total(tenantId: string, tally: Tally, isComplete: boolean): Promise<BacktestView> {
    const archived = await this.database.tenant(tenantId, (tx) => archivedUntil(tx, tenantId));
    return { ...tally.total(isComplete), archived_until: archived?.toISOString() ?? null };
  }
}

function evaluated({ facts, earlier, names_not_compared }: StoredFacts, compiled: CompiledValidation): Evaluation {
  const known = earlier === null ? facts : { ...facts, history: historyOf(earlier) };
  return failingClosed(compiled.evaluate(known), names_not_compared);
}

class Tally {
  readonly view: BacktestView;
  private readonly cases = new Set<string>();

  constructor(ruleCodes: string[]) {
    this.view = {
      screenings: 0,
      complete: true,
      before: { approve: 0, review: 0, reject: 0 },
      after: { approve: 0, review: 0, reject: 0 },
      changed_count: 0,
      changed: [],
      rule_hits: Object.fromEntries(ruleCodes.map((code) => [code, 0])),
      archived_until: null,
      expected_cases: 0,
    };
  }

  add(row: StoredFacts, { decision, score, findings }: Evaluation): void {
    const { view } = this;
    view.screenings += 1;
    view.before[row.decision] += 1;
    view.after[decision] += 1;
    for (const code of new Set(findings.map(({ rule_code }) => rule_code))) {
      view.rule_hits[code] = (view.rule_hits[code] ?? 0) + 1;
    }
    if (decision !== 'approve') this.cases.add(`${row.subject_type} ${row.subject_ref}`);
    if (decision === row.decision) return;
    view.changed_count += 1;
    if (view.changed.length === BACKTEST_LIMITS.changed) return;
    view.changed.push({
      screening_id: typeId('scr', row.id),
      subject_ref: row.subject_ref,
      subject_type: row.subject_type,
      before: { decision: row.decision, score: row.score },
      after: { decision, score },
    });
  }

  total(complete: boolean): BacktestView {
    return { ...this.view, complete, expected_cases: this.cases.size };
  }
}
