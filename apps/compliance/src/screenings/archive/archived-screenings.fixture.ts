import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { type TestDatabase, testDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { kmsVariables, testKms } from '@constancia/testing/test-kms';
import type { FileView } from '../../../../../libs/archives/src/archive-faults.fixture.ts';
import { listsLoaded, seededValidation } from '../../compliance-setups.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../../running-compliance.fixture.ts';

/** On no list. */
export const ROSALBA = {
  full_name: 'Rosalba Quintero Arbeláez',
  birth_date: '1987-04-12',
  document_type: 'CC',
  document_number: '1032456798',
};
/** On OFAC's list of the sandbox: her screening opens a case. */
export const LISTED = { full_name: 'Ernesto Ficticio Ejemplo', birth_date: '1962-04-17' };

interface Screened {
  id: string;
  case_id: string | null;
  created_at: string;
}

/** A running compliance app that archives into a folder, and its operators. */
export class ArchiveBench {
  private constructor(
    readonly store: TestDatabase,
    readonly folder: string,
    readonly compliance: RunningCompliance,
    readonly ops: OpsPort,
  ) {}

  static async start(): Promise<ArchiveBench> {
    const store = await testDatabase();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'screening-archive-'));
    const compliance = await runningCompliance(store, {
      ...(await kmsVariables()),
      ARCHIVE_KEY_ID: (await testKms()).keyId,
      STORAGE_DIR: folder,
    });
    await listsLoaded(compliance, (await testTenant(store)).apiKey);
    return new ArchiveBench(store, folder, compliance, await opsPortOf(compliance.app));
  }

  async close(): Promise<void> {
    await this.ops.close();
    await this.compliance.close();
    await this.store.drop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  async tenant(): Promise<TestTenant> {
    const tenant = await testTenant(this.store);
    await seededValidation(this.compliance, tenant.apiKey);
    return tenant;
  }

  async screen(tenant: TestTenant, subject_ref: string, payload: object = ROSALBA): Promise<Screened> {
    const body = { subject_ref, subject_type: 'natural', payload };
    const answer = await this.compliance.call<Screened>('/v1/screenings', { key: tenant.apiKey, body });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body;
  }

  /** The same subject, several times: all but the last can be archived once they are old. */
  async screenings(tenant: TestTenant, count: number, subject_ref = 'customer-1'): Promise<string[]> {
    const ids: string[] = [];
    for (let nth = 0; nth < count; nth++) ids.push((await this.screen(tenant, subject_ref)).id);
    return ids;
  }

  /** Makes all screenings of a tenant so old, in the order in which they were made. */
  async age(tenant: TestTenant, years = 12): Promise<void> {
    await this.store.query(
      `update compliance.screening set created_at = created_at - make_interval(years => $2) where tenant_id = $1`,
      [tenant.id, years],
    );
  }

  async run(tenant: TestTenant): Promise<FileView | null> {
    const { status, body } = await this.ops.post<{ archived: FileView | null }>('/archives/screenings/run', {
      tenant: tenant.slug,
      reason: 'older than ten years',
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.archived;
  }

  /** The next file, which there must be. */
  async archived(tenant: TestTenant): Promise<FileView> {
    const file = await this.run(tenant);
    if (file === null) throw new Error('nothing was archived');
    return file;
  }

  async verdict({ id }: { id: string }): Promise<{ valid: boolean; fault: string | null }> {
    return (await this.ops.get<{ valid: boolean; fault: string | null }>(`/archives/screenings/${id}/verify`)).body;
  }

  pathOf({ object_key }: { object_key: string }): string {
    return path.join(this.folder, object_key);
  }

  get<Body = Record<string, unknown>>(tenant: TestTenant, route: string) {
    return this.compliance.call<Body>(route, { key: tenant.apiKey });
  }

  /** Ids of screenings that are in the database. */
  async stored(tenant: TestTenant): Promise<string[]> {
    const rows = await this.store.query<{ id: string }>(
      `select compliance.type_id('scr', id) as id from compliance.screening where tenant_id = $1 order by id`,
      [tenant.id],
    );
    return rows.map(({ id }) => id);
  }
}
