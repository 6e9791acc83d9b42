import { createHash } from 'node:crypto';
import { addressBucket } from '../request/client-ip.ts';
import { type Request, tenantIdOf } from '../request/request-state.ts';
import type { Limit } from './rate-limits.ts';

/** What a request is counted in. */
export function bucketOf(limit: Limit, request: Request): string {
  const { clientIp } = request.constancia;
  if (limit.by === 'ip') return ipBucket(limit, clientIp);
  const tenantId = tenantIdOf(request.constancia);
  const ip = addressBucket(clientIp);
  if (limit.by === 'tenant') return `${limit.name}:tenant:${tenantId ?? ip}`;
  if (limit.by === 'tenant-and-ip') return `${limit.name}:tenant:${tenantId ?? ''}:${ip}`;
  if (limit.by === 'principal') return `${limit.name}:principal:${request.constancia.principal?.id ?? ip}`;
  if (limit.by === 'bearer') return `${limit.name}:bearer:${digest(request.headers.authorization ?? '')}`;
  const parameters = request.params as Record<string, string>;
  return `${limit.name}:${limit.by.parameter}:${digest(parameters[limit.by.parameter] ?? '')}`;
}

export function ipBucket(limit: Limit, clientIp: string): string {
  return `${limit.name}:ip:${addressBucket(clientIp)}`;
}

/** What is counted may be a credential: the limiter's store gets its digest only. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
