import type { CredentialHolder } from '@constancia/http';
import { NotFound, Unauthorized } from '@constancia/problem-json';

/** How a JWT begins: of the bearer tokens, a person's access token of the OpenID provider (RFC 9068). */
export const PERSON_TOKEN_PREFIX = 'eyJ';

/** What an application may do for a person with one. */
export const PERSON_SCOPES = ['subject:read', 'session:read', 'session:write'] as const;
export type PersonScope = (typeof PERSON_SCOPES)[number];

/** A person for whom an application of the tenant acts. Nothing of the tenant is theirs but what is about them. */
export interface PersonBearer extends CredentialHolder {
  kind: 'person';
  scopes: ReadonlySet<string>;
  /** Whether the tenant's subject of this UUID is the person. */
  owns: (subjectId: string) => Promise<boolean>;
}

export function isPersonBearer(holder: CredentialHolder | undefined): holder is PersonBearer {
  return (holder as Partial<PersonBearer> | undefined)?.kind === 'person';
}

/** Throws Unauthorized, as RFC 6750 names it, for a token without the scope. */
export function checkScope({ scopes }: PersonBearer, scope: PersonScope): void {
  if (scopes.has(scope)) return;
  const detail = `This operation needs the scope ${scope}, which the access token does not have.`;
  throw new Unauthorized(detail, {}, { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` });
}

/** Throws NotFound for everybody else's subject, as for one that does not exist. */
export async function checkOwn(bearer: PersonBearer, subjectId: string): Promise<void> {
  if (!(await bearer.owns(subjectId))) throw new NotFound();
}
