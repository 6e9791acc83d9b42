import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { type Role, subjectKeyContext } from '@constancia/contracts';
import { uuidOf, uuidv7 } from '@constancia/kernel';
import { DataKeys } from '@constancia/kms';
import { openObject } from '@constancia/storage';
import {
  TEST_SECRETS_KEY,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '@constancia/testing/calls';
import { FlowCaller, type RunningIdentity, runningIdentity, type Session } from '../running-identity.fixture.ts';
import { bomb, phonePicture, picture } from './pictures.fixture.ts';
import { UploadAddresses } from './upload-address.ts';

interface Presigned {
  upload_url: string;
  stored_uri: string;
  expires_at: string;
  max_bytes: number;
}

let database: TestDatabase;
let platform: RunningIdentity;
let folder: string;
let tenant: TestTenant;
let flows: FlowCaller;
let session: Session;

beforeAll(async () => {
  database = await testDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-uploads-'));
  platform = await runningIdentity(database, { STORAGE_DIR: folder });
});

beforeEach(async () => {
  tenant = await testTenant(database);
  flows = new FlowCaller(platform, tenant, database);
  await flows.seed();
  session = await flows.open();
});

afterAll(async () => {
  await platform?.close();
  await database?.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function presign(body: object = { kind: 'selfie' }): Promise<Presigned> {
  const answer = await platform.call<Presigned>(`/v1/kyc/subjects/${session.subject_id}/presign-upload`, {
    key: tenant.apiKey,
    body,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** The address is of the public host; the test's process listens elsewhere. */
const local = (address: string): string => address.replace('http://platform.test', '');

function put(address: string, bytes: Buffer, type = 'image/jpeg'): Promise<Answer> {
  const headers = { 'content-type': type };
  return platform.call(local(address), { method: 'PUT', headers, body: bytes });
}

const objects = (): string[] =>
  (fs.readdirSync(folder, { recursive: true, withFileTypes: true }) as fs.Dirent[])
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

async function assetRow(uri: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await database.query(`select * from identity.asset where id = $1`, [uuidOf('ast', uri.slice(8))]);
  return row as Record<string, unknown> | undefined;
}

describe('an upload address', () => {
  it('is given for a kind, and for a purpose with its content type', async () => {
    const byKind = await presign({ kind: 'doc_front' });
    expect(byKind).toMatchObject({ stored_uri: expect.stringMatching(/^asset:\/\/ast_/), max_bytes: 10 * 1024 * 1024 });
    expect(byKind.upload_url).toMatch(/^http:\/\/platform\.test\/uploads\/ast_/);
    expect(new Date(byKind.expires_at).getTime()).toBeGreaterThan(Date.now());
    const byPurpose = await presign({ purpose: 'doc_back', content_type: 'image/png' });
    expect(byPurpose.stored_uri).not.toBe(byKind.stored_uri);
  });

  it.each([
    [{}, '/kind'],
    [{ purpose: 'selfie' }, '/content_type'],
    [{ kind: 'selfie', purpose: 'selfie', content_type: 'image/png' }, '/purpose'],
    [{ kind: 'passport' }, '/kind'],
    [{ purpose: 'selfie', content_type: 'image/heic' }, '/content_type'],
    [{ kind: 'selfie', url: 'https://example.com/me.jpg' }, '/url'],
  ])('is refused for %j with a pointer', async (body, pointer) => {
    const answer = await platform.call<{ errors: { pointer: string }[] }>(
      `/v1/kyc/subjects/${session.subject_id}/presign-upload`,
      { key: tenant.apiKey, body },
    );
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error) => error.pointer)).toContain(pointer);
  });

  it('is given to a session token for its own subject alone', async () => {
    const other = await flows.open();
    const bearer = { authorization: `Bearer ${session.session_token}` };
    const ask = (subject: string) =>
      platform.call(`/v1/kyc/subjects/${subject}/presign-upload`, { body: { kind: 'selfie' }, headers: bearer });
    expect((await ask(session.subject_id)).status).toBe(201);
    expect((await ask(other.subject_id)).status).toBe(401);
    expect((await ask('sub_00000000000000000000000000')).status).toBe(401);
  });

  it('is not given for another tenant’s subject', async () => {
    const stranger = await testTenant(database);
    const path = `/v1/kyc/subjects/${session.subject_id}/presign-upload`;
    expect((await platform.call(path, { key: stranger.apiKey, body: { kind: 'selfie' } })).status).toBe(404);
  });
});

describe('a picture that is uploaded', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('as %s is kept once, encrypted under its subject’s key', async (type) => {
    const { upload_url, stored_uri } = await presign();
    const before = objects().length;
    expect((await put(upload_url, await picture(type), `image/${type}`)).status).toBe(204);
    const row = (await assetRow(stored_uri)) as { id: string; version: number; subject_id: string; sha256: Buffer };
    expect(row).toMatchObject({ status: 'stored', content_type: 'image/jpeg', width: 320, height: 200, version: 1 });
    expect(objects()).toHaveLength(before + 1);

    const sealed = fs.readFileSync(path.join(folder, 'subjects', tenant.id, row.subject_id, `${row.id}.v1`));
    expect(sealed.includes(Buffer.from('ffd8ff', 'hex'))).toBe(false);
    const opened = await openStored(sealed, row);
    expect(await sharp(opened).metadata()).toMatchObject({ format: 'jpeg', width: 320 });

    const again = await put(upload_url, await picture(type), `image/${type}`);
    expect([again.status, again.body.type]).toEqual([409, 'http://platform.test/problems/state-conflict']);
  });

  it('loses place, camera and turned pixels', async () => {
    const photo = await phonePicture();
    expect(photo.includes('CanaryPhone')).toBe(true);
    const { upload_url, stored_uri } = await presign();
    expect((await put(upload_url, photo)).status).toBe(204);
    const row = (await assetRow(stored_uri)) as { id: string; subject_id: string };
    const opened = await openStored(objectOf(row), row);
    expect(opened.includes('CanaryPhone')).toBe(false);
    const { exif, width, height, orientation } = await sharp(opened).metadata();
    expect({ exif, width, height, orientation }).toEqual({ width: 200, height: 300 });
  });

  it('that is also something else is kept as a picture only', async () => {
    const polyglot = Buffer.concat([await picture(), Buffer.from('PK\x03\x04<script>alert(1)</script>')]);
    const { upload_url, stored_uri } = await presign();
    expect((await put(upload_url, polyglot)).status).toBe(204);
    const row = (await assetRow(stored_uri)) as { id: string; subject_id: string };
    expect((await openStored(objectOf(row), row)).includes('<script>')).toBe(false);
  });

  it('by many at once to one address is kept once', async () => {
    const { upload_url } = await presign();
    const before = objects().length;
    const photo = await picture();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => put(upload_url, photo)))).map((a) => a.status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(7);
    expect(objects()).toHaveLength(before + 1);
  });
});

