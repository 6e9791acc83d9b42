import { InvalidApiKey, Unauthorized } from '@constancia/problem-json';
import { bearerToken } from './bearer-token.ts';
import { hostOf } from '../routes/hosts.ts';
import { nowSeconds, show, type Shown } from './shown-limits.ts';
import type { HttpOptions } from '../http-options.ts';
import { type Attempts, Identification } from './identification.ts';
import type { Limit } from './rate-limits.ts';
import type { RequestLimits } from './request-limits.ts';
import type { Reply, Request } from '../request/request-state.ts';
import type { RouteFacts } from '../routes/route-facts.ts';
import type { PresentedCredential, Principal } from '../request/principal.ts';
import type { CredentialHolder, HolderLookup } from '../request/credential-holder.ts';
import type { PersonPrincipal } from '../request/person.ts';

/**
 * Decides who a request is made for and whether it is still within its limits, before anything else of it is read, and puts the
 * X-RateLimit headers on its answer, whatever that will be. Rejects with InvalidApiKey or RateLimitExceeded.
 */
export class Admission {
  private readonly principals = new Identification<Principal>();
  private readonly holders = new Identification<CredentialHolder>();
  private readonly persons = new Identification<PersonPrincipal>();

  constructor(
    private readonly options: Pick<HttpOptions, 'authenticator' | 'pathCredentials' | 'bearers' | 'findPerson'>,
    private readonly limits: RequestLimits,
  ) {}

  /** The answer's headers for a route that is never refused: a full bucket. */
  showUnlimited(reply: Reply): void {
    const { ip } = this.limits;
    const { limit, windowSeconds } = ip;
    const resetAtSeconds = nowSeconds() + windowSeconds;
    show(reply, ip, { allowed: true, limit, remaining: limit, resetAtSeconds, retryAfterSeconds: 0 }, ip.policy);
  }

  /** Counts bytes that are no request against their address; answers the headers that tell its limit. */
  async countUnreadable(clientIp: string): Promise<[name: string, value: string][]> {
    const headers: [string, string][] = [];
    const shown: Shown = {
      header(name, value) {
        headers.push([name, value]);
        return shown;
      },
    };
    const { ip } = this.limits;
    show(shown, ip, await this.limits.takeOfAddress(clientIp), ip.policy);
    return headers;
  }

  /** Answers no promise where nothing had to be waited for: the caller is known, and this process counts alone. */
  admit(route: RouteFacts, request: Request, reply: Reply): Promise<void> | undefined {
    if (route.credential !== undefined || route.bearerCredential !== undefined) {
      return this.admitHolder(route, request, reply);
    }
    if (route.person) return this.admitPerson(route, request, reply);
    if (route.public !== true) {
      const presented = presentedBy(request);
      const known = presented && this.options.authenticator.cached(presented);
      if (known === undefined) return this.admitUnknown(route, presented, request, reply);
      request.constancia.principal = known;
    }
    return this.limits.count(route, request, reply);
  }

  private async admitHolder(route: RouteFacts, request: Request, reply: Reply): Promise<void> {
    request.constancia.holder = await this.holderOf(route, request, reply);
    if (request.constancia.holder === undefined) return; // counted and shown already
    await this.limits.count(route, request, reply);
  }

  private async admitPerson(route: RouteFacts, request: Request, reply: Reply): Promise<void> {
    request.constancia.person = await this.personOf(request, reply);
    await this.limits.count(route, request, reply);
  }

  private async admitUnknown(
    route: RouteFacts,
    presented: PresentedCredential | undefined,
    request: Request,
    reply: Reply,
  ): Promise<void> {
    request.constancia.principal = await this.identify(route, presented, request, reply);
    await this.limits.count(route, request, reply);
  }

  /** The holder of the route's own credential; undefined for a wrong one, which counts against its address alone. */
  private async holderOf(route: RouteFacts, request: Request, reply: Reply): Promise<CredentialHolder | undefined> {
    const { credential, find } = this.ownCredential(route, request);
    const attempts = this.attempts(this.limits.ip, request, reply);
    // Not shared: a read that joined one which began before a write was answered would not see that write.
    const found = this.holders.identify({ credential, lookUp: () => find(credential), attempts });
    return (await this.shown(found, request, reply)) ?? undefined;
  }

