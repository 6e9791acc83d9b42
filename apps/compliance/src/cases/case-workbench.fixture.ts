import { typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import type { Answer } from '@constancia/testing/calls';
import type { NoticedScreening } from '../case-records/noticed-screening.ts';
import type { CaseAction, CaseStatus } from '../case-records/case-states.ts';
import type { CaseDetailView } from './case-detail-view.ts';
import { greyPng } from '../../../../libs/pdf-sealing/src/png.fixture.ts';
import { attached } from './cases.fixture.ts';
import { COMPLIANCE_TABLES } from '../tables.ts';

export interface Workbench {
  store: TestDatabase;
  database: Database;
  compliance: RunningCompliance;
  close(): Promise<void>;
}

export async function workbench(): Promise<Workbench> {
  const store = await testDatabase();
  const compliance = await runningCompliance(store);
  const database = await Database.connect({
    url: store.app('compliance'),
    applicationName: 'test',
    entities: COMPLIANCE_TABLES,
  });
  return {
    store,
    database,
    compliance,
    async close() {
      await compliance.close();
      await database.close();
      await store.drop();
    },
  };
}

export type CaseAnswer = Answer<CaseDetailView & { allowed_actions: CaseAction[] }>;

export const PICTURE = greyPng([[[0, 255]]]);

/** What each action is sent with. */
export const BODIES: Readonly<Record<CaseAction, Record<string, unknown> | undefined>> = {
  assign: { assignee: 'ana' },
  comment: { body: 'Asked for a document.' },
  attach: undefined,
  escalate: { reason: 'Needs the compliance officer.' },
  resolve: { decision: 'approve', reason: 'Another birth date.' },
  confirm: undefined,
  return: { reason: 'The source of funds is missing.' },
  withdraw: undefined,
  reopen: undefined,
};

/** A tenant of its own, and what one does in its name. */
export class TenantCases {
  private constructor(
    readonly bench: Workbench,
    readonly tenant: TestTenant,
  ) {}

  static async of(bench: Workbench): Promise<TenantCases> {
    return new TenantCases(bench, await testTenant(bench.store));
  }

  /** Opens a case; answers its TypeID. */
  async open(facts: Partial<NoticedScreening> = {}): Promise<string> {
    const { caseId } = await attached(this.bench.database, this.tenant.id, facts);
    return typeId('cas', caseId);
  }

  get<Body>(path: string): Promise<Answer<Body>> {
    return this.bench.compliance.call<Body>(path, { key: this.tenant.apiKey });
  }

  show(id: string): Promise<CaseAnswer> {
    return this.get(`/v1/cases/${id}`);
  }

  act(
    id: string,
    action: CaseAction,
    body: Record<string, unknown> | undefined = BODIES[action],
    { actor = 'ana', ...headers }: Record<string, string> = {},
  ): Promise<CaseAnswer> {
    if (action === 'attach') return this.attach(id, {}, { 'x-actor': actor, ...headers });
    return this.bench.compliance.call(`/v1/cases/${id}/${action}`, {
      method: 'POST',
      key: this.tenant.apiKey,
      ...(body && { body }),
      headers: { 'x-actor': actor, ...headers },
    });
  }

  /** Attaches a file; a small picture by default. */
  attach<Body>(
    id: string,
    { name = 'foto.png', type = 'image/png', bytes = PICTURE }: { name?: string; type?: string; bytes?: Buffer } = {},
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    return this.bench.compliance.call<Body>(`/v1/cases/${id}/attachments`, {
      method: 'POST',
      key: this.tenant.apiKey,
      body: bytes,
      headers: { 'content-type': type, 'x-file-name': encodeURIComponent(name), ...headers },
    });
  }

  async fourEyes(setting: 'off' | 'onu' | 'all', others: object = {}): Promise<void> {
    const body = { four_eyes: setting, trusted_actor: true, ...others };
    await this.bench.compliance.call('/v1/compliance-settings', { method: 'PUT', key: this.tenant.apiKey, body });
  }

  /** Opens a case and brings it into a state. */
  async openIn(status: CaseStatus, facts: Partial<NoticedScreening> = {}): Promise<string> {
    const id = await this.open(facts);
    if (status === 'in_review') await this.act(id, 'assign');
    if (status === 'escalated') await this.act(id, 'escalate');
    if (status === 'resolved') await this.act(id, 'resolve');
    if (status === 'pending_approval') {
      await this.fourEyes('all');
      await this.act(id, 'resolve');
      await this.fourEyes('off');
    }
    return id;
  }

  /** Types of the events that were emitted for the tenant, oldest first. */
  async emitted(): Promise<string[]> {
    const rows = await this.bench.store.query<{ event_type: string }>(
      `select event_type from platform.event where tenant_id = $1 order by event_id`,
      [this.tenant.id],
    );
    return rows.map(({ event_type }) => event_type);
  }
}
