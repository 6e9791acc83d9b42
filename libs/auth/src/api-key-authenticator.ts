import type { Authenticator, Credentials, Tenant } from '@constancia/http';
import type { ApiKeys } from './api-keys.ts';

/** Tells the HTTP kit who a request is made for: by its header X-API-Key. */
export class ApiKeyAuthenticator implements Authenticator {
  constructor(private readonly keys: ApiKeys) {}

  cached(request: Credentials): Tenant | undefined {
    return this.keys.cached(keyOf(request));
  }

  authenticate(request: Credentials): Promise<Tenant | null> {
    return this.keys.resolve(keyOf(request));
  }
}

function keyOf({ headers }: Credentials): string {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : '';
}
