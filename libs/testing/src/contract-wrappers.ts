import type { Contract } from './contract-document.ts';
import { ContractChecker } from './contract.ts';

/** The fetch of this platform, as far as tests use it. */
export type CheckedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A fetch that checks every response of these hosts against the app's committed OpenAPI file. Other hosts pass unchecked.
 *
 * @param baseUrls address of each app: { platform: 'http://127.0.0.1:4000' }
 */
export function checkedFetch(baseUrls: Partial<Record<Contract, string>>): CheckedFetch {
  const apps = new Map(Object.entries(baseUrls).map(([app, url]) => [new URL(url).origin, app as Contract]));
  return async (input, init) => {
    const response = await fetch(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    const app = apps.get(url.origin);
    if (app) {
      ContractChecker.of(app).check({
        method: (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase(),
        url: url.pathname + url.search,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: new Uint8Array(await response.clone().arrayBuffer()),
      });
    }
    return response;
  };
}

/** What checkedInject needs of an app: NestFastifyApplication and FastifyInstance both have it. */
export interface Injectable<Options, Answer> {
  inject(options: Options): Promise<Answer>;
}

interface InjectedRequest {
  method?: string;
  url?: unknown;
  path?: unknown;
}

interface InjectedAnswer {
  statusCode: number;
  headers: Record<string, string | number | string[] | undefined>;
  rawPayload: Buffer;
}

/** The `inject` of an app, with every response checked against docs/api/<name>.v1.yaml. */
export function checkedInject<Options extends InjectedRequest | string, Answer extends InjectedAnswer>(
  app: Injectable<Options, Answer>,
  name: Contract,
): (options: Options) => Promise<Answer> {
  return async (options) => {
    const answer = await app.inject(options);
    const { method, url, path } =
      typeof options === 'string' ? { method: 'GET', url: options, path: undefined } : options;
    ContractChecker.of(name).check({
      method: (method ?? 'GET').toUpperCase(),
      url: pathOf(url ?? path),
      status: answer.statusCode,
      headers: Object.fromEntries(
        Object.entries(answer.headers).map(([key, value]) => [key, value === undefined ? undefined : String(value)]),
      ),
      body: answer.rawPayload,
    });
    return answer;
  };
}

/** light-my-request takes a path, an address, or its parts. */
function pathOf(url: unknown): string {
  const text = typeof url === 'string' ? url : String((url as { pathname?: string } | undefined)?.pathname ?? '/');
  return /^https?:\/\//.test(text) ? text.replace(/^https?:\/\/[^/]+/, '') || '/' : text;
}
