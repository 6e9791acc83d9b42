import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { type StepOutcome, stepResultContext, subjectKeyContext } from '@constancia/contracts';
import { sealRecord, typeId, uuidOf, uuidv7 } from '@constancia/kernel';
import { DataKeys } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { type TestDatabase, type TestTenant } from '@constancia/testing';
import { type DevKms, startDevKms } from '@constancia/dev-servers/dev-kms';
import type { Answer } from '@constancia/testing/calls';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';

/** The platform with what identity flows need around it: a KMS, and limits that tests do not reach. */
export interface RunningIdentity extends RunningPlatform {
  kms: DevKms;
}

export async function runningIdentity(store: TestDatabase, env: Record<string, string> = {}): Promise<RunningIdentity> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'identity-'));
  process.env.AWS_ACCESS_KEY_ID ??= 'development';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'development';
  const kms = await startDevKms({ dir: path.join(folder, 'kms') });
  const platform = await runningPlatform(store, {
    KMS_ENDPOINT: kms.url,
    RATE_LIMIT_TENANT: '100000',
    RATE_LIMIT_IP: '100000',
    ...env,
  });
  return {
    ...platform,
    kms,
    async close() {
      await platform.close();
      await kms.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Session {
  id: string;
  session_token: string;
  subject_id: string;
  status: string;
  current_step: string | null;
  last_outcome: string | null;
  reason?: string;
  rejection_reason?: string;
  completed_at: string | null;
  context: Record<string, Record<string, unknown>>;
}

/** Everything that a test does with one tenant's flows. */
export class FlowCaller {
  constructor(
    readonly platform: RunningPlatform,
    readonly tenant: TestTenant,
    readonly store: TestDatabase,
  ) {}

  async seed(): Promise<string> {
    const { body } = await this.platform.call<{ id: string }>('/v1/flows/seed-default', {
      method: 'POST',
      key: this.tenant.apiKey,
    });
    return body.id;
  }

  async open(body: Record<string, unknown> = {}): Promise<Session> {
    const answer = await this.platform.call<Session>('/v1/flows/sessions', {
      key: this.tenant.apiKey,
      body: { document_type: 'CC', document_number: '1098765432', country: 'CO', ...body },
    });
    if (answer.status !== 201) throw new Error(`no session: ${answer.text}`);
    return answer.body;
  }

  advance(
    session: Pick<Session, 'id'>,
    input: object = {},
    headers: Record<string, string> = {},
  ): Promise<Answer<Session & Record<string, unknown>>> {
    return this.platform.call(`/v1/flows/sessions/${session.id}/advance`, {
      key: this.tenant.apiKey,
      body: { input },
      headers,
    });
  }

  async show(session: Pick<Session, 'id'>): Promise<Session> {
    return (await this.platform.call<Session>(`/v1/flows/sessions/${session.id}`, { key: this.tenant.apiKey })).body;
  }

  /** A stored picture's row: what flows see of an upload. Its bytes are nobody's business here. */
  async asset(session: Pick<Session, 'subject_id'>, kind: string): Promise<string> {
    const id = uuidv7();
    await this.store.query(
      `insert into identity.asset (id, tenant_id, subject_id, kind, status, version, sha256, bytes, expires_at, stored_at)
       values ($1, $2, $3, $4, 'stored', 1, $5, 1, now(), now())`,
      [id, this.tenant.id, uuidOf('sub', session.subject_id), kind, randomBytes(32)],
    );
    return `asset://${typeId('ast', id)}`;
  }

  async documentInput(session: Pick<Session, 'subject_id'>): Promise<object> {
    return {
      doc_front_uri: await this.asset(session, 'doc_front'),
      doc_back_uri: await this.asset(session, 'doc_back'),
    };
  }

  async faceInput(session: Pick<Session, 'subject_id'>): Promise<object> {
    return { selfie_uri: await this.asset(session, 'selfie'), liveness_mode: 'basic' };
  }

  /** Takes every step of a session with a sandbox trigger, as often as the outcomes ask for it; the statuses of the answers in order. */
  async walk(session: Pick<Session, 'id'>): Promise<string[]> {
    const seen: string[] = [];
    for (let step = await this.show(session); step.current_step !== null; step = await this.show(session)) {
      const { status, body } = await this.advance(session, SANDBOX_INPUTS[step.current_step]);
      seen.push(`${step.current_step} ${status} ${String(body.reason ?? body.rejection_reason ?? body.last_outcome)}`);
      if (seen.length > 12) throw new Error(seen.join('; '));
    }
    return seen;
  }

  async balance(): Promise<{ available: number; held: number }> {
    const { body } = await this.platform.call<{ available: number; held: number }>('/v1/billing/balance', {
      key: this.tenant.apiKey,
    });
    return body;
  }
}

/** What each step is given where a sandbox trigger decides: no picture is looked at. */
const SANDBOX_INPUTS: Record<string, object> = {
  consent: { accepted: true },
  document_upload: { doc_front_uri: 'asset://sandbox/front', doc_back_uri: 'asset://sandbox/back' },
  face_match: { selfie_uri: 'asset://sandbox/selfie', liveness_mode: 'basic' },
  sarlaft: {},
};

/** A run as `claim_step_runs` gives it out. */
export interface ClaimedRun {
  id: string;
  tenant_id: string;
  subject_id: string;
  step_type: 'document' | 'face';
  attempt: number;
  input: Record<string, unknown>;
  lease_token: string;
}

export interface HarnessVerdict {
  outcome: StepOutcome;
  reason?: string;
  result?: object;
}

/**
 * Speaks the biometrics worker's protocol with the store: claims runs and ends them as the test says. Says nothing about pictures:
 * what engines find is tested with the engines.
 */
export class WorkerHarness {
  private stopped = false;
  private loop: Promise<void> | undefined;
  private readonly keys: DataKeys;

  constructor(
    private readonly database: Database,
    kms: DevKms,
    private readonly decide: (run: ClaimedRun) => HarnessVerdict | 'die' | 'hold',
  ) {
    this.keys = new DataKeys('alias/constancia-data', { region: 'us-east-1', endpoint: kms.url });
  }

  static async start(
    store: TestDatabase,
    kms: DevKms,
    decide: (run: ClaimedRun) => HarnessVerdict | 'die' | 'hold' = () => ({ outcome: 'pass' }),
  ): Promise<WorkerHarness> {
    const database = await Database.connect({ url: store.app('identity'), applicationName: 'worker-harness' });
    const harness = new WorkerHarness(database, kms, decide);
    harness.loop = harness.run();
    return harness;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
    this.keys.close();
    await this.database.close();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const runs = await this.database.query<ClaimedRun>('select * from identity.claim_step_runs(20, 2)');
      await Promise.all(runs.map((run) => this.work(run)));
      if (runs.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  private async work(run: ClaimedRun): Promise<void> {
    const verdict = this.decide(run);
    if (verdict === 'die' || verdict === 'hold') return;
    const result = verdict.result ?? resultOf(run, verdict);
    await this.database.query('select identity.finish_step_run($1, $2, $3, $4, $5, $6, $7)', [
      run.id,
      run.lease_token,
      verdict.outcome,
      verdict.reason ?? null,
      verdict.outcome === 'error' ? null : await this.sealed(run, result),
      'test-harness',
      '1',
    ]);
  }

  private async sealed(run: ClaimedRun, result: object): Promise<Buffer> {
    const [row] = await this.database.tenant(run.tenant_id, (tx) =>
      tx.query<{ wrapped_key: Buffer }>('select wrapped_key from identity.subject where id = $1', [run.subject_id]),
    );
    const owner = { tenantId: run.tenant_id, subjectId: run.subject_id };
    const context = subjectKeyContext(run.tenant_id, run.subject_id);
    const key = await this.keys.unwrap((row as { wrapped_key: Buffer }).wrapped_key, context);
    return sealRecord(key, owner, stepResultContext(run.id), JSON.stringify(result));
  }
}

const field = (value: string) => ({ value, source: 'pdf417', confidence: 1, checks: [], trusted: true });

function resultOf({ step_type }: ClaimedRun, { reason }: HarnessVerdict): object {
  const reasons = reason === undefined ? [] : [reason];
  if (step_type === 'face') {
    const liveness = { mode: 'basic', passed: null, score: null, signals: [] };
    return { v: 1, score: 0.97, raw_metric: 0.3, thresholds: null, liveness, reasons, took_ms: 5 };
  }
  const fields = { surnames: field('RUIZ PEÑA'), given_names: field('ANA MARIA'), birth_date: field('1987-04-12') };
  return { v: 1, kind: 'cc_yellow', fields, name_trusted: true, reasons, quality: [], took_ms: 5 };
}
