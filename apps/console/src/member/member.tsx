import { ROLE_SCOPES, type Scope } from '@constancia/contracts/scopes';
import { createContext, useContext } from 'react';
import type { Apis } from '../api/apis.ts';
import type { SessionView } from '../api/console-host.ts';

/** Who is signed in, and what the screens do in their name. */
export interface SignedIn {
  view: SessionView;
  apis: Apis;
  /** Shows the sign-in instead of the workspace. */
  leave: (news: 'ended' | 'signed-out') => void;
}

export const SignedInContext = createContext<SignedIn | null>(null);

export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (signedIn === null) throw new Error('nobody is signed in around this component');
  return signedIn;
}

export const useApis = (): Apis => useSignedIn().apis;

/** Whether the role of the member includes a scope. What it answers hides controls; the API decides. */
export function useMay(): (scope: Scope) => boolean {
  const { role } = useSignedIn().view.member;
  const scopes: readonly Scope[] = ROLE_SCOPES[role] ?? [];
  return (scope) => scopes.includes(scope);
}
