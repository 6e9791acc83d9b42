import { checkedFetch, ContractDocument } from '@constancia/testing';

export interface Call {
  method?: string;
  key?: string;
  /** A member token. */
  member?: string;
  /** Sent as JSON; texts and bytes as they are. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
  text: string;
}

export interface Problem {
  type: string;
  status: number;
  detail: string;
  instance: string;
  request_id: string;
  errors?: { pointer: string; code: string; detail: string }[];
}

/** Sends one request to a running app. The answer's body is null when it is not JSON. */
export type CallApp = <Body = Record<string, unknown>>(path: string, call?: Call) => Promise<Answer<Body>>;

type App = Parameters<typeof ContractDocument.load>[0];

/**
 * What a test calls an app with. Every answer is held against docs/api/<app>.v1.yaml. `everyCall` gives headers that each
 * call has and may replace.
 */
export function callsTo(app: App, url: string, everyCall: () => Record<string, string> = () => ({})): CallApp {
  const fetchChecked = checkedFetch({ [app]: url });
  return async <Body>(path: string, { method, key, member, body, headers }: Call = {}) => {
    const response = await fetchChecked(`${url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...everyCall(),
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(member === undefined ? {} : { authorization: `Bearer ${member}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await response.text();
    const json = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: (json ? JSON.parse(text) : null) as Body,
      text,
    };
  };
}
