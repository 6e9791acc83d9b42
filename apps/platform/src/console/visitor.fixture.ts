import { eventually } from '@constancia/testing';
import { expect } from 'vitest';
import { someIp } from '../running-platform.fixture.ts';
import type { RunningConsole } from './running-console.fixture.ts';

/** What the console's pages are answered with, as far as tests look at it. */
export interface SignedIn {
  member: { id: string; email: string; role: string };
  tenant: { id: string };
  session: { id: string; method: string };
  choose?: { tenant_id: string; name: string }[];
  required?: string;
  token?: string;
  detail?: string;
}

/** A browser on the console host: keeps the cookie that it was given. */
export class Visitor {
  cookie = '';
  readonly ip = someIp();

  constructor(private readonly running: Pick<RunningConsole, 'url' | 'mailbox'>) {}

  async call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.running.url}/console/session${path}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': this.ip,
        ...(this.cookie !== '' && { cookie: this.cookie }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const set = response.headers.get('set-cookie');
    if (set !== null) this.cookie = set.split(';')[0] as string;
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      set,
      body: (text === '' ? {} : JSON.parse(text)) as SignedIn,
    };
  }

  /** Asks for a code and reads it from the mail. */
  async codeFor(email: string): Promise<string> {
    const before = this.running.mailbox.messages(email).length;
    expect((await this.call('POST', '/code', { email })).status).toBe(202);
    return eventually(() => {
      const mails = this.running.mailbox.messages(email).filter(({ text }) => /^\d{6}$/m.test(text));
      const code =
        this.running.mailbox.messages(email).length > before
          ? /^(\d{6})\r?$/m.exec(mails[0]?.text ?? '')?.[1]
          : undefined;
      if (code === undefined) throw new Error('no code yet');
      return code;
    }, 10_000);
  }
}
