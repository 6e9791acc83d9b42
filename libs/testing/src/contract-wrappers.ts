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
