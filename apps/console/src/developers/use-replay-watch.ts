import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useRecord } from '../member/queries.ts';

const EVERY_MS = 2_000;
/** After a run has queued its last delivery, the attempts follow. */
const ATTEMPTS_MS = 15_000;

/** Loads the deliveries again while a replay is under way: `watch` takes the id of its run. */
export function useReplayWatch(): { watch: (runId: string) => void } {
  const queries = useQueryClient();
  const [runId, watch] = useState('');
  const { dataUpdatedAt } = useRecord(
    ['replay-runs', runId],
    ({ platform }) => platform.GET('/webhook-deliveries/replays/{id}', { params: { path: { id: runId } } }),
    {
      everyMs: EVERY_MS,
      times: 60,
      while: ({ status, finished_at: at }) =>
        status === 'running' || (at !== null && Date.now() - Date.parse(at) < ATTEMPTS_MS),
    },
    runId !== '',
  );
  useEffect(() => {
    if (dataUpdatedAt > 0) void queries.invalidateQueries({ queryKey: ['deliveries'] });
  }, [dataUpdatedAt, queries]);
  return { watch };
}
