import type { Scope } from '@constancia/contracts';
import type { PageHostName } from './hosts.ts';
import { mark } from './route-facts.ts';

/** The route needs no credential. On a handler or on a whole controller. */
export function Public(): MethodDecorator & ClassDecorator {
  return mark({ public: true });
}

/** The principal needs this scope, or one of these; without one it gets 403, which names them. Every route that needs a principal states it. */
export function RequireScope(...scopes: [Scope, ...Scope[]]): MethodDecorator & ClassDecorator {
  return mark({ scopes });
}

/** The principal needs all of these scopes; without one it gets 403, which names those that it lacks. */
export function RequireEveryScope(...scopes: [Scope, ...Scope[]]): MethodDecorator & ClassDecorator {
  return mark({ scopes, everyScope: true });
}

/** Of the members only owners may use the route, whatever scopes other roles have. Keys may by their scopes. */
export function OwnersOnly(): MethodDecorator & ClassDecorator {
  return mark({ ownersOnly: true });
}

/** Every principal of the tenant may use the route, whatever its scopes. */
export function AnyScope(): MethodDecorator & ClassDecorator {
  return mark({ scopes: [] });
}

/**
 * The route works while the tenant is being closed: it gives something up, manages who may do so, or finishes what was begun. Without it
 * only GET does.
 */
export function WhileClosing(): MethodDecorator & ClassDecorator {
  return mark({ whileClosing: true });
}

/** A key in its grace may use the route, although it has lost its scope: the handler decides what it may still do. */
export function AllowInGrace(): MethodDecorator & ClassDecorator {
  return mark({ allowInGrace: true });
}

/**
 * The answer may lack what was written in the last seconds: what the handler reads in snapshots (Database.snapshot) may come from a replica.
 * For GET of lists, exports and statistics, of whose results nothing is written; the API description says so.
 */
export function MayBeStale(): MethodDecorator & ClassDecorator {
  return mark({ mayBeStale: true });
}

/**
 * `Authorization: Bearer <prefix>…` is accepted instead of the API key, with any of the prefixes; CurrentTenant is undefined then. Where
 * HttpOptions.bearers has the prefix, the token is looked up first, as a key is, and the handler gets whose it is through Holder. Else
 * the handler gets it through BearerToken and checks it itself, and attempts count as those with a wrong key do (30 a minute per IP).
 */
export function AllowBearerToken(...prefixes: [string, ...string[]]): MethodDecorator & ClassDecorator {
  return mark({ bearerPrefixes: prefixes });
}

/** A mailed recovery token (`rec_…`) is accepted instead of the API key. */
export function AllowRecoveryToken(): MethodDecorator & ClassDecorator {
  return AllowBearerToken('rec_');
}

/** A path segment is a credential: problems and logs show the route pattern (`/v1/sign/{token}`), never the path. */
export function SecretPath(): MethodDecorator & ClassDecorator {
  return mark({ secretPath: true });
}

/**
 * A path parameter is the credential, instead of an API key. Its holder is looked up (HttpOptions.pathCredentials[kind]) before anything
 * else is read; a right one counts against the holder's tenant and the address, a wrong one against the address. The handler gets
 * the holder through Holder, and answers 404 when there is none. Problems and logs show the route pattern (SecretPath).
 */
export function PathCredential(parameter: string, kind: string): MethodDecorator & ClassDecorator {
  return mark({ public: true, secretPath: true, credential: parameter, credentialKind: kind });
}

/**
 * `Authorization: Bearer <prefix>…` is the credential, instead of an API key. Its holder is looked up (HttpOptions.bearers) and counted as
 * that of PathCredential is: the handler gets the holder through Holder, and answers 404 when there is none.
 */
export function BearerCredential(prefix: string): MethodDecorator & ClassDecorator {
  return mark({ public: true, bearerCredential: prefix });
}

/**
 * A person who is signed in to their wallet, by `Authorization: Bearer`, instead of an API key: HttpOptions.findPerson looks them up. The
 * handler gets them through CurrentPerson; anyone else gets 401.
 */
export function RequirePerson(): MethodDecorator & ClassDecorator {
  return mark({ public: true, person: true });
}

/**
 * The address itself, signed, is the credential, instead of an API key. HttpOptions.addresses[name] checks it before the body is read;
 * the handler gets what it allows through Holder.
 */
export function SignedAddress(name: string): MethodDecorator & ClassDecorator {
  return mark({ public: true, signedAddress: name });
}

/** The route takes a larger JSON body than others do (1 MiB): up to this many bytes, else 413. */
export function JsonBodyLimit(bytes: number): MethodDecorator & ClassDecorator {
  return mark({ jsonLimitBytes: bytes });
}

/** The route is answered on a page host, too (HttpOptions.pageHosts), so that its pages need no other origin. */
export function AlsoOnPageHost(name: PageHostName = 'page'): MethodDecorator & ClassDecorator {
  return mark({ hosts: ['api', name] });
}

/** The route is answered on a page host only (HttpOptions.pageHosts): what pages need and programs do not. */
export function OnPageHost(name: PageHostName = 'page'): MethodDecorator & ClassDecorator {
  return mark({ hosts: [name] });
}

/** The answer is a page of the page host: it gets the headers of its pages, not those of data. */
export function AppPage(): MethodDecorator {
  return mark({ page: 'app' });
}

/** A body of any content type is taken, up to 64 KiB, and dropped: for announcements whose body proves nothing. */
export function IgnoreBody(): MethodDecorator & ClassDecorator {
  return mark({ ignoresBody: true });
}

/** The body is application/x-www-form-urlencoded: each name once, with a text. The handler checks it. */
export function FormBody(): MethodDecorator {
  return mark({ form: true });
}

/** A route of OAuth or OpenID: whatever goes wrong is answered as {error, error_description} (RFC 6749, section 5.2), never as a problem. */
export function OAuthAnswers(): MethodDecorator & ClassDecorator {
  return mark({ oauth: true });
}