describe('a picture of a session', () => {
  const uuidOfAsset = (uri: string) => uuidOf('ast', uri.slice(8));
  /** A run of a step that is over, as advance and the worker leave it. */
  async function addRun(
    type: 'document' | 'face',
    { attempt, effect, input }: { attempt: number; effect: 'accept' | 'retry'; input: object },
  ): Promise<void> {
    await database.query(
      `insert into identity.step_run (id, tenant_id, session_id, subject_id, step_type, attempt, input_hash, input, status, outcome,
         effect, deadline_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, 'applied', 'pass', $9, now() + interval '1 hour')`,
      [
        ...[uuidv7(), tenant.id, uuidOf('fls', session.id), uuidOf('sub', session.subject_id), type, attempt],
        ...[Buffer.alloc(32), JSON.stringify({ v: 1, ...input }), effect],
      ],
    );
  }
  async function stored(kind: string, width = 320): Promise<string> {
    const { upload_url, stored_uri } = await presign({ kind });
    expect(
      (
        await put(
          upload_url,
          await sharp(await picture())
            .resize(width)
            .jpeg()
            .toBuffer(),
        )
      ).status,
    ).toBe(204);
    return stored_uri;
  }
  /** As the last step of a flow leaves it, or a person's decision. */
  const setStatus = (status: string, reason: string | null = null) =>
    database.query(
      'update identity.flow_session set status = $2, current_step = null, rejection_reason = $3 where id = $1',
      [uuidOf('fls', session.id), status, reason],
    );
  const addressOf = (kind: string) => `/v1/flows/sessions/${session.id}/pictures/${kind}`;
  const tokenOf = async (role: Role, of = tenant) => (await testMember(database, of.id, role)).token;
  const readings = () =>
    database.query(`select actor_name, object_id, data from platform.audit_entry where tenant_id = $1 and type = $2`, [
      tenant.id,
      'session_picture.read',
    ]);

  it('is shown to a member who may review, and the audit log says who looked', async () => {
    const uri = await stored('doc_front');
    await addRun('document', { attempt: 1, effect: 'accept', input: { doc_front: uuidOfAsset(uri), doc_back: null } });
    await setStatus('manual_review');
    const analyst = await tokenOf('analyst');
    const answer = await fetch(`${platform.url}${addressOf('doc_front')}`, {
      headers: { authorization: `Bearer ${analyst}` },
    });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'image/jpeg',
      'no-store',
    ]);
    const shown = Buffer.from(await answer.arrayBuffer());
    expect(await sharp(shown).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 200 });
    const read = { actor_name: 'Member analyst', object_id: session.id, data: '{"after":{"kind":"doc_front"}}' };
    expect(await readings()).toEqual([read]);

    const statuses = [
      await platform.call(addressOf('doc_front'), { key: tenant.apiKey }),
      await platform.call(addressOf('doc_front'), { member: await tokenOf('auditor') }),
      await platform.call(addressOf('doc_front'), { headers: { authorization: `Bearer ${session.session_token}` } }),
      await platform.call(addressOf('doc_front'), { member: await tokenOf('owner', await testTenant(database)) }),
      await platform.call(addressOf('doc_back'), { member: analyst }),
      await platform.call(addressOf('liveness_frame'), { member: analyst }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 401, 404, 404, 404]);
    expect(await readings()).toEqual([read]);

    await platform.call(`/v1/kyc/subjects/${session.subject_id}`, { method: 'DELETE', key: tenant.apiKey });
    expect((await platform.call(addressOf('doc_front'), { member: analyst })).status).toBe(404);
  });

  it('is that of the attempt that was accepted, else of the last one', async () => {
    const [front, back, laterFront, selfie, laterSelfie] = [
      ...[await stored('doc_front', 210), await stored('doc_back', 220), await stored('doc_front', 230)],
      ...[await stored('selfie', 240), await stored('selfie', 250)],
    ].map(uuidOfAsset);
    await addRun('document', { attempt: 1, effect: 'accept', input: { doc_front: front, doc_back: back } });
    await addRun('document', { attempt: 2, effect: 'retry', input: { doc_front: laterFront, doc_back: null } });
    await addRun('face', { attempt: 1, effect: 'retry', input: { selfie } });
    await addRun('face', { attempt: 2, effect: 'retry', input: { selfie: laterSelfie } });
    await setStatus('manual_review');
    const headers = { authorization: `Bearer ${await tokenOf('analyst')}` };
    const widths = ['doc_front', 'doc_back', 'selfie'].map(async (kind) => {
      const answer = await fetch(`${platform.url}${addressOf(kind)}`, { headers });
      return (await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width;
    });
    expect(await Promise.all(widths)).toEqual([210, 220, 250]);
  });

  it('is shown while a person has to decide, also a second one, and neither before nor after', async () => {
    const uri = await stored('doc_front');
    await addRun('document', { attempt: 1, effect: 'accept', input: { doc_front: uuidOfAsset(uri), doc_back: null } });
    const member = await tokenOf('analyst');
    const status = async () => (await platform.call(addressOf('doc_front'), { member })).status;
    const running = await status();
    await setStatus('manual_review');
    const one = await status();
    await database.query('update identity.flow_session set pending_approval = true where id = $1', [
      uuidOf('fls', session.id),
    ]);
    const waiting = await status();
    await setStatus('completed');
    const approved = await status();
    await setStatus('failed', 'manual_review');
    expect([running, one, waiting, approved, await status()]).toEqual([404, 200, 200, 404, 404]);
    expect(await readings()).toHaveLength(2);
  });
});

