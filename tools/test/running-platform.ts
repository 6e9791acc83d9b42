import { loadConfig } from '@constancia/config';
import { checkedFetch, TEST_QUEUE_SEALING_KEY, TEST_SECRETS_KEY, type TestDatabase } from '@constancia/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../apps/platform/src/app.ts';
import { PlatformConfig } from '../../apps/platform/src/config.ts';

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

/** An address that no other test calls from, so that one test's limits are not another's. */
export function someIp(): string {
  const byte = () => Math.floor(Math.random() * 254) + 1;
  return `198.${byte()}.${byte()}.${byte()}`;
}

/**
 * Starts the platform in this process, behind one trusted proxy: each call says in X-Forwarded-For whom it comes from. Every
 * answer is held against docs/api/platform.v1.yaml.
 */
export async function runningPlatform(
  database: Pick<TestDatabase, 'app' | 'queueUrl'>,
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
    SECRETS_KEY: TEST_SECRETS_KEY,
    QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Constancia <no-reply@constancia.example>',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    LOG_LEVEL: 'error',
    ...env,
  });
  const app = await createApp(config);
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const fetchChecked = checkedFetch({ platform: url });
  return {
    app,
    url,
    async call<Body>(path: string, { method, key, body, headers }: Call = {}) {
      const response = await fetchChecked(`${url}${path}`, {
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
