import { createHash, randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { ConfigurationImportView } from '@constancia/tenant-export';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { foreignArchive } from '../../../../libs/tenant-export/src/configuration/foreign-archive.fixture.ts';
import { hazardousPdf } from '../circuits/circuits.fixture.ts';
import { minimalPdf, type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';

const ELSEWHERE = randomBytes(32).toString('base64');
const PATH = '/v1/configuration';

let store: TestDatabase;
let signing: RunningSigning;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  signing = await runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) });
});
beforeEach(async () => {
  tenant = await testTenant(store);
});
afterAll(async () => {
  await signing?.close();
  await store?.drop();
});

type Files = Record<string, Buffer | string>;

/** What another deployment exported. */
async function archiveOf(files: Files): Promise<Buffer> {
  const { bytes } = await signing.call(PATH, { key: tenant.apiKey });
  return foreignArchive(bytes, 'signing', ELSEWHERE, files);
}

const imported = <Body = ConfigurationImportView>(zip: Buffer, query = '') =>
  signing.call<Body>(`${PATH}/imports${query}`, {
    ...{ key: tenant.apiKey, body: zip },
    headers: { 'content-type': 'application/zip' },
  });

const sha256 = (pdf: Buffer) => createHash('sha256').update(pdf).digest('hex');

const template = (pdf: Buffer, code = 'loan'): Files => ({
  [`templates/${code}.json`]: JSON.stringify({ code, name: 'Crédito', pdf_sha256: sha256(pdf), placeholders: [] }),
  [`pdfs/${sha256(pdf)}.pdf`]: pdf,
});

const FIELD = { key: 'signature', page: 1, x: 72, y: 120, type: 'signature', signer: 'buyer' };

const circuit = (pdf: Buffer, field: object = FIELD, auth = ['otp_email']): Files => ({
  'circuits/sale.json': JSON.stringify({
    ...{ code: 'sale', name: 'Compraventa', pdf_sha256: sha256(pdf) },
    ...{ signers: [{ role: 'buyer', auth, order: 1 }], fields: [field] },
  }),
  [`pdfs/${sha256(pdf)}.pdf`]: pdf,
});

/** Of this size no other test stores one. */
const ownPdf = () => Buffer.concat([minimalPdf(2), Buffer.from(`% ${randomUUID()}\n`)]);

const storedPdfs = (folder: string) =>
  fs.existsSync(path.join(signing.folder, folder, tenant.id))
    ? fs.readdirSync(path.join(signing.folder, folder, tenant.id))
    : [];

it('imports templates and circuits with their PDFs, a circuit that differs as the next version', async () => {
  const pdf = ownPdf();
  const zip = await archiveOf({ ...template(pdf), ...circuit(pdf) });
  const dry = await imported(zip, '?dry_run=true');
  expect(dry.body.changes.map(({ file, action }) => [file, action])).toEqual([
    ['signing/circuits/sale.json', 'create'],
    ['signing/templates/loan.json', 'create'],
  ]);
  expect(storedPdfs('templates')).toEqual([]);
  await imported(zip);
  const list = async (kind: string) =>
    (await signing.call<{ data: { id: string }[] }>(`/v1/${kind}`, { key: tenant.apiKey })).body.data;
  const [kept] = await list('templates');
  const document = await signing.call(`/v1/templates/${kept?.id}/document`, { key: tenant.apiKey });
  expect(document.bytes).toEqual(pdf);
  const changed = await imported(await archiveOf(circuit(ownPdf(), { ...FIELD, y: 200 })));
  expect(changed.body.changes).toContainEqual(
    expect.objectContaining({
      ...{ file: 'signing/circuits/sale.json', action: 'update' },
      differences: expect.arrayContaining([{ pointer: '/fields/0/y', before: '120', after: '200' }]),
    }),
  );
  expect(await list('circuits')).toMatchObject([
    { version: 2, status: 'published' },
    { version: 1, status: 'deprecated' },
  ]);
});

it('leaves a template as it is when the archive has another one of its code, also an archived one', async () => {
  await imported(await archiveOf(template(ownPdf())));
  const conflict = async (zip: Buffer) => {
    const { status, body } = await imported(zip);
    const found = body.changes.find(({ file }) => file === 'signing/templates/loan.json');
    return [status, found?.action, found?.detail];
  };
  const other = template(ownPdf());
  expect(await conflict(await archiveOf(other))).toEqual([200, 'conflict', expect.stringMatching(/never changes/)]);
  await store.query('update signing.template set archived_at = now() where tenant_id = $1', [tenant.id]);
  expect(await conflict(await archiveOf(other))).toEqual([200, 'conflict', expect.stringMatching(/archived/)]);
});

it('checks PDFs as an upload and circuits as at publishing, and imports nothing when one is refused', async () => {
  const good = ownPdf();
  const faultsOf = async (files: Files) => {
    const { status, body } = await imported<Problem>(await archiveOf({ ...template(good, 'good'), ...files }));
    expect(status).toBe(400);
    return body.errors?.map(({ pointer, code }) => `${pointer} ${code}`);
  };
  const at = '/signing/circuits/sale.json';
  expect(await faultsOf(circuit(good, { ...FIELD, page: 3 }))).toEqual([
    `${at}/fields/0/page placeholder_outside_page`,
  ]);
  expect(await faultsOf(circuit(good, { ...FIELD, x: 590 }))).toEqual([`${at}/fields/0 placeholder_outside_page`]);
  expect(await faultsOf(circuit(good, FIELD, ['otp_sms']))).toEqual([`${at}/signers/0/auth/0 not_available`]);
  expect(await faultsOf(circuit(hazardousPdf()))).toContain(`${at}/pdf_sha256 has_javascript`);
  expect(await faultsOf(template(Buffer.from('no PDF')))).toEqual([
    '/signing/templates/loan.json/pdf_sha256 wrong_format',
  ]);
  const { [`pdfs/${sha256(good)}.pdf`]: _, ...without } = circuit(good);
  const zip = await archiveOf(without);
  expect((await imported<Problem>(zip)).body.errors).toMatchObject([{ pointer: `${at}/pdf_sha256`, code: 'required' }]);
  expect(await store.query('select code from signing.template where tenant_id = $1', [tenant.id])).toEqual([]);
  expect(storedPdfs('templates')).toEqual([]);
});
