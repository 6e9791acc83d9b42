import { InvalidApiKey, RateLimitExceeded, Unauthorized } from '@constancia/problem-json';
import { bearerToken } from './bearer-token.ts';
import { hostOf } from '../routes/hosts.ts';
import { bucketOf, ipBucket } from './buckets.ts';
import { nowSeconds, show, type Shown } from './shown-limits.ts';
import type { HttpOptions } from '../http-options.ts';
import { type Attempts, Identification } from './identification.ts';
import { MINUTE, limitOf, policiesFor, type Limit, type RateDecision, type RateLimiter } from './rate-limits.ts';
import { type Reply, type Request, tenantIdOf } from '../request/request-state.ts';
import type { RouteFacts } from '../routes/route-facts.ts';
import type { PresentedCredential, Principal } from '../request/principal.ts';
import type { CredentialHolder, HolderLookup } from '../request/credential-holder.ts';
import type { PersonPrincipal } from '../request/person.ts';

/** The general limits of a deployment, a minute each. */
export interface GeneralLimits {
  /** Per tenant and address. */
  tenant: number;
  /** Per tenant, across all addresses. */
  tenantTotal: number;
  ip: number;
  wrongKey: number;
}

/**
 * Decides who a request is made for and whether it is still within its limits, before anything else of it is read, and puts the
 * X-RateLimit headers on its answer, whatever that will be. Rejects with InvalidApiKey or RateLimitExceeded.
 */
export class Admission {
  private readonly principals = new Identification<Principal>();
  private readonly holders = new Identification<CredentialHolder>();
  private readonly persons = new Identification<PersonPrincipal>();
  private readonly special = new Map<RouteFacts, Limit[]>();
  private readonly tenant: Limit;
  private readonly tenantTotal: Limit;
  private readonly ip: Limit;
  private readonly wrongKey: Limit;

  constructor(
    private readonly options: Pick<
      HttpOptions,
      'authenticator' | 'pathCredentials' | 'bearers' | 'findPerson' | 'policies'
    >,
    private readonly limiter: RateLimiter,
    limits: GeneralLimits,
    private readonly refused: (policy: string) => void,
  ) {
    this.tenant = limitOf('default', limits.tenant, MINUTE, 'tenant-and-ip');
    this.tenantTotal = limitOf('tenant', limits.tenantTotal, MINUTE, 'tenant');
    this.ip = limitOf('default', limits.ip, MINUTE, 'ip');
    this.wrongKey = limitOf('wrong-key', limits.wrongKey, MINUTE, 'ip');
  }

  /** The limits of a route of its own, beside the general ones. */
  private specialOf(route: RouteFacts): Limit[] {
    const method = route.method === 'HEAD' ? 'GET' : route.method;
    const found = this.special.get(route) ?? policiesFor(this.options.policies ?? [], method, route.pattern);
    this.special.set(route, found);
    return found;
  }

  /** The answer's headers for a route that is never refused: a full bucket. */
  showUnlimited(reply: Reply): void {
    const { limit, windowSeconds } = this.ip;
    const resetAtSeconds = nowSeconds() + windowSeconds;
    show(
      reply,
      this.ip,
      { allowed: true, limit, remaining: limit, resetAtSeconds, retryAfterSeconds: 0 },
      this.ip.policy,
    );
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
    const { limit, windowSeconds, policy } = this.ip;
    show(shown, this.ip, await this.limiter.take(ipBucket(this.ip, clientIp), limit, windowSeconds), policy);
    return headers;
  }

  async admit(route: RouteFacts, request: Request, reply: Reply): Promise<void> {
    const special = this.specialOf(route);
    const state = request.constancia;
    if (route.credential !== undefined || route.bearerCredential !== undefined) {
      state.holder = await this.holderOf(route, request, reply);
      if (state.holder === undefined) return; // counted and shown already
    } else if (route.person) {
      state.person = await this.personOf(request, reply);
    } else if (route.public !== true) {
      const presented = presentedBy(request);
      const cached = presented && this.options.authenticator.cached(presented);
      state.principal = cached ?? (await this.identify(route, presented, request, reply));
    }
    const ofTenant = tenantIdOf(state) !== undefined && route.pattern.startsWith('/v1/');
    const general = ofTenant ? [this.tenant, this.tenantTotal] : [this.ip];
    const counted = special.some(({ replacesGeneral }) => replacesGeneral) ? [] : general;
    await this.takeAll([...special, ...counted], request, reply);
  }

