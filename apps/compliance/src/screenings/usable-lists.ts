import { DependencyUnavailable } from '@constancia/problem-json';
import type { Lists } from '../lists/lists.ts';
import type { PinnedLists } from '../lists/pinned-lists.ts';

/** The lists as they are now. Throws DependencyUnavailable when a mandatory one is missing: nobody passes unscreened. */
export async function usableLists(lists: Pick<Lists, 'current'>, tenantId: string): Promise<PinnedLists> {
  const pinned = await lists.current(tenantId);
  if (pinned.missing.length === 0) return pinned;
  throw new DependencyUnavailable(
    `Nobody can be screened at present: ${pinned.missing.join(', ')} ${pinned.missing.length === 1 ? 'is' : 'are'} not loaded.`,
    { missing_lists: [...pinned.missing] },
    { 'Retry-After': '10' },
  );
}