describe('an upload that is wrong', () => {
  const wrong: [string, number, () => Promise<Answer>][] = [
    [
      'an altered address',
      401,
      async () => put((await presign()).upload_url.replace(/max=\d+/, 'max=99999999'), await picture()),
    ],
    ['an altered signature', 401, async () => put(`${(await presign()).upload_url}x`, await picture())],
    [
      'a type that pictures do not have',
      415,
      async () => put((await presign()).upload_url, await picture(), 'text/html'),
    ],
    [
      'another type than announced',
      415,
      async () => put((await presign({ purpose: 'selfie', content_type: 'image/png' })).upload_url, await picture()),
    ],
    ['other bytes than the type says', 415, async () => put((await presign()).upload_url, await picture('png'))],
    ['bytes of no picture', 415, async () => put((await presign()).upload_url, Buffer.from('GIF89a and so on'))],
    ['too many bytes', 413, async () => put((await presign()).upload_url, Buffer.alloc(10 * 1024 * 1024 + 1, 0xff))],
    ['144 megapixels', 413, async () => put((await presign()).upload_url, await bomb(), 'image/png')],
    ['half a picture', 422, async () => put((await presign()).upload_url, (await picture()).subarray(0, 400))],
  ];

  it.each(wrong)('with %s is answered %i and leaves nothing behind', async (_what, status, send) => {
    const before = objects();
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(objects()).toEqual(before);
  });

  it('too large and without a length is cut off while it arrives', async () => {
    const { upload_url } = await presign();
    const address = new URL(`${platform.url}${local(upload_url)}`);
    const status = await new Promise<number>((resolve, reject) => {
      const request = http.request(
        address,
        { method: 'PUT', headers: { 'content-type': 'image/jpeg' } },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
          request.destroy();
        },
      );
      request.on('error', reject);
      const send = (left: number): void => {
        if (left > 0 && !request.destroyed) request.write(Buffer.alloc(1024 * 1024, 0xff), () => send(left - 1));
      };
      send(40);
    });
    expect(status).toBe(413);
  });

  it('after its time is answered 401, although its signature is right', async () => {
    const { stored_uri } = await presign();
    const signed = (expiresAt: Date): string =>
      new UploadAddresses('http://platform.test', TEST_SECRETS_KEY).addressOf({
        assetId: uuidOf('ast', stored_uri.slice(8)) as string,
        tenantId: tenant.id,
        expiresAt,
        maxBytes: 1_000_000,
        type: null,
      });
    const before = objects();
    const late = await put(signed(new Date(Date.now() - 1_000)), await picture());
    expect(late).toMatchObject({
      status: 401,
      body: { detail: expect.stringContaining('time of this upload address') },
    });
    expect(objects()).toEqual(before);
    expect((await put(signed(new Date(Date.now() + 60_000)), await picture())).status).toBe(204);
  });

  it('address is answered before any of its bytes are asked for', async () => {
    const { upload_url } = await presign();
    expect(await offered(upload_url, await picture())).toEqual({ status: 204, asked: true });
    expect(await offered(`${upload_url}x`, await picture())).toEqual({ status: 401, asked: false });
  });

  it('may be tried again with a right picture', async () => {
    const { upload_url } = await presign();
    expect((await put(upload_url, Buffer.from('no picture at all'))).status).toBe(415);
    expect((await put(upload_url, await picture())).status).toBe(204);
  });

  it('does not keep the next one from being decoded', async () => {
    const bytes = await bomb(); // made before: four at once take all threads that connections to the store are opened by
    const bombs = Promise.all(
      Array.from({ length: 4 }, async () => put((await presign()).upload_url, bytes, 'image/png')),
    );
    expect((await put((await presign()).upload_url, await picture())).status).toBe(204);
    expect((await bombs).map(({ status }) => status)).toEqual([413, 413, 413, 413]);
  });
});