  /** The holder of the route's own credential; undefined for a wrong one, which counts against its address alone. */
  private async holderOf(route: RouteFacts, request: Request, reply: Reply): Promise<CredentialHolder | undefined> {
    const { credential, find } = this.ownCredential(route, request);
    const attempts = this.attempts(this.ip, request, reply);
    // Not shared: a read that joined one which began before a write was answered would not see that write.
    const found = this.holders.identify({ credential, lookUp: () => find(credential), attempts });
    return (await this.shown(found, request, reply)) ?? undefined;
  }

  /** Who is signed in. A wrong token counts as a wrong key does. */
  private async personOf(request: Request, reply: Reply): Promise<PersonPrincipal> {
    const { findPerson } = this.options;
    if (findPerson === undefined) throw new Error('routes with RequirePerson need HttpOptions.findPerson');
    const credential = bearerToken(request.headers, '') ?? '';
    const attempts = this.attempts(this.wrongKey, request, reply);
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
    const attempts = this.attempts(this.wrongKey, request, reply);
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
        const decision = await this.take(limit, request);
        show(reply, limit, decision, limit.policy);
        if (!decision.allowed) throw this.refuse(limit, decision);
      },
      giveBack: () => this.limiter.giveBack(bucketOf(limit, request), limit.windowSeconds),
    };
  }

  private async shown<Found>(found: Promise<Found>, request: Request, reply: Reply): Promise<Found> {
    try {
      return await found;
    } catch (error) {
      // Not counted above (the store is unavailable, or the credential is known): the answer still states its limit.
      if (reply.getHeader('x-ratelimit-limit') === undefined) {
        show(reply, this.ip, await this.take(this.ip, request), this.ip.policy);
      }
      throw error;
    }
  }

  /**
   * Every limit of a route must allow the request; the one nearest to its end is shown, and what the others took is given back when one
   * refuses. All at once: one round trip, and none for a request that is refused from memory.
   */
  private async takeAll(limits: Limit[], request: Request, reply: Reply): Promise<void> {
    const policies = limits.map(({ policy }) => policy).join(', ');
    const refuse = (limit: Limit, decision: RateDecision): RateLimitExceeded => {
      show(reply, limit, decision, policies);
      return this.refuse(limit, decision);
    };
    for (const limit of limits) {
      const decision = this.limiter.refusedFromMemory?.(bucketOf(limit, request), limit.limit);
      if (decision) throw refuse(limit, decision);
    }
    const taken = await Promise.all(
      limits.map(async (limit) => ({ limit, decision: await this.take(limit, request) })),
    );
    const [refused] = taken.filter(({ decision }) => !decision.allowed);
    if (refused) {
      const others = taken.filter(({ decision }) => decision.allowed);
      const back = ({ limit }: { limit: Limit }) =>
        this.limiter.giveBack(bucketOf(limit, request), limit.windowSeconds);
      await Promise.all(others.map(back));
      throw refuse(refused.limit, refused.decision);
    }
    const narrower = taken.reduce((a, b) => (b.decision.remaining < a.decision.remaining ? b : a));
    show(reply, narrower.limit, narrower.decision, policies);
  }

  private take(limit: Limit, request: Request): Promise<RateDecision> {
    return this.limiter.take(bucketOf(limit, request), limit.limit, limit.windowSeconds);
  }

  private refuse(limit: Limit, decision: RateDecision): RateLimitExceeded {
    this.refused(limit.name);
    const seconds = Math.max(1, decision.retryAfterSeconds);
    return new RateLimitExceeded(
      `Too many requests: at most ${limit.limit} in ${limit.windowSeconds} s. Wait ${seconds} s.`,
      {},
      { 'Retry-After': String(seconds) },
    );
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
