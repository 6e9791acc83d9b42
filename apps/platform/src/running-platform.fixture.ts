import { loadConfig } from '@constancia/config';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from './app.ts';
import { PlatformConfig } from './config.ts';

/** The part of libs/testing's TestDatabase that is used here. */
interface DatabaseAddresses {
  app(schema: string): string;
  queueUrl: string;
}

export interface Call {
  method?: string;
  key?: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
  text: string;
}

export interface RunningPlatform {
  app: NestFastifyApplication;
  url: string;
  call<Body = Record<string, unknown>>(path: string, call?: Call): Promise<Answer<Body>>;
  close(): Promise<void>;
}

const KEY_OF_SEVENS = Buffer.alloc(32, 7).toString('base64'); // TEST_SECRETS_KEY of libs/testing

/** An address that no other test calls from, so that one test's limits are not another's. */
export function someIp(): string {
  const byte = () => Math.floor(Math.random() * 254) + 1;
  return `198.${byte()}.${byte()}.${byte()}`;
}

/** Starts the platform in this process, behind one trusted proxy: each call says in X-Forwarded-For whom it comes from. */
export async function runningPlatform(
  database: DatabaseAddresses,
  env: Record<string, string> = {},
): Promise<RunningPlatform> {
  const config = loadConfig(PlatformConfig, {
    SERVICE_ENVIRONMENT: 'sandbox',
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_URL: 'http://platform.test',
    TRUSTED_PROXY_HOPS: '1',
    DATABASE_URL: database.app('platform'),
    QUEUE_DATABASE_URL: database.queueUrl,
    SECRETS_KEY: KEY_OF_SEVENS,
    QUEUE_SEALING_KEY: Buffer.alloc(32, 9).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Constancia <no-reply@constancia.example>',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    LOG_LEVEL: 'error',
    ...env,
  });
  const app = await createApp(config);
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  return {
    app,
    url,
    async call<Body>(path: string, { method, key, body, headers }: Call = {}) {
      const response = await fetch(`${url}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          'x-forwarded-for': someIp(),
          ...(key === undefined ? {} : { 'x-api-key': key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        redirect: 'manual',
      });
      const text = await response.text();
      const json = /json/.test(response.headers.get('content-type') ?? '');
      return {
        status: response.status,
        headers: response.headers,
        body: (json ? JSON.parse(text) : null) as Body,
        text,
      };
    },
    close: () => app.close(),
  };
}
