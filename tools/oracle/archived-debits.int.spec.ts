import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { uuidv7 } from '@constancia/kernel';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { kmsVariables, testKms } from '@constancia/testing/test-kms';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LedgerArchives } from '../../apps/platform/src/ledger-archive/ledger-archives.ts';
import { withoutTriggers } from '../../apps/platform/src/ledger-archive/old-entries.fixture.ts';
import { type RunningPlatform, runningPlatform } from '../../apps/platform/src/running-platform.fixture.ts';
import { brokenMoney } from './money.ts';

let store: TestDatabase;
let platform: RunningPlatform;
let folder: string;
let tenant: TestTenant;
const templateId = uuidv7();

beforeAll(async () => {
  store = await testDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'archived-debits-'));
  const key = { ...(await kmsVariables()), STATEMENT_KEY_ID: (await testKms()).keyId };
  platform = await runningPlatform(store, { ...key, STORAGE_DIR: folder });
  tenant = await testTenant(store);
  await store.query(
    `insert into signing.template (id, tenant_id, code, name, sha256, size_bytes, storage_key, page_count)
     values ($1, $2, 't', 't', $3, 1, 'k', 1)`,
    [templateId, tenant.id, randomBytes(32)],
  );
}, 120_000);
afterAll(async () => {
  await platform?.close();
  await store?.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const findings = () => brokenMoney((sql, params) => store.query(sql, params));

/** A request with its debit. */
async function oldRequest(): Promise<string> {
  const id = uuidv7();
  await store.query(
    `insert into signing.signature_request (id, tenant_id, template_id, subject_ref, credits_debited, merge_data)
     values ($1, $2, $3, 'loan-1', 40, '{}')`,
    [id, tenant.id, templateId],
  );
  await store.query(`select platform_v1.charge($1, 'seal', 'signature', $2, 40)`, [tenant.id, id]);
  return id;
}

it('counts debits that are in archived files, and finds a request that none of them is for', async () => {
  for (let nth = 0; nth < 3; nth++) await oldRequest();
  expect(await findings()).toEqual([]);
  await withoutTriggers(
    store,
    `update platform.credit_entry set created_at = now() - interval '12 years' where tenant_id = $1 and kind in ('grant', 'debit')`,
    [tenant.id],
  );
  await store.query(
    `update platform.credit_daily_total set day = (now() at time zone 'America/Bogota' - interval '12 years')::date where tenant_id = $1`,
    [tenant.id],
  );
  await oldRequest(); // the newest entry of an account always stays
  expect(await findings()).toEqual([]);
  await platform.app.get(LedgerArchives, { strict: false }).archiveNext(tenant.id, 'ana', 'test');
  expect(
    await store.query(`select from platform.credit_entry where tenant_id = $1 and kind = 'debit'`, [tenant.id]),
  ).toHaveLength(1);
  expect(await findings()).toEqual([]);

  await store.query(
    `delete from signing.signature_request where id = (select id from signing.signature_request where tenant_id = $1 order by id limit 1)`,
    [tenant.id],
  );
  expect(await findings()).toEqual([
    `debits in files that the things without one in the ledger do not show: ${tenant.id} signature 120, shown 80`,
  ]);
}, 120_000);
