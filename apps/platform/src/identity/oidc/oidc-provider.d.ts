/** The part of oidc-provider 9.13 that is used here: the package has no types of its own. */
declare module 'oidc-provider' {
  export interface AdapterPayload {
    [member: string]: unknown;
    uid?: string;
    grantId?: string;
    accountId?: string;
    consumed?: number;
  }

  export interface Adapter {
    upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<unknown>;
    find(id: string): Promise<AdapterPayload | undefined>;
    findByUid(uid: string): Promise<AdapterPayload | undefined>;
    consume(id: string): Promise<unknown>;
    destroy(id: string): Promise<unknown>;
    revokeByGrantId(grantId: string): Promise<unknown>;
  }

  export interface ErrorOut {
    error: string;
    error_description?: string;
    state?: string;
  }

  export namespace errors {
    class OIDCProviderError extends Error {
      constructor(status: number, message: string);
      error: string;
      statusCode: number;
      expose: boolean;
    }
    class InvalidGrant extends OIDCProviderError {
      constructor(detail?: string);
    }
    class InvalidRequest extends OIDCProviderError {
      constructor(description?: string);
    }
    class InvalidRequestUri extends OIDCProviderError {
      constructor(description?: string);
    }
    class InvalidTarget extends OIDCProviderError {
      constructor(description?: string);
    }
    class SessionNotFound extends InvalidRequest {}
  }
}
