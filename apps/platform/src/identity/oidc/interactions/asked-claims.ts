import { OPENID_CLAIMS, type OpenIdClaim } from '@constancia/contracts';
import type { Interaction } from 'oidc-provider';
import { API_SCOPES } from '../provider/oidc-issuer.ts';
import { requestedClaims, tellsDocument, type VerifiedClaimsRequest } from '../provider/verified-claims.ts';

/** What an application asks for in one request. */
export interface AskedClaims {
  /** Everything, as the person is shown it. */
  names: OpenIdClaim[];
  /** The requests for verified claims. */
  verified: VerifiedClaimsRequest[];
}

const OF_SCOPE: Record<string, OpenIdClaim[]> = {
  profile: ['full_name', 'birth_date'],
  email: ['email'],
  offline_access: ['offline_access'],
  ...Object.fromEntries(API_SCOPES.split(' ').map((scope) => [scope, ['api'] as const])),
};

/** What claims of OpenID Connect are called on pages and receipts. */
const NAMES: Record<string, OpenIdClaim> = {
  name: 'full_name',
  birthdate: 'birth_date',
  email: 'email',
  email_verified: 'email',
  document_type: 'document_type',
  document_country: 'document_country',
  document_number: 'document_number',
};

export function askedClaims({ params }: Pick<Interaction, 'params'>): AskedClaims {
  const claims = JSON.parse(params.claims ?? '{}') as Record<string, Record<string, unknown> | undefined>;
  const requests = [claims.userinfo, claims.id_token].flatMap((members) => (members ? [members] : []));
  const scopes = params.scope?.split(' ') ?? [];
  const verified = requests.flatMap(({ verified_claims: asked }) =>
    asked === undefined ? [] : [asked as VerifiedClaimsRequest],
  );
  // What `claims` asks of the ID token leaves the scope as it is at userinfo.
  if (scopes.includes('kyc') && claims.userinfo?.verified_claims === undefined) verified.push(null);
  const named = [...requests.flatMap((members) => Object.keys(members)), ...verified.flatMap(requestedClaims)];
  const asked = new Set<OpenIdClaim>([
    ...scopes.flatMap((scope) => OF_SCOPE[scope] ?? []),
    ...named.flatMap((name) => NAMES[name] ?? []),
    ...(verified.some(tellsDocument) ? (['document_type', 'document_country'] as const) : []),
    ...(verified.length > 0 ? (['verification'] as const) : []),
  ]);
  return { names: OPENID_CLAIMS.filter((name) => asked.has(name)), verified };
}