/** Offers bytes and sends them only when the server asks for them. */
function offered(address: string, bytes: Buffer): Promise<{ status: number; asked: boolean }> {
  return new Promise((resolve, reject) => {
    let asked = false;
    const headers = { 'content-type': 'image/jpeg', 'content-length': bytes.length, expect: '100-continue' };
    const request = http.request(`${platform.url}${local(address)}`, { method: 'PUT', headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, asked });
      if (!asked) request.destroy();
    });
    request.on('error', reject).on('continue', () => {
      asked = true;
      request.end(bytes);
    });
    request.flushHeaders();
  });
}

async function openStored(sealed: Buffer, row: { id: string; subject_id: string }): Promise<Buffer> {
  const [subject] = await database.query<{ wrapped_key: Buffer }>(
    `select wrapped_key from identity.subject where id = $1`,
    [row.subject_id],
  );
  const keys = new DataKeys('alias/constancia-data', { region: 'us-east-1', endpoint: platform.kms.url });
  const key = await keys.unwrap(subject?.wrapped_key as Buffer, subjectKeyContext(tenant.id, row.subject_id));
  keys.close();
  return openObject(key, sealed, { tenantId: tenant.id, subjectId: row.subject_id, assetId: row.id, version: 1 });
}

const objectOf = ({ id, subject_id }: { id: string; subject_id: string }): Buffer =>
  fs.readFileSync(path.join(folder, 'subjects', tenant.id, subject_id, `${id}.v1`));
