import { createHash } from 'node:crypto';
import { listenForPages } from '@constancia/http';
import { PdfPool } from '@constancia/pdf-sealing';
import {
  ContractChecker,
  testBrand,
  testDatabase,
  type TestDatabase,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EnvelopeView } from '../envelopes/envelope-view.ts';
import { reasonDigest } from '../envelope-records/person-digest.ts';
import { minimalPdf, type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { consentText } from '../signer-requests/consent-texts.ts';
import { pngOf } from './png.fixture.ts';
import { ANSWERS, definitionOf, EVERY_FIELD, Signing } from './sign.fixture.ts';

let database: TestDatabase;
let running: RunningSigning;
let tenant: TestTenant;
let signing: Signing;

beforeAll(async () => {
  database = await testDatabase();
  running = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
});

beforeEach(async () => {
  tenant = await testTenant(database, { credits: 10_000 });
  signing = new Signing(running, database, tenant.apiKey);
});

afterAll(async () => {
  await running?.close();
  await database?.drop();
});

const UNKNOWN = 'A'.repeat(43);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const pointers = (problem: Problem) => problem.errors?.map(({ pointer, code }) => `${pointer} ${code}`);
const events = async () =>
  (
    await database.query<{ event_type: string; signer: string | null }>(
      `select event_type, body::jsonb -> 'payload' -> 'signer' ->> 'role' as signer
         from platform.event where tenant_id = $1 order by event_id`,
      [tenant.id],
    )
  ).map(({ event_type, signer }) => `${event_type} ${signer}`);

describe('GET /v1/sign/{token}', () => {
  test('gives the signer everything that the page needs, and nothing of the others', async () => {
    const { a } = await signing.tokens(
      {
        ...EVERY_FIELD,
        signers: [...EVERY_FIELD.signers, { role: 'b', auth: ['access_code'], order: 1 }],
        fields: [...EVERY_FIELD.fields, { key: 'other', page: 1, x: 72, y: 600, type: 'signature', signer: 'b' }],
      },
      [
        { role: 'a', name: 'Ana Ñungo', email: 'ana.nungo@correo.example.co' },
        { role: 'b', name: 'Berta', email: 'berta@otra.example', access_code: 'ceiba-2026' },
      ],
      { subject: 'Compraventa', message: 'Por favor firme.' },
    );
    const { body, headers } = await signing.get(a as string);
    expect(body).toMatchObject({
      envelope: {
        id: expect.stringMatching(/^env_/),
        public_id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
        subject: 'Compraventa',
        message: 'Por favor firme.',
        tenant: { display_name: `Tenant ${tenant.slug}`, color: null, logo: null },
        status: 'in_progress',
        locale: 'es-CO',
        expires_at: expect.any(String),
      },
      signer: { role: 'a', name: 'Ana Ñungo', email_masked: 'a***@c***.co', status: 'viewed', signed_at: null },
      document: {
        page_count: 1,
        base_sha256: sha256(minimalPdf(1)),
        shown_sha256: null,
        needs_authentication: false,
      },
      auth: {
        required: ['otp_email'],
        completed: [],
        otp: expect.objectContaining({ sent: false }),
        access_code: null,
      },
      consent: consentText('es-CO'),
      next: 'consent',
      draft: null,
    });
    expect(body.fields.map(({ key, type, required, label, value }) => [key, type, required, label, value])).toEqual([
      ['signature', 'signature', true, null, null],
      ['initials', 'initials', true, null, null],
      ['name', 'name', true, null, null],
      ['date', 'date', true, null, null],
      ['city', 'text', false, 'Ciudad', null],
      ['agrees', 'checkbox', true, null, null],
      ['news', 'checkbox', false, null, null],
    ]);
    expect(body.fields[0]).toMatchObject({ page: 1, x: 72, y: 120, width: 180, height: 48 });
    const { consent: _, ...facts } = body;
    expect(JSON.stringify(facts)).not.toMatch(/berta|other|ana\.nungo|correo/i);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await signing.get(a as string, '?locale=en')).body.consent).toEqual(consentText('en'));
    expect((await signing.get<Problem>(a as string, '?locale=fr')).status).toBe(400);
  });

  test('shows the colour of the sender, and its logo on the host of the page', async () => {
    const { shown, bytes } = await testBrand(database, tenant.id);
    const { a } = await signing.tokens(EVERY_FIELD, [{ role: 'a', name: 'Ana Ñungo', email: 'ana@correo.example.co' }]);
    const { envelope } = (await signing.get(a as string)).body;
    expect(envelope.tenant).toMatchObject(shown);
    const { path } = shown.logo;
    const pages = `http://127.0.0.1:${await listenForPages(running.app)}`;
    const logo = await fetch(pages + path);
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await logo.arrayBuffer())).toEqual(bytes);
    expect((await fetch(`${pages}/logos/${'0'.repeat(64)}.png`)).status).toBe(404);
    expect((await fetch(running.url + path)).status).toBe(404);
  });

  test('opening the link is recorded once for each signer, and a HEAD request does not open it', async () => {
    const sent = await signing.envelope(await signing.circuit(definitionOf([{ role: 'a' }, { role: 'b' }])), [{ role: 'a' }, { role: 'b' }]); // prettier-ignore
    const [a, b] = sent.signers.map(({ sign_token }) => sign_token);
    const looked = await fetch(`${running.url}/v1/sign/${a}`, { method: 'HEAD' });
    expect([looked.status, await events()]).toEqual([200, ['seal.envelope.sent null']]);
    const states = await Promise.all(Array.from({ length: 5 }, () => signing.state(a as string)));
    expect(new Set(states.map(({ signer }) => signer.status))).toEqual(new Set(['viewed']));
    await signing.state(b as string);
    const opened = (await signing.trail(sent.id)).filter(({ type }) => type === 'signer.link_opened');
    expect(opened.map(({ role }) => role)).toEqual(['a', 'b']);
    expect(await events()).toEqual(['seal.envelope.sent null']); // nobody was shown the document
  });

  test('a signer whose turn has not come waits, and may not look at the document', async () => {
    const { b } = await signing.tokens(definitionOf([{ role: 'a' }, { role: 'b', order: 2 }]), [
      { role: 'a' },
      { role: 'b' },
    ]);
    expect(await signing.state(b as string)).toMatchObject({
      next: 'wait',
      signer: { status: 'waiting' },
      envelope: { status: 'sent' },
    });
    expect((await signing.get<Problem>(b as string, '/document')).status).toBe(409);
    expect(await events()).toEqual(['seal.envelope.sent null']);
  });
});

