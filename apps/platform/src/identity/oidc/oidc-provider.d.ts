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

  /** The claims that a client requested, by name: the members of the parameter `claims`. */
  export type RequestedClaims = Record<string, unknown>;

  export interface Account {
    accountId: string;
    claims(use: 'id_token' | 'userinfo', scope: string, claims: RequestedClaims): Promise<Record<string, unknown>>;
  }

  export class Client {
    clientId: string;
    clientName: string;
    clientSecret: string;
    clientAuthMethod: string;
    redirectUris: string[];
    scope: string;
    tenant_id: string;
    compareClientSecret(actual: string): boolean;
  }

  export interface Context {
    type: string;
    status: number;
    body: unknown;
    method: string;
    path: string;
    set(name: string, value: string): void;
    response: { get(name: string): string; is(type: string): string | false };
    acceptsLanguages(...languages: string[]): string | false;
    oidc: {
      client: Client;
      route: string;
      params: Record<string, string | undefined>;
      claims: { userinfo?: RequestedClaims; id_token?: RequestedClaims };
      requestParamScopes: Set<string>;
      result?: { consent?: object; login?: object };
      session?: SignedInSession & { state?: { postLogoutRedirectUri?: string }; past(seconds: number): boolean };
      grant?: Grant;
      /** Undefined: nobody is signed in, or findAccount did not find them. */
      account?: Account;
    };
  }

  /** Of a browser. Seconds. */
  export interface SignedInSession {
    accountId?: string;
    loginTs?: number;
  }

  /** A code or token, by which a person is looked up. Seconds. */
  export interface IssuedToken {
    authTime?: number;
    iat?: number;
  }

  export class Grant {
    jti: string | undefined;
    constructor(of: { accountId: string; clientId: string });
    addOIDCScope(scope: string): void;
    addOIDCClaims(claims: string[]): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  /** A person is asked to sign in, or to agree. */
  export interface Interaction {
    uid: string;
    prompt: {
      name: string;
      details: {
        missingOIDCScope?: string[];
        missingOIDCClaims?: string[];
        missingResourceScopes?: Record<string, string[]>;
        /** At `login`: what the ID token has to say. */
        acr?: { essential?: boolean; value?: string; values?: string[] };
      };
    };
    params: Record<string, string | undefined>;
    session?: { accountId?: string; uid?: string };
    grantId?: string;
    /** Seconds. */
    exp: number;
  }

  export interface InteractionResult {
    login?: { accountId: string; acr: string; amr: string[]; remember: boolean };
    consent?: { grantId: string };
    error?: string;
    error_description?: string;
  }

  type Req = import('node:http').IncomingMessage;
  type Res = import('node:http').ServerResponse;

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    proxy: boolean;
    silent: boolean;
    Client: { new (): Client; prototype: Client; find(id: string): Promise<Client | undefined> };
    Session: { findByUid(uid: string): Promise<SignedInSession | undefined> };
    Interaction: { find(uid: string): Promise<Interaction | undefined> };
    AccessToken: new (of: Record<string, unknown>) => { save(): Promise<string> };
    Grant: typeof Grant & { find(id: string): Promise<Grant | undefined> };
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: Req, response: Res) => Promise<void>;
    interactionDetails(request: Req, response: Res): Promise<Interaction>;
    interactionFinished(request: Req, response: Res, result: InteractionResult): Promise<void>;
    on(event: string, listener: (...args: never[]) => void): this;
  }

  /** A key whose private part is elsewhere. */
  export class ExternalSigningKey {
    kid: string;
    alg: string;
    keyObject(): import('node:crypto').KeyObject;
    sign(bytes: Buffer): Promise<Buffer>;
  }

  type CheckOutcome = boolean;
  export namespace interactionPolicy {
    class Check {
      constructor(reason: string, description: string, error: string, check: (context: Context) => CheckOutcome);
      static REQUEST_PROMPT: true;
      static NO_NEED_TO_PROMPT: false;
    }
    interface Policy {
      get(prompt: string): { checks: Check[] };
    }
    function base(): Policy;
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
