import type { QueryClient } from '@tanstack/react-query';
import type { Apis } from '../api/apis.ts';
import type { SessionView } from '../api/console-host.ts';
import { type Listing, loadAhead } from '../member/queries.ts';

/** What the routes are given. */
export interface LoadingContext {
  apis: Apis;
  member: SessionView['member'];
  queries: QueryClient;
}

interface Loading<Search> {
  context: LoadingContext;
  deps: Search;
  /** preload: the link has the pointer or the focus, and was not pressed yet. stay: the screen is there, and loads by itself. */
  cause: 'preload' | 'enter' | 'stay';
}

/** Options of the route of a list: its first page is loaded while the script of its screen is. */
export const listLoading = <Search, Row>(
  listingOf: (search: Search, member: SessionView['member']) => Listing<Row>,
) => ({
  loaderDeps: ({ search }: { search: Search }): Search => search,
  loader: ({ context: { apis, member, queries }, deps, cause }: Loading<Search>): void => {
    if (cause === 'enter') void loadAhead(queries, apis, listingOf(deps, member)); // the screen shows what went wrong
  },
});
