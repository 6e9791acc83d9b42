import { createHash } from 'node:crypto';
import { uuidOf } from '@constancia/kernel';
import type { Problem } from '@constancia/testing/calls';
import { testMember } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pagesPdf } from '../../../../libs/pdf-sealing/src/made-pdf.fixture.ts';
import { greyPng } from '../../../../libs/pdf-sealing/src/png.fixture.ts';
import { MOST_ATTACHMENTS } from '../case-records/attachment-types.ts';
import type { CaseDossierView } from '../case-dossiers/case-dossier-view.ts';
import { PICTURE, TenantCases, type Workbench, workbench } from '../cases/case-workbench.fixture.ts';
import type { CaseAttachmentList, CaseAttachmentView } from './attachment-view.ts';

const PDF = pagesPdf().bytes();
const PDF_TYPE = 'application/pdf';
const SCRIPTED = pagesPdf()
  .object(1, '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>')
  .bytes();
const frame = (width: number, height: number) => {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(height, 0);
  size.writeUInt16BE(width, 2);
  return Buffer.concat([Buffer.from('ffd8ffc0001108', 'hex'), size, Buffer.alloc(20), Buffer.from('ffd9', 'hex')]);
};
const JPEG = frame(2, 2);

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

let bench: Workbench;
let cases: TenantCases;

beforeAll(async () => {
  bench = await workbench();
});
beforeEach(async () => {
  cases = await TenantCases.of(bench);
});
afterAll(async () => bench?.close());

const listed = async (id: string) => (await cases.get<CaseAttachmentList>(`/v1/cases/${id}/attachments`)).body.data;
const download = (id: string, attachmentId: string, key = cases.tenant.apiKey) =>
  fetch(`${bench.compliance.url}/v1/cases/${id}/attachments/${attachmentId}`, { headers: { 'x-api-key': key } });

