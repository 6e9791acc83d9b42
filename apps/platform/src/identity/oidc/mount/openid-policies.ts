import type { RatePolicy } from '@constancia/http';
import type { PlatformConfig } from '../../../config.ts';

/** Requests that begin a sign-in with OpenID, and that are made on its way, of an address. */
const AUTHORIZATIONS_PER_MINUTE = 60;

/** Each endpoint counts by itself: browsers of persons, and servers of applications, which come from one address for many. */
export function openIdPolicies({ rateLimitIp }: Pick<PlatformConfig, 'rateLimitIp'>): RatePolicy[] {
  const address = { windowSeconds: 60, by: 'ip', replacesGeneral: true } as const;
  const endpoint = (name: string, limit: number, paths: readonly string[]): RatePolicy[] =>
    paths.flatMap((path) =>
      ['GET', 'POST'].map((method) => ({ ...address, name: `openid-${name}`, method, path, limit })),
    );
  return [
    ...endpoint('authorize', AUTHORIZATIONS_PER_MINUTE, ['/v1/oidc/authorize']),
    ...endpoint('par', AUTHORIZATIONS_PER_MINUTE, ['/v1/oidc/par']),
    ...endpoint('interaction', AUTHORIZATIONS_PER_MINUTE, ['/v1/oidc/interaction/:uid', '/openid/:token/*']),
    ...endpoint('token', rateLimitIp, ['/v1/oidc/token']),
    ...endpoint('tokens', rateLimitIp, ['/v1/oidc/revoke', '/v1/oidc/introspect']),
    ...endpoint('userinfo', rateLimitIp, ['/v1/oidc/userinfo']),
  ];
}
