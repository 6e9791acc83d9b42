import { Frame, Screen } from '@constancia/web';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { type Apis, openApis } from '../api/apis.ts';
import type { SessionView } from '../api/console-host.ts';
import { Failure } from '../parts/failure.tsx';
import { Loading } from '../parts/loading.tsx';
import { useText } from '../text/language.ts';
import { type SignedIn, SignedInContext } from '../member/member.tsx';
import { router } from './router.ts';

interface WorkspaceProps {
  view: SessionView;
  leave: SignedIn['leave'];
}

/** Everything that a member sees once they are signed in. What it has loaded goes with it when they leave. */
export function Workspace({ view, leave }: WorkspaceProps) {
  const { text } = useText();
  const [apis, setApis] = useState<Apis | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [queries] = useState(() => createQueries(() => leave('ended')));
  const open = useCallback(() => {
    setError(null);
    openApis().then(setApis, setError);
  }, []);
  useEffect(open, [open]);
  useEffect(() => () => queries.clear(), [queries]);

  if (apis !== null) {
    return (
      <SignedInContext value={{ view, apis, leave }}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} context={{ apis, member: view.member, queries }} />
        </QueryClientProvider>
      </SignedInContext>
    );
  }
  return (
    <Frame>
      {error === null ? (
        <Loading />
      ) : (
        <Screen sign="stop" title={text.failed}>
          <Failure error={error} onAgain={open} />
        </Screen>
      )}
    </Frame>
  );
}

const MOST_RETRIES = 2;

/** No query is polled without a limit: a page that nobody uses must let its session end. */
function createQueries(onEnded: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && error.status === 401) onEnded();
      },
    }),
    defaultOptions: {
      queries: {
        refetchOnReconnect: false,
        retry: (count, error) => count < MOST_RETRIES && !(error instanceof ApiError && error.status < 500),
      },
    },
  });
}
