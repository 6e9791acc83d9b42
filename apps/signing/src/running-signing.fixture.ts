import { constants, createHash, generateKeyPairSync, privateEncrypt, randomUUID, sign } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadConfig } from '@constancia/config';
import { uuidOf } from '@constancia/kernel';
import { PdfPool, seal as sealWithin, selfIssuedCertificate, signatureRoom } from '@constancia/pdf-sealing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { kmsVariables } from '@constancia/testing/test-kms';
import { createApp } from './app.module.ts';
import { SigningConfig } from './config.ts';

/** The part of libs/testing's TestDatabase that is used here. */
interface Addresses {
  app(schema: string): string;
  queueUrl: string;
  query<Row = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<Row[]>;
}

/** The part of an answer that libs/testing's ContractChecker looks at. */
interface SeenResponse {
  method: string;
  url: string;
  status: number;
  headers: Record<string, string | undefined>;
  body: Uint8Array;
}

export interface Call {
  method?: string;
  key?: string;
  /** A member token. */
  member?: string;
  /** An object is sent as JSON, bytes and streams as they are. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
  bytes: Buffer;
}

export interface RunningSigning {
  app: NestFastifyApplication;
  url: string;
  /** Folder of the stored objects. */
  folder: string;
  call<Body = Problem>(path: string, call?: Call): Promise<Answer<Body>>;
  /** Uploads a template and answers its id. */
  template(key: string, placeholders?: object[], pdf?: Buffer): Promise<string>;
  /** Requests a signature and answers its id. */
  signature(key: string, templateId: string, changes?: object): Promise<string>;
  close(): Promise<void>;
}

export interface Problem {
  type: string;
  status: number;
  detail: string;
  instance: string;
  request_id: string;
  errors?: { pointer: string; code: string; detail: string }[];
}

interface Options {
  /** Changes to the configuration. */
  env?: Record<string, string>;
  /** Looks at every answer: libs/testing's ContractChecker, which holds it to docs/api/signing.v1.yaml. */
  check: (seen: SeenResponse) => void;
}

