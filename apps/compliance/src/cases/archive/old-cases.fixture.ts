import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { createLogger } from '@constancia/telemetry';
import type { TestTenant } from '@constancia/testing';
import { type ArchiveBench, LISTED } from '../../screenings/archive/archived-screenings.fixture.ts';
import type { CaseDetailView } from '../case-detail-view.ts';
import { CaseSweep } from '../case-sweep.ts';

/** What people wrote about a case: none of it may be readable in a file. */
export const WRITTEN = ['La señora llamó', 'Otra fecha de nacimiento'] as const;

/** Cases of a tenant that people resolved long ago. */
export class OldCases {
  constructor(
    private readonly bench: ArchiveBench,
    readonly tenant: TestTenant,
  ) {}

  act(caseId: string, action: string, body?: object) {
    return this.bench.compliance.call<CaseDetailView>(`/v1/cases/${caseId}/${action}`, {
      method: 'POST',
      key: this.tenant.apiKey,
      ...(body && { body }),
      headers: { 'x-actor': 'ana' },
    });
  }

  reopen(caseId: string) {
    return this.act(caseId, 'reopen', { reason: 'Una denuncia nueva' });
  }

  /** Opened by a screening, resolved so long ago. Answers its TypeID. */
  async resolved({ subject = 'customer-1', interval = '12 years' } = {}): Promise<string> {
    const caseId = (await this.bench.screen(this.tenant, subject, LISTED)).case_id as string;
    await this.act(caseId, 'assign', { assignee: 'ana' });
    await this.act(caseId, 'comment', { body: WRITTEN[0] });
    const { status, text } = await this.act(caseId, 'resolve', { decision: 'approve', reason: WRITTEN[1] });
    if (status !== 200) throw new Error(text);
    await this.anchored();
    await this.age(caseId, interval);
    return caseId;
  }

  /** Names the heads of all timelines in the journals. */
  async anchored(): Promise<void> {
    const database = this.bench.compliance.app.get(Database);
    await new CaseSweep(database, createLogger({ app: 'test', level: 'error' })).run();
  }

  async age(caseId: string, interval: string): Promise<void> {
    await this.bench.store.query(
      `update compliance.review_case set opened_at = now() - $2::interval - interval '1 day', resolved_at = now() - $2::interval where id = $1`,
      [uuidOf('cas', caseId), interval],
    );
  }
}
