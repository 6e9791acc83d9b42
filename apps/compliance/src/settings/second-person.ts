import type { Actor } from '@constancia/contracts';
import type { ComplianceSettings } from './compliance-settings.ts';

export const NOT_A_SECOND_PERSON =
  'The second person must be a member of the tenant, or be named in X-Actor by a key while the compliance settings declare trusted_actor.';

/** Whether this is a person for four eyes: a member, or one whom a key names while the tenant vouches for such names. */
export function isSecondPerson(
  by: Actor | undefined,
  { trusted_actor }: Pick<ComplianceSettings, 'trusted_actor'>,
): boolean {
  return by?.kind === 'member' || (trusted_actor && by?.on_behalf_of !== undefined);
}
