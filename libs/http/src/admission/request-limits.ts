import { RateLimitExceeded } from '@constancia/problem-json';
import { bucketOf, ipBucket } from './buckets.ts';
import { MINUTE, limitOf, policiesFor, type Limit, type RateDecision, type RateLimiter, type RatePolicy } from './rate-limits.ts'; // prettier-ignore
import { type Reply, type Request, tenantIdOf } from '../request/request-state.ts';
import type { RouteFacts } from '../routes/route-facts.ts';
import { show } from './shown-limits.ts';

/** The general limits of a deployment, a minute each. */
export interface GeneralLimits {
  /** Per tenant and address. */
  tenant: number;
  /** Per tenant, across all addresses. */
  tenantTotal: number;
  ip: number;
  wrongKey: number;
}

/** The limits that count a request together, and what RateLimit-Policy says of them. */
interface LimitsTogether {
  limits: readonly Limit[];
  policies: string;
}

interface Counted {
  limit: Limit;
  bucket: string;
}

interface Taken extends Counted {
  decision: RateDecision;
}

interface LimitsOfRoute {
  /** Of a request that is made for a tenant. */
  forTenant: LimitsTogether;
  forAddress: LimitsTogether;
}

/** Counts requests by the limits of their routes and by the general ones. */
export class RequestLimits {
  readonly ip: Limit;
  readonly wrongKey: Limit;
  private readonly ofTenant: Limit[];
  private readonly routes = new Map<RouteFacts, LimitsOfRoute>();

  constructor(
    general: GeneralLimits,
    private readonly policies: readonly RatePolicy[],
    private readonly limiter: RateLimiter,
    private readonly refused: (policy: string) => void,
  ) {
    this.ofTenant = [
      limitOf('default', general.tenant, MINUTE, 'tenant-and-ip'),
      limitOf('tenant', general.tenantTotal, MINUTE, 'tenant'),
    ];
    this.ip = limitOf('default', general.ip, MINUTE, 'ip');
    this.wrongKey = limitOf('wrong-key', general.wrongKey, MINUTE, 'ip');
  }

  /**
   * Every limit of a route must allow the request; the one nearest to its end is shown, and what the others took is given back when one
   * refuses. All at once: one round trip, and none for a request that is refused from memory. Throws, or rejects with, RateLimitExceeded;
   * answers no promise where this process counts alone.
   */
  count(route: RouteFacts, request: Request, reply: Reply): Promise<void> | undefined {
    const { forTenant, forAddress } = this.of(route);
    const { limits, policies } = tenantIdOf(request.constancia) === undefined ? forAddress : forTenant;
    const counted = limits.map((limit) => ({ limit, bucket: bucketOf(limit, request) }));
    for (const { limit, bucket } of counted) {
      const decision = this.limiter.refusedFromMemory?.(bucket, limit.limit);
      if (decision) throw this.shownRefusal({ limit, decision }, policies, reply);
    }
    const taken = counted.map(({ limit, bucket }) => this.limiter.take(bucket, limit.limit, limit.windowSeconds));
    const decided = (decisions: RateDecision[]) =>
      this.decide(
        decisions.map((decision, nth) => ({ ...(counted[nth] as Counted), decision })),
        policies,
        reply,
      );
    return areDecided(taken) ? decided(taken) : Promise.all(taken).then(decided);
  }

  /** Takes one of a limit. */
  take(limit: Limit, request: Request): RateDecision | Promise<RateDecision> {
    return this.limiter.take(bucketOf(limit, request), limit.limit, limit.windowSeconds);
  }

  /** Takes one of an address, for what is no request. */
  takeOfAddress(clientIp: string): RateDecision | Promise<RateDecision> {
    return this.limiter.take(ipBucket(this.ip, clientIp), this.ip.limit, this.ip.windowSeconds);
  }

  /** Returns one of a limit. */
  giveBack(limit: Limit, request: Request): Promise<void> {
    return this.limiter.giveBack(bucketOf(limit, request), limit.windowSeconds);
  }

  /** The problem of a request that a limit refused. */
  refusal(limit: Limit, decision: RateDecision): RateLimitExceeded {
    this.refused(limit.name);
    const seconds = Math.max(1, decision.retryAfterSeconds);
    return new RateLimitExceeded(
      `Too many requests: at most ${limit.limit} in ${limit.windowSeconds} s. Wait ${seconds} s.`,
      {},
      { 'Retry-After': String(seconds) },
    );
  }

  private of(route: RouteFacts): LimitsOfRoute {
    const known = this.routes.get(route);
    if (known !== undefined) return known;
    const method = route.method === 'HEAD' ? 'GET' : route.method;
    const special = policiesFor(this.policies, method, route.pattern);
    const isAlone = special.some(({ replacesGeneral }) => replacesGeneral);
    const together = (general: Limit[]) => limitsTogether([...special, ...(isAlone ? [] : general)]);
    const forAddress = together([this.ip]);
    const forTenant = route.pattern.startsWith('/v1/') ? together(this.ofTenant) : forAddress;
    const limits = { forTenant, forAddress };
    this.routes.set(route, limits);
    return limits;
  }

  private decide(taken: Taken[], policies: string, reply: Reply): Promise<void> | undefined {
    const refused = taken.find(({ decision }) => !decision.allowed);
    if (refused)
      return this.giveBackOthers(taken).then(() => Promise.reject(this.shownRefusal(refused, policies, reply)));
    const narrower = taken.reduce((a, b) => (b.decision.remaining < a.decision.remaining ? b : a));
    show(reply, narrower.limit, narrower.decision, policies);
    return undefined;
  }

  private async giveBackOthers(taken: Taken[]): Promise<void> {
    const others = taken.filter(({ decision }) => decision.allowed);
    await Promise.all(others.map(({ limit, bucket }) => this.limiter.giveBack(bucket, limit.windowSeconds)));
  }

  private shownRefusal({ limit, decision }: Omit<Taken, 'bucket'>, policies: string, reply: Reply): RateLimitExceeded {
    show(reply, limit, decision, policies);
    return this.refusal(limit, decision);
  }
}

function limitsTogether(limits: Limit[]): LimitsTogether {
  return { limits, policies: limits.map(({ policy }) => policy).join(', ') };
}

function areDecided(taken: (RateDecision | Promise<RateDecision>)[]): taken is RateDecision[] {
  return !taken.some((one) => one instanceof Promise);
}
