import type { ScreeningRequest } from '@constancia/contracts';
import { IndependentWork, typeId } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { Subjects } from '../subjects/subjects.ts';
import type { CaseRequest } from '../sessions/flow-session.entity.ts';
import { runById } from '../sessions/step-run.ts';
import type { StepRun } from '../sessions/step-run.entity.ts';

const BATCH = 50;
/** How long an answer is waited for before the same request is sent again. */
const AGAIN_MS = 3_000;
const EVERY_MS = 1_000;

/**
 * What the compliance module is asked over the queue: screenings of sarlaft steps, the canonical validation of a new tenant, cases.
 * Everything that is not answered stands in the store and is asked again, under the same request_id; every platform process does
 * it, and the store's functions give each request to one of them.
 */
@Injectable()
export class ComplianceRequests extends PeriodicWork {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
    private readonly queues: Queues,
    logger: Logger,
  ) {
    super({ name: 'compliance-requests', everyMs: EVERY_MS, logger });
  }

  override async run(): Promise<void> {
    const work = new IndependentWork();
    await work.attempt(() => this.askScreenings(work));
    await work.attempt(() => this.askSeeds());
    await work.attempt(() => this.askCases());
    work.throwFirstFailure();
  }

  private async askScreenings(work: IndependentWork): Promise<void> {
    for (const { id, tenant_id } of await this.due<{ id: string; tenant_id: string }>('sarlaft_runs_to_ask')) {
      const ask = async () => {
        const asked = await this.database.tenant(tenant_id, (tx) => this.screening(tx, tenant_id, id));
        if (asked) this.send(tenant_id, id, asked.request, asked.traceparent);
      };
      await work.attempt(ask, { run_id: id, tenant_id });
    }
  }

  private async screening(
    tx: Tx,
    tenantId: string,
    runId: string,
  ): Promise<{ request: ScreeningRequest; traceparent: string | null } | undefined> {
    const run = await runById(tx, runId);
    if (!run) return undefined;
    const { subjects } = this;
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
        document_type: subject.document_type,
        ...(known.documentNumber !== null && { document_number: known.documentNumber }),
        country_code: subject.document_country,
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
    return this.database.query<Row>(`select * from identity.${name}($1, $2)`, [BATCH, AGAIN_MS]);
  }

  private send(
    tenantId: string,
    requestId: string,
    request: ScreeningRequest,
    traceparent: string | null = null,
  ): void {
    const { queues } = this;
    const message = { v: 1, request_id: requestId, tenant_id: tenantId, sealed: queues.seal(request) } as const;
    queues.hint('screening-request', traceparent === null ? message : { ...message, traceparent }, requestId);
  }
}

function validationCode({ input }: StepRun): string {
  return typeof input.validation_code === 'string' ? input.validation_code : 'default';
}