  /** Who is signed in. A wrong token counts as a wrong key does. */
  private async personOf(request: Request, reply: Reply): Promise<PersonPrincipal> {
    const { findPerson } = this.options;
    if (findPerson === undefined) throw new Error('routes with RequirePerson need HttpOptions.findPerson');
    const credential = bearerToken(request.headers, '') ?? '';
    const attempts = this.attempts(this.limits.wrongKey, request, reply);
    const found = this.persons.identify({ credential, lookUp: () => findPerson(credential), attempts });
    const person = await this.shown(found, request, reply);
    if (person === null) throw new Unauthorized();
    return person;
  }

  /** The credential in the path or the bearer token, and its look-up. */
  private ownCredential(
    { credential: parameter, credentialKind: kind = '', bearerCredential: prefix = '' }: RouteFacts,
    request: Request,
  ): { credential: string; find: HolderLookup } {
    const { bearers } = this.options;
    if (parameter === undefined) {
      const find = bearers?.[prefix];
      if (find === undefined) throw new Error(`routes with BearerCredential need HttpOptions.bearers: ${prefix}`);
      return { credential: bearerToken(request.headers, prefix) ?? '', find };
    }
    const known = this.options.pathCredentials?.[kind];
    if (known === undefined) throw new Error(`routes with PathCredential need HttpOptions.pathCredentials: ${kind}`);
    const seen = { method: request.method, headers: request.headers, host: hostOf(request.raw) };
    const credential = (request.params as Record<string, string>)[parameter] ?? '';
    return { credential, find: (text) => known.find(text, seen) };
  }

  /** The principal; undefined where the route accepts another bearer token and one was presented. */
  private async identify(
    route: RouteFacts,
    presented: PresentedCredential | undefined,
    request: Request,
    reply: Reply,
  ): Promise<Principal | undefined> {
    const attempts = this.attempts(this.limits.wrongKey, request, reply);
    if (presented !== undefined) {
      const { kind, text: credential, clientIp } = presented;
      const lookUp = () => this.options.authenticator.resolve(presented);
      const flight = `${clientIp}\n${credential}`;
      const found = this.principals.identify({ credential, lookUp, attempts, flight });
      const principal = await this.shown(found, request, reply);
      if (principal === null) throw kind === 'key' ? new InvalidApiKey() : new Unauthorized();
      return principal;
    }
    const { bearerPrefixes = [] } = route;
    const prefix = bearerPrefixes.find((one) => bearerToken(request.headers, one) !== undefined);
    const token = bearerToken(request.headers, prefix);
    const find = this.options.bearers?.[prefix ?? ''];
    if (token !== undefined && find !== undefined) {
      const flight = `${request.constancia.clientIp}\n${token}`;
      const found = this.holders.identify({ credential: token, lookUp: () => find(token), attempts, flight });
      const holder = await this.shown(found, request, reply);
      if (holder === null) throw new Unauthorized();
      request.constancia.holder = holder;
      return undefined;
    }
    await attempts.take();
    if (token === undefined) throw new InvalidApiKey();
    request.constancia.bearerToken = token;
    return undefined;
  }

  /** Attempts with a credential, counted by a limit. */
  private attempts(limit: Limit, request: Request, reply: Reply): Attempts {
    return {
      take: async () => {
        const decision = await this.limits.take(limit, request);
        show(reply, limit, decision, limit.policy);
        if (!decision.allowed) throw this.limits.refusal(limit, decision);
      },
      giveBack: () => this.limits.giveBack(limit, request),
    };
  }

  private async shown<Found>(found: Promise<Found>, request: Request, reply: Reply): Promise<Found> {
    try {
      return await found;
    } catch (error) {
      // Not counted above (the store is unavailable, or the credential is known): the answer still states its limit.
      if (reply.getHeader('x-ratelimit-limit') === undefined) {
        const { ip } = this.limits;
        show(reply, ip, await this.limits.take(ip, request), ip.policy);
      }
      throw error;
    }
  }
}

const MEMBER_TOKEN = /^Bearer +(mbt_\S{1,4092})$/i;

/** The API key or the member token of a request; with both, the key counts. */
function presentedBy({ headers, constancia: { clientIp } }: Request): PresentedCredential | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string') return { kind: 'key', text: key, clientIp };
  const token = headers.authorization === undefined ? undefined : MEMBER_TOKEN.exec(headers.authorization)?.[1];
  return token === undefined ? undefined : { kind: 'member', text: token, clientIp };
}
