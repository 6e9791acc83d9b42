import type { Request } from './request-state.ts';
import type { AddressGrant } from './credential-holder.ts';

/** An address as it was asked for. A member of the query that was repeated is a list. */
export interface AskedAddress {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | string[] | undefined>>;
}

/** What signed addresses allow, by the name that routes give their check. Throws Unauthorized for one that was altered or is over. */
export type AddressChecks = Readonly<Record<string, (address: AskedAddress) => AddressGrant>>;

/** What the request's address allows. Throws what the check throws. */
export function checkedAddress(checks: AddressChecks | undefined, name: string, request: Request): AddressGrant {
  const check = checks?.[name];
  if (check === undefined) throw new Error(`routes with SignedAddress need HttpOptions.addresses: ${name}`);
  return check(request as unknown as AskedAddress);
}
