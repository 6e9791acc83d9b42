import type { ScreeningRequest } from '@constancia/contracts';
import { PeriodicTask, typeId } from '@constancia/kernel';
import type { Database, Tx } from '@constancia/persistence';
import type { Queues } from '@constancia/queue';
import type { Logger } from '@constancia/telemetry';
import type { SessionSubjects } from '../sessions/session-ports.ts';
import type { CaseRequest } from '../sessions/session-row.ts';
import { runById, type StepRun } from '../sessions/step-run.ts';

const BATCH = 50;
/** How long an answer is waited for before the same request is sent again. */
const AGAIN_MS = 3_000;
const EVERY_MS = 1_000;

export interface ComplianceRequestParts {
  database: Database;
  subjects: Pick<SessionSubjects, 'find' | 'open'>;
  queues: Pick<Queues, 'hint' | 'seal'>;
  logger: Logger;
}

/**
 * What the compliance module is asked over the queue: screenings of sarlaft steps, the canonical validation of a new tenant, cases.
 * Everything that is not answered stands in the store and is asked again, under the same request_id; every platform process does
 * it, and the store's functions give each request to one of them.
 */
export class ComplianceRequests {
  private readonly task: PeriodicTask;

  constructor(private readonly parts: ComplianceRequestParts) {
    const { logger } = parts;
    this.task = new PeriodicTask({ name: 'compliance-requests', everyMs: EVERY_MS, logger, run: () => this.ask() });
  }

  start(): void {
    this.task.start();
  }

  close(): Promise<void> {
    return this.task.close();
  }

  /** There is something new to ask. Does not make the caller wait. */
  askSoon(): void {
    this.task.wake();
  }

  /** Asks what is due now. Never throws: the next round tries again. */
  async ask(): Promise<void> {
    try {
      await this.askScreenings();
      await this.askSeeds();
      await this.askCases();
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'the compliance module could not be asked');
    }
  }

  private async askScreenings(): Promise<void> {
    for (const { id, tenant_id } of await this.due<{ id: string; tenant_id: string }>('sarlaft_runs_to_ask')) {
      const asked = await this.parts.database.tenant(tenant_id, (tx) => this.screening(tx, tenant_id, id));
      if (asked) this.send(tenant_id, id, asked.request, asked.traceparent);
    }
  }

  private async screening(
    tx: Tx,
    tenantId: string,
    runId: string,
  ): Promise<{ request: ScreeningRequest; traceparent: string | null } | undefined> {
    const run = await runById(tx, runId);
    if (!run) return undefined;
    const { subjects } = this.parts;
    const subject = await subjects.find(tx, tenantId, run.subject_id);
    const known = await subjects.open(tx, subject);
    if (!known) return undefined; // erased: the run ends by its deadline
    const request: ScreeningRequest = {
      kind: 'screen',
      validation_code: validationCode(run),
      subject_ref: typeId('sub', subject.id),
      subject_type: 'natural',
      payload: {
        ...(known.fullName !== null && { full_name: known.fullName }),
        ...(known.birthDate !== null && { birth_date: known.birthDate }),
        document_type: subject.documentType,
        document_number: known.documentNumber,
        country_code: subject.documentCountry,
      },
    };
    return { request, traceparent: run.traceparent };
  }

  private async askSeeds(): Promise<void> {
    type Seed = { request_id: string; tenant_id: string };
    for (const { request_id, tenant_id } of await this.due<Seed>('seeds_to_ask')) {
      this.send(tenant_id, request_id, { kind: 'seed_default' });
    }
  }

  private async askCases(): Promise<void> {
    type Due = { session_id: string; tenant_id: string; case_id: string; case_request: CaseRequest | null };
    for (const { session_id, tenant_id, case_id, case_request } of await this.due<Due>('cases_to_ask')) {
      if (!case_request) {
        this.send(tenant_id, session_id, { kind: 'case_state', case_id });
      } else {
        const { request_id, decision, reason, actor, traceparent = null } = case_request;
        this.send(tenant_id, request_id, { kind: 'resolve_case', case_id, decision, reason, actor }, traceparent);
      }
    }
  }

  private due<Row>(name: 'sarlaft_runs_to_ask' | 'seeds_to_ask' | 'cases_to_ask'): Promise<Row[]> {
    return this.parts.database.query<Row>(`select * from identity.${name}($1, $2)`, [BATCH, AGAIN_MS]);
  }

  private send(
    tenantId: string,
    requestId: string,
    request: ScreeningRequest,
    traceparent: string | null = null,
  ): void {
    const { queues } = this.parts;
    const message = { v: 1, request_id: requestId, tenant_id: tenantId, sealed: queues.seal(request) } as const;
    queues.hint('screening-request', traceparent === null ? message : { ...message, traceparent }, requestId);
  }
}

function validationCode({ input }: StepRun): string {
  return typeof input.validation_code === 'string' ? input.validation_code : 'default';
}
