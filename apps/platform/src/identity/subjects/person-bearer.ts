import type { CredentialHolder } from '@constancia/http';
import { NotFound, Unauthorized } from '@constancia/problem-json';

/** How a JWT begins: of the bearer tokens, a person's access token of the OpenID provider (RFC 9068). */
export const PERSON_TOKEN_PREFIX = 'eyJ';

/** What an application may do for a person with one. */
export const PERSON_SCOPES = ['subject:read', 'session:read', 'session:write'] as const;
export type PersonScope = (typeof PERSON_SCOPES)[number];

/**
 * What shows that a subject is a person: what they keep or gave, or also that its document is theirs. An external_ref may have had several
 * persons, whose sessions and pictures are not each other's.
 */
export type Ownership = 'evidence' | 'evidence_and_document';

/** A person for whom an application of the tenant acts. Nothing of the tenant is theirs but what is about them. */
export interface PersonBearer extends CredentialHolder {
  kind: 'person';
  scopes: ReadonlySet<string>;
  /** Whether the tenant's subject of this UUID is the person; `by` says what has to show it. */
  owns: (subjectId: string, by: Ownership) => Promise<boolean>;
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
export async function checkOwn(bearer: PersonBearer, subjectId: string, by: Ownership): Promise<void> {
  if (!(await bearer.owns(subjectId, by))) throw new NotFound();
}