describe('tokens', () => {
  const answerOf = async (token: string, path: string, body?: object) => {
    const { status, headers, bytes } =
      body === undefined ? await signing.get(token, path) : await signing.post(token, path, body);
    const stable = Object.fromEntries(headers);
    for (const name of ['x-request-id', 'date', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit'])
      delete stable[name];
    return { status, stable, problem: { ...(JSON.parse(bytes.toString()) as Problem), request_id: '' } };
  };

  test('unknown, replaced, expired and voided ones get the same answer, to the byte, whatever is asked', async () => {
    const circuit = await signing.circuit();
    const [replaced, expired, voided] = await Promise.all([1, 2, 3].map(() => signing.envelope(circuit)));
    for (const sent of [replaced, expired, voided]) await signing.state(sent?.signers[0]?.sign_token as string);
    await signing.asTenant('POST', `/v1/envelopes/${replaced?.id}/signers/${replaced?.signers[0]?.id}/rotate-token`);
    await signing.expire(expired?.id as string);
    expect((await signing.asTenant('POST', `/v1/envelopes/${voided?.id}/void`, { reason: 'x' })).status).toBe(200);
    const tokens = [replaced, expired, voided].map((sent) => sent?.signers[0]?.sign_token as string);
    const requests: [string, object?][] = [
      [''],
      ['/document'],
      ['consent', { accepted: true, locale: 'en', version: '2026-11' }],
      ['otp/send', {}],
      ['otp/verify', { code: '000000' }],
      ['access-code', { code: 'ceiba' }],
      ['sign', ANSWERS],
      ['decline', { reason: 'no' }],
      ['consent', { nonsense: 1 }],
    ];
    for (const [path, body] of requests) {
      const unknown = await answerOf(UNKNOWN, path, body);
      expect([path, unknown.status, unknown.problem.type]).toEqual([
        path,
        404,
        'http://platform.test/problems/not-found',
      ]);
      for (const token of [...tokens, 'short', `${UNKNOWN}A`, `${UNKNOWN.slice(1)}.`]) {
        expect(await answerOf(token, path, body)).toEqual(unknown);
      }
    }
    expect((await answerOf(UNKNOWN, '')).problem.instance).toBe('/v1/sign/{token}');
  });

  test('one that is voided while its request is under way finds nothing any more', async () => {
    const sent = await signing.envelope(await signing.circuit());
    const token = sent.signers[0]?.sign_token as string;
    await signing.authenticated(token);
    const [signed, ended] = await Promise.all([
      signing.sign(token),
      signing.asTenant('POST', `/v1/envelopes/${sent.id}/void`, { reason: 'x' }),
    ]);
    expect([signed.status, ended.status]).toSatisfy(([one, other]) => (one === 200 && other === 409) || (one === 404 && other === 200)); // prettier-ignore
  });
});

describe('GET …/document', () => {
  test('is the document as it was sent, then with what others filled in, and its hash is evidence', async () => {
    const { a, b } = await signing.tokens(definitionOf([{ role: 'a' }, { role: 'b' }]), [{ role: 'a' }, { role: 'b' }]);
    await signing.get<string>(b as string, '/document');
    expect((await signing.state(b as string)).document.shown_sha256).toBeNull(); // by the link alone: no evidence
    await signing.authenticated(b as string);
    const first = await signing.get<string>(b as string, '/document');
    expect(first.bytes).toEqual(minimalPdf(1));
    expect(first.headers.get('x-document-sha256')).toBe(sha256(first.bytes));
    expect(first.headers.get('content-type')).toBe('application/pdf');
    expect(first.headers.get('content-length')).toBe(String(first.bytes.length));
    expect(await signing.state(b as string)).toMatchObject({
      signer: { status: 'authenticated' },
      document: { shown_sha256: sha256(first.bytes) },
    });

    await signing.signed(a as string);
    const second = await signing.get<string>(b as string, '/document', {
      'if-none-match': first.headers.get('etag') as string,
    });
    expect(second.status).toBe(200);
    expect(second.bytes.subarray(0, first.bytes.length)).toEqual(first.bytes);
    expect(second.bytes.length).toBeGreaterThan(first.bytes.length);
    expect((await signing.get<string>(b as string, '/document')).bytes).toEqual(second.bytes);
    const held = await signing.get<string>(b as string, '/document', {
      'if-none-match': second.headers.get('etag') as string,
    });
    expect([held.status, held.bytes.length]).toEqual([304, 0]);
    expect((await signing.state(b as string)).document.shown_sha256).toBe(sha256(second.bytes));
    expect((await signing.row(a as string)).document_shown_sha256).toBeNull();

    await signing.sign(b as string);
    await signing.get(b as string, '/document');
    expect((await signing.state(b as string)).document.shown_sha256).toBe(sha256(second.bytes));
  });

  test('waits for authentication when the circuit says so', async () => {
    const definition = definitionOf([{ role: 'a' }], { document_access: 'authenticated' });
    const { a } = await signing.tokens(definition, [{ role: 'a' }]);
    expect((await signing.get<Problem>(a as string, '/document')).status).toBe(409);
    expect((await signing.row(a as string)).status).toBe('pending');
    await signing.authenticated(a as string);
    expect((await signing.get(a as string, '/document')).status).toBe(200);
  });
});

describe('POST …/consent', () => {
  test('keeps which text it was, and when', async () => {
    const { a } = await signing.tokens(definitionOf([{ role: 'a' }]), [{ role: 'a' }]);
    await signing.state(a as string);
    const { status, body } = await signing.post(a as string, 'consent', {
      accepted: true,
      locale: 'en',
      version: '2026-11',
    });
    expect([status, body.next, body.signer.status, body.consent.locale]).toEqual([200, 'otp', 'consented', 'en']);
    expect(await signing.row(a as string)).toMatchObject({
      consent_version: '2026-11',
      consent_locale: 'en',
      consent_sha256: Buffer.from(consentText('en').sha256, 'hex'),
      consented_at: expect.any(Date),
    });
  });

  test.each([
    [{ accepted: false, locale: 'en', version: '2026-11' }, 400, '/accepted not_allowed'],
    [{ accepted: 'yes', locale: 'en', version: '2026-11' }, 400, '/accepted wrong_type'],
    [{ accepted: true, locale: 'fr', version: '2026-11' }, 400, '/locale not_allowed'],
    [{ accepted: true, locale: 'en' }, 400, '/version required'],
    [{ accepted: true, locale: 'en', version: '2020-01' }, 409, undefined],
  ])('is refused for %j', async (body, status, pointer) => {
    const { a } = await signing.tokens(definitionOf([{ role: 'a' }]), [{ role: 'a' }]);
    await signing.state(a as string);
    const answer = await signing.post<Problem>(a as string, 'consent', body);
    expect([answer.status, pointers(answer.body)?.[0]]).toEqual([status, pointer]);
  });
});

describe('POST …/sign', () => {
  test('takes a value for every kind of field, and keeps the evidence', async () => {
    const sent = await signing.envelope(await signing.circuit(EVERY_FIELD), [{ role: 'a', name: 'Ana Ñungo' }]);
    const token = sent.signers[0]?.sign_token as string;
    await signing.authenticated(token);
    const shown = await signing.get<string>(token, '/document');
    const { status, body } = await signing.sign(token, {
      fields: { ...ANSWERS.fields, city: 'Bogota\u0301', news: false },
    });
    expect([status, body.next, body.signer.status, body.envelope.status]).toEqual([200, 'done', 'signed', 'sealing']);
    expect(body.fields.find(({ key }) => key === 'city')?.value).toBe('Bogotá');
    const row = await signing.row(token);
    expect(row).toMatchObject({
      signature_type: 'typed',
      signature_text: 'Ana Ñungo',
      signature_sha256: createHash('sha256').update('Ana Ñungo').digest(),
      field_values: { initials: 'AÑ', name: 'Ana Ñungo', date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), city: 'Bogotá', agrees: true, news: false }, // prettier-ignore
      signed_ip: '127.0.0.1',
      otp_hash: null,
    });
    const trail = await signing.trail(sent.id);
    expect(trail.map(({ type }) => type)).toEqual([
      'envelope.sent', 'signer.link_opened', 'signer.consented', 'signer.otp_sent', 'signer.authenticated',
      'signer.document_shown', 'signer.signed',
    ]); // prettier-ignore
    expect(trail.at(-1)).toMatchObject({
      role: 'a',
      ip: '127.0.0.1',
      data: {
        intent: true,
        document_sha256: sha256(shown.bytes),
        signature_type: 'typed',
        signature_sha256: (row.signature_sha256 as Buffer).toString('hex'),
      },
    });
    const salt = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(trail[4]?.data).toEqual({ method: 'otp_email', outcome: 'verified', complete: true, salt });
    expect(JSON.stringify(trail)).not.toContain('Bogotá');
    expect(await events()).toEqual(['seal.envelope.sent null', 'seal.envelope.viewed a', 'seal.envelope.signed a']);
  });

  test('takes a drawing, which is drawn on the document that the next signer reads', async () => {
    const { a, b } = await signing.tokens(definitionOf([{ role: 'a' }, { role: 'b', order: 2 }]), [
      { role: 'a' },
      { role: 'b' },
    ]);
    await signing.authenticated(a as string);
    const image = pngOf({ width: 60, height: 20 });
    const { status } = await signing.sign(a as string, {
      signature: { type: 'drawn', image: image.toString('base64') },
    });
    expect(status).toBe(200);
    expect((await signing.row(a as string)).signature_image).toEqual(image);
    const { bytes } = await signing.get<string>(b as string, '/document');
    expect(bytes.includes('/Subtype /Image') || bytes.includes('/Subtype/Image')).toBe(true);
  });

  test('a second click is answered with the state; another signature is 409', async () => {
    const sent = await signing.envelope(await signing.circuit());
    const token = sent.signers[0]?.sign_token as string;
    await signing.authenticated(token);
    const clicks = await Promise.all([signing.sign(token), signing.sign(token), signing.sign(token)]);
    expect(clicks.map(({ status, body }) => [status, body.next])).toEqual([[200, 'done'], [200, 'done'], [200, 'done']]); // prettier-ignore
    expect((await signing.sign(token, { signature: { type: 'typed', text: 'Otra' } })).status).toBe(409);
    expect((await signing.trail(sent.id)).filter(({ type }) => type === 'signer.signed')).toHaveLength(1);
  });

  test('the seal is due at once, though the clock of the process is an hour ahead', async () => {
    const sent = await signing.envelope(await signing.circuit());
    const token = sent.signers[0]?.sign_token as string;
    await signing.authenticated(token);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    try {
      expect((await signing.sign(token)).body.envelope.status).toBe('sealing');
    } finally {
      vi.useRealTimers();
    }
    const due = await database.query(
      'select retry_at <= clock_timestamp() as due from signing.envelope where tenant_id = $1',
      [tenant.id],
    );
    expect(due).toEqual([{ due: true }]);
  });

  test.each([
    [{ intent: false }, ['/intent not_allowed']],
    [{ intent: undefined }, ['/intent required']],
    [{ signature: { type: 'typed', text: '' } }, ['/signature/text too_short']],
    [{ signature: { type: 'stamped' } }, ['/signature/type not_allowed']],
    [{ signature: 'Ana' }, ['/signature wrong_type']],
    [{ fields: {} }, ['/fields/agrees required', '/fields/initials required']],
    [{ fields: { ...ANSWERS.fields, theirs: 'x', agrees: 'yes' } }, ['/fields/agrees wrong_type', '/fields/theirs unknown_member']],
    [{ fields: { ...ANSWERS.fields, city: 'palabra '.repeat(240) } }, ['/fields/city text_overflow']],
    [{ fields: { ...ANSWERS.fields, city: '漢字' } }, ['/fields/city unsupported_text']],
    [{ signature: { type: 'typed', text: '漢字' } }, ['/signature/text unsupported_text']],
    [{ signature: { type: 'drawn', image: pngOf({ width: 2, height: 1, rows: [Buffer.alloc(8)] }).toString('base64') } }, ['/signature/image invalid_image']],
    [{ extra: 1 }, ['/extra unknown_member']],
  ])('is refused, with pointers, for %j', async (changes, expected) => {
    const sent = await signing.envelope(await signing.circuit(EVERY_FIELD), [{ role: 'a', name: 'Ana' }]);
    const token = sent.signers[0]?.sign_token as string;
    await signing.authenticated(token);
    const answer = await signing.sign(token, { fields: ANSWERS.fields, ...changes });
    expect(answer.status).toBe(400);
    expect(pointers(answer.body)?.sort()).toEqual(expected);
    expect((await signing.row(token)).status).toBe('authenticated');
  }); // prettier-ignore

  test('the last of an order opens the next one, with its invitation', async () => {
    const roles = [{ role: 'a' }, { role: 'b' }, { role: 'c', order: 2 }];
    const { a, b, c } = await signing.tokens(
      definitionOf(roles),
      roles.map(({ role }) => ({ role })),
    );
    await signing.signed(a as string);
    expect((await signing.state(c as string)).next).toBe('wait');
    expect((await signing.signed(b as string)).envelope.status).toBe('in_progress');
    expect((await signing.state(c as string)).next).toBe('consent');
    const [mail] = await database.query(
      `select count(*)::int as n from signing.signer_mail m join signing.envelope_signer s on s.id = m.signer_id
        where s.token_hash = sha256($1::bytea) and m.kind = 'invitation'`,
      [Buffer.from(c as string)],
    );
    expect(mail).toEqual({ n: 1 });
    expect((await signing.signed(c as string)).envelope.status).toBe('sealing');
  });

  test('while the PDFs cannot be read it is 503, and the signer can try again', async () => {
    const { a } = await signing.tokens(definitionOf([{ role: 'a' }]), [{ role: 'a' }]);
    await signing.authenticated(a as string);
    const pool = running.app.get(PdfPool);
    const draw = pool.draw.bind(pool);
    pool.draw = () => Promise.reject(new Error('no process'));
    const refused = await signing.sign(a as string);
    pool.draw = draw;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect((await signing.sign(a as string)).status).toBe(200);
  });
});

describe('POST …/decline', () => {
  test('ends the envelope: every other link shows it and does nothing any more', async () => {
    const sent = await signing.envelope(await signing.circuit(definitionOf([{ role: 'a' }, { role: 'b' }])), [{ role: 'a' }, { role: 'b' }]); // prettier-ignore
    const [a, b] = sent.signers.map(({ sign_token }) => sign_token) as [string, string];
    await signing.authenticated(b);
    await signing.authenticated(a);
    const { status, body } = await signing.post(a, 'decline', { reason: '  El valor no es el acordado. ' });
    expect([status, body.signer.status, body.envelope.status, body.next]).toEqual([
      200,
      'declined',
      'declined',
      'done',
    ]);
    expect(await signing.state(b)).toMatchObject({
      signer: { status: 'authenticated' },
      envelope: { status: 'declined' },
      next: 'done',
    });
    for (const [path, request] of [['sign', ANSWERS], ['decline', { reason: 'x' }]] as const) {
      expect((await signing.post<Problem>(b, path, request)).status).toBe(409);
    } // prettier-ignore
    expect((await signing.get<Problem>(b, '/document')).status).toBe(409);
    const reason = 'El valor no es el acordado.';
    const { person_salt } = await signing.row(a);
    expect((await signing.trail(sent.id)).at(-1)).toMatchObject({
      type: 'signer.declined',
      role: 'a',
      data: { reason_sha256: reasonDigest(reason, person_salt as Buffer) },
    });
    const shown = await signing.asTenant<EnvelopeView>('GET', `/v1/envelopes/${sent.id}`);
    expect(shown.body.signers[0]?.decline_reason).toBe(reason);
    expect((await events()).at(-1)).toBe('seal.envelope.declined a');
  });

  test.each([[{}], [{ reason: '   ' }], [{ reason: 'x'.repeat(1001) }]])('needs a reason: not %j', async (body) => {
    const { a } = await signing.tokens(definitionOf([{ role: 'a' }]), [{ role: 'a' }]);
    await signing.state(a as string);
    expect(pointers((await signing.post<Problem>(a as string, 'decline', body)).body)?.[0]).toMatch(/^\/reason /);
  });
});
