import {
  type Idempotency,
  type IdempotentRequest,
  RequestStillRunningError,
  type StoredResponse,
  type StoredRow,
} from '@constancia/idempotency';
import { Coalescer, retry } from '@constancia/kernel';
import { type Database, DatabaseUnavailableError, isUnavailable, sqlState } from '@constancia/persistence';
import { BalanceBusyError, InsufficientCreditsError } from './errors.ts';
import { byTenant, groupWrites, splitRepeatedKeys } from './unit-groups.ts';
import { type Debit, unitBytes, type WorkUnit } from './work-unit.ts';

/** A unit that was not carried out. */
interface UndoneRow extends StoredRow {
  /** From 1. */
  place: number;
  outcome: 'replayed' | 'insufficient';
}

type Outcome = 'committed' | UndoneRow | Error;

const MAX_BATCH = 256;
/** Bytes of JSON: a batch is built as text here and read as jsonb (at most 256 MB a string) by the store. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/**
 * Carries out chargeable work: debit, records, events and the idempotent answer commit together or not at all.
 *
 * Units that arrive while a batch is under way share the next one (group commit), so one busy tenant is not limited to one
 * commit per disk flush. A unit that breaks a constraint fails alone: its batch is then run unit by unit.
 */
export class ChargedWork {
  private readonly coalescer: Coalescer<WorkUnit, Outcome>;

  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly idempotency: Idempotency,
    /** Called for every debit that was committed. */
    private readonly onDebit: (module: string) => void = () => undefined,
  ) {
    this.coalescer = new Coalescer((units) => this.runBatch(units), {
      maxBatch: MAX_BATCH,
      maxConcurrent: 2,
      weight: unitBytes,
      maxWeight: MAX_BATCH_BYTES,
    });
  }

  /**
   * Commits one unit. Answers null when it was carried out now, the stored answer when its Idempotency-Key was used before.
   * Throws InsufficientCreditsError, KeyReusedError, RequestStillRunningError, AnswerErasedError, BalanceBusyError,
   * DatabaseUnavailableError, and the database's own error when a constraint is broken.
   */
  async commit(unit: WorkUnit): Promise<StoredResponse | null> {
    const outcome = await this.coalescer.submit(unit);
    if (outcome instanceof Error) throw outcome;
    if (outcome === 'committed') {
      if (unit.debit) this.onDebit(unit.debit.module);
      return null;
    }
    if (outcome.outcome === 'replayed') {
      return this.idempotency.answerOf(null, unit.tenantId, unit.idempotency as IdempotentRequest, outcome);
    }
    throw new InsufficientCreditsError((unit.debit as Debit).amount);
  }

  /**
   * Commits units without an Idempotency-Key in one transaction of their own, apart from the batches of other callers, which need not wait
   * for them. Answers for each of them null, or what commit() would throw; one that breaks a constraint fails alone.
   */
  async commitTogether(units: readonly WorkUnit[]): Promise<(Error | null)[]> {
    if (units.length === 0) return [];
    const outcomes = await this.runBatch([...units]);
    return outcomes.map((outcome, nth) => {
      if (outcome instanceof Error) return outcome;
      const { debit } = units[nth] as WorkUnit;
      if (outcome !== 'committed') return new InsufficientCreditsError((debit as Debit).amount);
      if (debit) this.onDebit(debit.module);
      return null;
    });
  }

  /**
   * The answer to an earlier request with this Idempotency-Key, for work that cannot be done now and may have been done before;
   * null when the key is not in use. Throws KeyReusedError.
   */
  async earlierAnswer(tenantId: string, request: IdempotentRequest): Promise<StoredResponse | null> {
    return this.database.tenant(tenantId, (tx) => this.idempotency.find(tx, tenantId, request));
  }

  private async runBatch(units: WorkUnit[]): Promise<Outcome[]> {
    const [first, repeated] = splitRepeatedKeys(units);
    const outcomes = new Map<WorkUnit, Outcome>();
    await this.runDistinct(first, outcomes);
    for (const unit of repeated) await this.runDistinct([unit], outcomes);
    return units.map((unit) => outcomes.get(unit) as Outcome);
  }

  private async runDistinct(units: WorkUnit[], outcomes: Map<WorkUnit, Outcome>): Promise<void> {
    try {
      const undone = await this.send(units);
      for (const unit of units) outcomes.set(unit, 'committed');
      for (const row of undone) outcomes.set(units[row.place - 1] as WorkUnit, row);
    } catch (error) {
      const stuck = lockTimeout(error) && byTenant(units).length === 1;
      if (units.length === 1 || stuck || error instanceof DatabaseUnavailableError || isUnavailable(error)) {
        for (const unit of units) outcomes.set(unit, stuck ? busy(unit, error) : (error as Error));
        return;
      }
      if (lockTimeout(error)) await Promise.all(byTenant(units).map((part) => this.runDistinct(part, outcomes)));
      else for (const unit of units) await this.runDistinct([unit], outcomes);
    }
  }

  private send(units: WorkUnit[]): Promise<UndoneRow[]> {
    const params = [...this.unitColumns(units), ...effectsOf(units)];
    const sql = `select * from ${this.schema}.commit_work_v2(${params.map((_, nth) => `$${nth + 1}`).join(', ')})`;
    return retry(() => this.database.prepared<UndoneRow>(`${this.schema}.commit_work_v2`, sql, params), {
      pauseMs: (error, attempt) => (attempt < 4 && ['40P01', '40001'].includes(sqlState(error) ?? '') ? 0 : null),
    });
  }

  /** p_tenants to p_amounts. */
  private unitColumns(units: WorkUnit[]): unknown[][] {
    const answers = units.map(({ tenantId, idempotency: claim }) => ({
      key: claim?.key,
      fingerprint: claim?.fingerprint,
      ...(claim && this.idempotency.columnsOf(tenantId, claim.key, claim.response, claim)),
    }));
    const debits = units.map(({ debit }) => debit);
    return [
      units.map(({ tenantId }) => tenantId),
      answers.map(({ key }) => key),
      answers.map(({ fingerprint }) => fingerprint),
      answers.map(({ status }) => status),
      answers.map(({ headers }) => headers),
      answers.map(({ body }) => body),
      answers.map(({ sealed }) => sealed),
      debits.map((debit) => debit?.module),
      debits.map((debit) => debit?.refType),
      debits.map((debit) => debit?.refId),
      debits.map((debit) => debit?.amount),
    ];
  }
}

/** p_writes to p_event_traceparents. */
function effectsOf(units: WorkUnit[]): unknown[] {
  const calls = units.flatMap((unit, nth) => (unit.calls ?? []).map((call) => ({ place: nth + 1, ...call })));
  const events = units.flatMap((unit, nth) => (unit.events ?? []).map((event) => ({ place: nth + 1, ...event })));
  return [
    JSON.stringify(groupWrites(units)),
    JSON.stringify(calls),
    events.map(({ place }) => place),
    events.map(({ event_id }) => event_id),
    events.map(({ module }) => module),
    events.map(({ event_type }) => event_type),
    events.map(({ occurred_at }) => occurred_at),
    events.map(({ body }) => body),
    events.map(({ traceparent }) => traceparent),
  ];
}

const lockTimeout = (error: unknown): boolean => sqlState(error) === '55P03';

/** The balance is in other hands for longer than anyone waits; with a key those may be at work on the same request. */
function busy(unit: WorkUnit, cause: unknown): Error {
  return unit.idempotency ? new RequestStillRunningError() : new BalanceBusyError(cause);
}
