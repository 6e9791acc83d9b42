import { useCallback, useEffect, useState } from 'react';
import type { IdentityCheck } from '../api/sign-state.ts';
import { useJourney } from '../journey/journey.tsx';

/** How often it is worth asking while the check is in a state. */
const ASK_AGAIN_MS: Partial<Record<IdentityCheck['status'], number>> = {
  requested: 2_000,
  open: 4_000,
  in_review: 30_000,
  verified: 4_000,
};
/** After a look that failed. */
const LOOK_AGAIN_MS = 4_000;

/** null: this browser started none; undefined: not known yet. */
export type KnownCheck = IdentityCheck | null | undefined;

/** The check of this browser, asked for again while it is under way; once it is verified, its proof is fetched and the journey goes on. */
export function useIdentityCheck(): [KnownCheck, (check: IdentityCheck) => void] {
  const { api, attempt } = useJourney();
  const [check, setCheck] = useState<KnownCheck>(undefined);
  const look = useCallback(async () => {
    const none = await attempt(() => api.identity(), setCheck, [404]);
    if (none !== null) setCheck(null);
  }, [api, attempt]);
  const status = check?.status;

  useEffect(() => void look(), [look]);

  useEffect(() => {
    if (check?.status === 'verified') void attempt(() => api.completeIdentity(), undefined, [404]);
  }, [check, api, attempt]);

  const everyMs = check === undefined ? LOOK_AGAIN_MS : status && ASK_AGAIN_MS[status];
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const lookIfSeen = (): void => {
      if (document.visibilityState === 'visible') void look();
    };
    const timer = setInterval(lookIfSeen, everyMs);
    document.addEventListener('visibilitychange', lookIfSeen); // back from the other tab
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', lookIfSeen);
    };
  }, [everyMs, look]);

  return [check, setCheck];
}
