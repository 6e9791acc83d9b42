import { listenForOperators } from '@constancia/http';
import { checkedFetch, ContractChecker } from '@constancia/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

export interface OpsAnswer<Body> {
  status: number;
  body: Body;
}

/** The ops port of an app that runs in this process, as an operator with the token uses it. Every answer is held against docs/api/ops.v1.yaml. */
export interface OpsPort {
  url: string;
  token: string;
  get<Body = Record<string, unknown>>(path: string): Promise<OpsAnswer<Body>>;
  post<Body = Record<string, unknown>>(path: string, body?: unknown, operator?: string): Promise<OpsAnswer<Body>>;
  close(): Promise<void>;
}

/** Opens it. Paths begin after /ops. */
export async function opsPortOf(app: NestFastifyApplication): Promise<OpsPort> {
  const token = 'a-token-of-at-least-32-characters!';
  const server = await listenForOperators(app, { token });
  const url = `http://127.0.0.1:${server.port}`;
  ContractChecker.of('ops'); // read once, before anything is timed
  const fetch = checkedFetch({ ops: url });
  const send = async <Body>(method: string, path: string, body?: unknown, operator = 'noche') => {
    const response = await fetch(`${url}/ops${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'x-operator': operator },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  };
  return {
    url,
    token,
    get: (path) => send('GET', path),
    post: (path, body, operator) => send('POST', path, body, operator),
    close: () => server.close(),
  };
}