/** Starts the signing app in this process, with limits that tests do not reach. */
export async function runningSigning(database: Addresses, { env = {}, check }: Options): Promise<RunningSigning> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-signing-'));
  const config = loadConfig(SigningConfig, {
    SERVICE_ENVIRONMENT: 'sandbox',
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_URL: 'http://platform.test',
    SIGNING_URL: 'http://signing.test',
    SIGN_URL: 'http://sign.test',
    SMTP_URL: 'smtp://127.0.0.1:1', // nobody listens there: tests of mails name a server of their own
    MAIL_FROM: 'Constancia <no-reply@constancia.example>',
    SIGN_PORT: '0',
    DATABASE_URL: database.app('signing'),
    QUEUE_DATABASE_URL: database.queueUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    QUEUE_SEALING_KEY: Buffer.alloc(32, 9).toString('base64'),
    STORAGE_DIR: folder,
    RATE_LIMIT_TENANT: '100000',
    RATE_LIMIT_IP: '100000',
    RATE_LIMIT_WRONG_KEY: '100000',
    MAILS_PER_ADDRESS: '100000',
    MAILS_PER_SANDBOX_TENANT: '100000',
    MINUTES_BETWEEN_LINK_MAILS: '0',
    LOG_LEVEL: 'error',
    ...(env.SERVICE_ENVIRONMENT === 'production' ? { DATA_KEY_ID: 'alias/data' } : await kmsVariables()),
    ...env,
  });
  const app = await createApp(config);
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const running: RunningSigning = {
    app,
    url,
    folder,
    call: (route, call) => answerOf(check, url, route, call),
    async template(key, placeholders, pdf = minimalPdf()) {
      const headers = {
        'content-type': 'application/pdf',
        ...(placeholders && { 'x-placeholders': JSON.stringify(placeholders) }),
      };
      const route = `/v1/templates?code=t-${randomUUID()}`;
      return idOf(await running.call(route, { key, headers, body: pdf }), 201);
    },
    async signature(key, templateId, changes = {}) {
      const body = { template_id: templateId, subject_ref: 'loan-1', merge_data: {}, ...changes };
      return idOf(await running.call('/v1/signatures', { key, body }), 202);
    },
    async close() {
      await app.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  return running;
}

function idOf({ status, body }: Answer<unknown>, expected: number): string {
  if (status !== expected) throw new Error(`${status} ${JSON.stringify(body)}`);
  return (body as { id: string }).id;
}

async function answerOf<Body>(
  check: (seen: SeenResponse) => void,
  url: string,
  route: string,
  { method, key, member, body, headers }: Call = {},
): Promise<Answer<Body>> {
  const raw = Buffer.isBuffer(body) || body instanceof ReadableStream || typeof body === 'string';
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  const response = await fetch(`${url}${route}`, {
    method: verb,
    headers: {
      ...(key && { 'x-api-key': key }),
      ...(member && { authorization: `Bearer ${member}` }),
      ...(body !== undefined && !raw && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: raw ? body : JSON.stringify(body),
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit);
  const bytes = Buffer.from(await response.arrayBuffer());
  check({
    method: verb,
    url: route,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: bytes,
  });
  const json = /[/+]json/.test(response.headers.get('content-type') ?? '');
  const text = bytes.toString('utf8');
  return { status: response.status, headers: response.headers, body: (json ? JSON.parse(text) : text) as Body, bytes };
}

/** A valid PDF of empty A4 pages. */
export function minimalPdf(pages = 1): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    ...Array.from({ length: pages }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> >>'),
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  text += offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text);
}

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** What KMS does with a digest: RSASSA-PKCS1-v1_5. */
function signDigest(digest: Buffer): Promise<Buffer> {
  const info = Buffer.concat([Buffer.from('3031300d060960864801650304020105000420', 'hex'), digest]);
  return Promise.resolve(privateEncrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, info));
}

/** The key that `seal` signs with. */
export const TEST_KEY = {
  sign: signDigest,
  certificateDer: await selfIssuedCertificate({
    subject: 'CN=Sello, O=Pruebas, C=CO',
    spkiDer: publicKey.export({ type: 'spki', format: 'der' }),
    sign: signDigest,
  }),
  arn: 'arn:aws:kms:us-east-1:111122223333:key/9b2d9d5e-0000-4000-8000-signing-tests',
  pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  fingerprint: createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex'),
};

/** Does to a request what a successful sealing run does, without the worker: stores a file and signs its digest. */
export async function seal(database: Addresses, folder: string, id: string, pdf = minimalPdf(2)): Promise<Buffer> {
  const sha256 = createHash('sha256').update(pdf).digest();
  const key = `documents/tests/${sha256.toString('hex')}.pdf`;
  fs.mkdirSync(path.join(folder, path.dirname(key)), { recursive: true });
  fs.writeFileSync(path.join(folder, key), pdf);
  await database.query(
    `insert into signing.signing_key (fingerprint, key_arn, algorithm, public_key_pem, certificate_der)
     values (decode($1, 'hex'), $2, 'RSASSA_PKCS1_V1_5_SHA_256', $3, $4) on conflict do nothing`,
    [TEST_KEY.fingerprint, TEST_KEY.arn, TEST_KEY.pem, TEST_KEY.certificateDer],
  );
  await database.query(
    `update signing.signature_request
        set status = 'signed', document_sha256 = $2, document_key = $3, document_size = $4, kms_key_arn = $5, signature = $6,
            signature_algorithm = 'RSASSA_PKCS1_V1_5_SHA_256', signed_at = now(), updated_at = now()
      where id = $1`,
    [uuidOf('sig', id), sha256, key, pdf.length, TEST_KEY.arn, sign('sha256', pdf, privateKey)],
  );
  return pdf;
}

/** A file with the signature of TEST_KEY inside, as the sealing run makes it. */
export async function embedded(
  { app }: RunningSigning,
  pdf = minimalPdf(2),
  options: { fieldName?: string; certify?: boolean } = {},
): Promise<Buffer> {
  const identity = { certificateDer: TEST_KEY.certificateDer, chainDer: [] };
  const room = signatureRoom(identity, false);
  const prepared = await app.get(PdfPool).prepare(pdf, [], {}, { fieldName: 'sig', signatureBytes: room, ...options });
  return sealWithin(prepared, { ...identity, sign: TEST_KEY.sign });
}
