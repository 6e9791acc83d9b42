import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PdfPool } from '@constancia/pdf-sealing';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { kmsVariables, testKms } from '@constancia/testing/test-kms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../../running-platform.fixture.ts';
import type { StatementKeyList } from './list-statement-keys.ts';

let database: TestDatabase;
let platform: RunningPlatform;
let pool: PdfPool;
let folder: string;

beforeAll(async () => {
  database = await testDatabase();
  platform = await runningPlatform(database, { ...(await kmsVariables()), STATEMENT_KEY_ID: (await testKms()).keyId });
  pool = new PdfPool({ processes: 1, memoryMb: 384, deadlineMs: 8_000 });
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'statements-'));
});
afterAll(async () => {
  await platform?.close();
  await pool?.close();
  await database?.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function download(tenant: TestTenant, month: string, query = '', on: RunningPlatform = platform) {
  const response = await fetch(`${on.url}/v1/billing/statements/${month}${query}`, {
    headers: { 'x-api-key': tenant.apiKey, accept: 'application/pdf' },
  });
  return { status: response.status, headers: response.headers, pdf: Buffer.from(await response.arrayBuffer()) };
}

/** What a person reads in the file. */
function textOf(pdf: Buffer): string {
  const file = path.join(folder, `${createHash('sha256').update(pdf).digest('hex')}.pdf`);
  fs.writeFileSync(file, pdf);
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
}

const credits = (tenant: TestTenant, at: string, kind: string, refType: string, amount: number) =>
  database.query(
    `insert into platform.credit_entry
       (tenant_id, seq, kind, amount, quantity, balance_after, debit_account, credit_account, module, ref_type, ref_id, created_at)
     select $1, coalesce(max(seq), 0) + 1, $3, $5::bigint, abs($5::bigint), coalesce(sum(amount), 0) + $5::bigint, 'a', 'b', 'seal', $4,
            gen_random_uuid(), $2
       from platform.credit_entry where tenant_id = $1`,
    [tenant.id, at, kind, refType, amount],
  );

async function busyTenant(): Promise<TestTenant> {
  const tenant = await testTenant(database, { credits: 0 });
  await credits(tenant, '2026-01-15T12:00:00Z', 'grant', 'tenant', 12_345);
  await credits(tenant, '2026-02-03T12:00:00Z', 'debit', 'signature', -40);
  await credits(tenant, '2026-02-03T12:00:01Z', 'debit', 'envelope', -40);
  await credits(tenant, '2026-02-04T12:00:00Z', 'refund', 'signature', 40);
  return tenant;
}

describe('the statement of a month as a PDF', () => {
  it('is sealed by the key that GET /v1/billing/statement-keys publishes, over every byte of the file', async () => {
    const tenant = await busyTenant();
    const { status, headers, pdf } = await download(tenant, '2026-02');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toBe('attachment; filename="statement-2026-02.pdf"');
    expect(headers.get('x-document-sha256')).toBe(createHash('sha256').update(pdf).digest('hex'));

    const [signature, ...others] = await pool.verify(pdf);
    expect(others).toEqual([]);
    expect(signature).toMatchObject({ valid: true });
    const { body } = await platform.call<StatementKeyList>('/v1/billing/statement-keys', { key: tenant.apiKey });
    const [key] = body.data;
    const spki = new X509Certificate(key?.certificate_pem ?? '').publicKey.export({ format: 'der', type: 'spki' });
    expect(createHash('sha256').update(spki).digest('hex')).toBe(key?.fingerprint);
    expect(textOf(pdf).replace(/\s+/g, '')).toContain(key?.fingerprint ?? 'no key');

    const altered = Buffer.from(pdf);
    altered[300] = (altered[300] as number) ^ 1;
    expect((await pool.verify(altered)).filter((each) => (each as { valid: boolean }).valid)).toEqual([]);
  });

  it('shows what the statement says, in the language of the tenant or the one asked for', async () => {
    const tenant = await busyTenant();
    const spanish = textOf((await download(tenant, '2026-02')).pdf);
    for (const part of [
      'Estado de cuenta de créditos',
      `Tenant ${tenant.slug}`,
      'febrero de 2026',
      'Definitivo',
      /Saldo inicial +12\.345/,
      /Consumo: Firmas de documentos +1 +-40/,
      /Firmas de documentos: devoluciones +40/,
      /Consumo: Sobres con varios firmantes +1 +-40/,
      /Saldo final +12\.305/,
      'Página 1 de 1',
    ])
      expect(spanish).toMatch(part);
    const english = textOf((await download(tenant, '2026-02', '?locale=en')).pdf);
    for (const part of ['Statement of credits', 'February 2026', /Opening balance +12,345/, /Closing balance +12,305/])
      expect(english).toMatch(part);
  });

  it('is drawn for any name of a tenant, with DejaVu Sans where the standard fonts lack a character', async () => {
    const tenant = await busyTenant();
    const name = 'Ñandú “Café” Łódź Ελλάς Банк';
    await database.query('update platform.tenant set display_name = $2 where id = $1', [tenant.id, name]);
    const { status, pdf } = await download(tenant, '2026-02');
    expect(status).toBe(200);
    expect(await pool.verify(pdf)).toMatchObject([{ valid: true }]);
    expect(textOf(pdf)).toContain(`${name} (${tenant.slug})`);
    await database.query(`update platform.tenant set display_name = 'Łódź 銀行 🏦' where id = $1`, [tenant.id]);
    expect(textOf((await download(tenant, '2026-03')).pdf)).toContain(`Łódź \ufffd\ufffd \ufffd (${tenant.slug})`);
  });

  it('is one file for ever once the month is over, however many ask for it first', async () => {
    const tenant = await busyTenant();
    const answers = await Promise.all(Array.from({ length: 6 }, () => download(tenant, '2026-02')));
    const later = await download(tenant, '2026-02');
    expect(new Set([...answers, later].map(({ headers }) => headers.get('x-document-sha256'))).size).toBe(1);
    const kept = await database.query('select month, locale from platform.statement_document where tenant_id = $1', [
      tenant.id,
    ]);
    expect(kept).toEqual([{ month: '2026-02', locale: 'es-CO' }]);
  });

  it('of the month that is not over says that it is provisional, and is not kept', async () => {
    const tenant = await testTenant(database);
    const month = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 7);
    const { pdf } = await download(tenant, month);
    expect(textOf(pdf)).toContain('PROVISIONAL: el mes no ha terminado');
    expect(await pool.verify(pdf)).toMatchObject([{ valid: true }]);
    expect(await database.query('select 1 from platform.statement_document where tenant_id = $1', [tenant.id])).toEqual(
      [],
    );
  });

  it('has one certificate of its key, whichever of several processes sealed first', async () => {
    const others = await Promise.all(
      [1, 2].map(async () =>
        runningPlatform(database, { ...(await kmsVariables()), STATEMENT_KEY_ID: 'alias/constancia-signing' }),
      ),
    );
    try {
      const tenant = await busyTenant();
      const pdfs = await Promise.all(others.map((other) => download(tenant, '2026-03', '', other)));
      expect(pdfs.map(({ status }) => status)).toEqual([200, 200]);
      expect(await database.query('select 1 from platform.statement_key')).toHaveLength(1);
    } finally {
      await Promise.all(others.map((other) => other.close()));
    }
  });

  it('is answered with 503 where no key is configured or KMS is unavailable: JSON and CSV are there', async () => {
    const tenant = await busyTenant();
    const without = await runningPlatform(database);
    const away = await runningPlatform(database, { STATEMENT_KEY_ID: 'alias/constancia-signing' });
    try {
      for (const [on, words] of [
        [without, 'no key that seals statements'],
        [away, 'cannot be reached'],
      ] as const) {
        const answer = await on.call<{ detail: string }>('/v1/billing/statements/2026-02', {
          key: tenant.apiKey,
          headers: { accept: 'application/pdf' },
        });
        expect(answer.status).toBe(503);
        expect(answer.body.detail).toContain(words);
        expect((await on.call('/v1/billing/statements/2026-02', { key: tenant.apiKey })).status).toBe(200);
      }
    } finally {
      await Promise.all([without.close(), away.close()]);
    }
  }, 60_000);

  it('of another tenant is never the one that is kept', async () => {
    const [tenant, stranger] = await Promise.all([busyTenant(), busyTenant()]);
    await download(stranger, '2026-02');
    expect(textOf((await download(tenant, '2026-02')).pdf)).toContain(tenant.slug);
    expect(textOf((await download(tenant, '2026-02')).pdf)).not.toContain(stranger.slug);
  });
});