describe('a file that is attached to a case', () => {
  it.each([
    ['cédula (1).pdf', PDF_TYPE, PDF],
    ['foto.PNG', 'image/png', PICTURE],
    ['frente.jpeg', 'image/jpeg', JPEG],
  ])('is kept as it is, with its hash in the timeline, and sealed in the store: %s', async (name, type, bytes) => {
    const id = await cases.openIn('in_review');
    const before = (await cases.show(id)).body.etag;
    const { status, body } = await cases.attach<CaseAttachmentView>(id, { name, type, bytes }, { 'x-actor': 'ana' });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^caf_/),
        name,
        media_type: type,
        size_bytes: bytes.length,
        sha256: sha256(bytes),
        attached_by: 'ana',
        attached_at: expect.any(String),
      },
    ]);
    const shown = (await cases.get<CaseDossierView>(`/v1/cases/${id}`)).body;
    expect(shown).toMatchObject({ status: 'in_review', chain_valid: true, attachments: [body] });
    expect(shown.allowed_actions).toContain('attach');
    expect(shown.etag).not.toBe(before);
    const { id: attachment_id, media_type, size_bytes } = body;
    expect(shown.timeline.at(-1)).toMatchObject({
      type: 'attached',
      actor: 'ana',
      data: { attachment_id, name, media_type, size_bytes, sha256: sha256(bytes), personal: { members: ['name'] } },
    });
    expect(await listed(id)).toEqual([body]);
    const answer = await download(id, body.id);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': type,
      'content-disposition': expect.stringMatching(/^attachment; filename\*=UTF-8''/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
    });
    const [row] = await bench.store.query<{ stored: Buffer; named: Buffer; data: string }>(
      `select a.sealed_bytes as stored, a.sealed_name as named, e.data from compliance.case_attachment a
         join compliance.case_event e on e.case_id = a.case_id and e.type = 'attached' where a.case_id = $1`,
      [uuidOf('cas', id)],
    );
    expect([row?.stored.includes(bytes.subarray(0, 8)), row?.named.includes(name)]).toEqual([false, false]);
    expect(row?.data).not.toContain(name);
  });

  it.each([
    ['a PDF that is none', 415, { name: 'a.pdf', type: PDF_TYPE, bytes: PICTURE }, undefined],
    ['a picture of another type', 415, { name: 'a.jpg', type: 'image/jpeg', bytes: PICTURE }, undefined],
    ['a type that is not taken', 415, { name: 'a.html', type: 'text/html', bytes: Buffer.from('<p>') }, undefined],
    ['a PDF with a script', 400, { name: 'a.pdf', type: PDF_TYPE, bytes: SCRIPTED }, 'has_javascript'],
    ['a PDF that cannot be read', 400, { name: 'a.pdf', type: PDF_TYPE, bytes: Buffer.from('%PDF-1.7\n') }, 'invalid_pdf'],
    ['a picture that is cut', 400, { bytes: PICTURE.subarray(0, -4) }, 'unreadable'],
    ['a picture with something behind it', 400, { bytes: Buffer.concat([PICTURE, Buffer.from('<script>')]) }, 'unreadable'],
    ['a picture with too many pixels', 413, { bytes: greyPng([[[0, 255]]], { width: 10_000, height: 5_001 }) }, undefined],
    ['a JPEG without a frame', 400, { name: 'a.jpg', type: 'image/jpeg', bytes: Buffer.from('ffd8ffd9', 'hex') }, 'unreadable'],
    ['more than 10 MiB', 413, { bytes: Buffer.alloc(10 * 1024 * 1024 + 1) }, undefined],
    ['a name of another type', 400, { name: 'a.pdf' }, 'wrong_format'],
    ['a name with a folder', 400, { name: '../a.png' }, 'wrong_format'],
    ['a name that turns its direction', 400, { name: 'a\u202Efdp.png' }, 'wrong_format'],
    ['a name that is too long', 400, { name: `${'a'.repeat(197)}.png` }, 'wrong_format'],
  ])('is refused, and nothing changes: %s', async (_, status, file, code) => {
    const id = await cases.open();
    const before = (await cases.show(id)).body;
    const answer = await cases.attach<Problem>(id, file);
    expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([status, code]);
    expect((await cases.show(id)).body).toEqual(before);
  }); // prettier-ignore

  it('needs the name, encoded', async () => {
    const id = await cases.open();
    const post = (headers?: Record<string, string>) =>
      bench.compliance.call<Problem>(`/v1/cases/${id}/attachments`, {
        key: cases.tenant.apiKey,
        body: PICTURE,
        headers: { 'content-type': 'image/png', ...headers },
      });
    for (const headers of [undefined, { 'x-file-name': '%E0.png' }, { 'x-file-name': 'ñ.png' }]) {
      const { status, body } = await post(headers);
      expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/headers/X-File-Name']);
    }
  });

  it('is attached once with an Idempotency-Key, and again without', async () => {
    const id = await cases.open();
    const once = { 'idempotency-key': crypto.randomUUID() };
    const answers = [await cases.attach<CaseAttachmentView>(id, {}, once), await cases.attach<CaseAttachmentView>(id, {}, once)];
    expect(answers.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual([
      [201, null],
      [201, 'true'],
    ]);
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect((await cases.attach(id, { name: 'otra.png' }, once)).status).toBe(422);
    await cases.act(id, 'resolve');
    expect((await cases.attach(id, {}, once)).text).toBe(answers[0]?.text); // the case takes none any more
    expect(await listed(id)).toHaveLength(1);
  }); // prettier-ignore

  it('is refused by a resolved case and with a stale If-Match', async () => {
    const id = await cases.open();
    const { etag } = (await cases.show(id)).body;
    await cases.act(id, 'comment');
    expect((await cases.attach(id, {}, { 'if-match': etag })).status).toBe(409);
    await cases.act(id, 'resolve');
    const { status, body } = await cases.attach(id);
    expect([status, body]).toMatchObject([409, { status_of_case: 'resolved', allowed_actions: ['reopen'] }]);
    expect(await listed(id)).toEqual([]);
  });

  it('is one of at most twenty: of those who attach at the same time as many as fit', async () => {
    const id = await cases.open();
    for (let nth = 0; nth < MOST_ATTACHMENTS - 2; nth++) expect((await cases.attach(id)).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 4 }, () => cases.attach(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    const { body } = await cases.show(id);
    expect(body.timeline.filter(({ type }) => type === 'attached')).toHaveLength(MOST_ATTACHMENTS);
    expect([(await listed(id)).length, body.chain_valid]).toEqual([MOST_ATTACHMENTS, true]);
  });

  it('does not exist for another tenant, for another case and for whom may not read cases', async () => {
    const [id, other] = [await cases.open(), await cases.open()];
    const { body } = await cases.attach<CaseAttachmentView>(id);
    const strangers = await TenantCases.of(bench);
    const text = async (answer: Response) => [
      answer.status,
      (await answer.text()).replaceAll(/"(instance|request_id)":"[^"]*"/g, ''),
    ];
    const missing = await text(await download('cas_01m7z6fvqcergtyhm27t5fxcy2', body.id));
    expect(missing[0]).toBe(404);
    expect(await text(await download(id, body.id, strangers.tenant.apiKey))).toEqual(missing);
    expect(await text(await download(other, body.id))).toEqual(missing);
    expect(await text(await download(id, 'caf_nonsense'))).toEqual(missing);
    expect((await strangers.attach(id)).status).toBe(404);
    expect((await strangers.get(`/v1/cases/${id}/attachments`)).status).toBe(404);
    const auditor = (await testMember(bench.store, cases.tenant.id, 'auditor')).token;
    const attach = (member: string) =>
      bench.compliance.call(`/v1/cases/${id}/attachments`, {
        member,
        body: PICTURE,
        headers: { 'content-type': 'image/png', 'x-file-name': 'a.png' },
      });
    expect((await attach(auditor)).status).toBe(403);
    expect((await attach((await testMember(bench.store, cases.tenant.id, 'analyst')).token)).status).toBe(201);
  });

  it('is not in a timeline without its file', async () => {
    const id = uuidOf('cas', await cases.open());
    const event = { type: 'attached', actor: 'ana', from: 'open', to: 'open', data: '{"attachment_id":"caf_x"}' };
    const append = bench.database.tenant(cases.tenant.id, (tx) =>
      tx.query('select compliance.append_case_events($1, $2, $3)', [cases.tenant.id, id, JSON.stringify([event])]),
    );
    await expect(append).rejects.toThrow('the case has no such attachment');
  });
});
