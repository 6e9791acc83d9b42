import { filterText, operations, type ReplayRunRow } from '@constancia/operations';
import { Button, Facts } from '@constancia/web';
import { useEffect } from 'react';
import { useOps } from '../ops.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { RunStatus } from '../parts/run-status.tsx';
import { useOperations } from '../parts/use-operations.ts';
import { useText } from '../text/language.ts';

const LOOK_EVERY_MS = 1_000;

/** How far a run is, every second until it has ended. */
export const ReplayRun = ({ id }: { id: string }) => (
  <Loaded request={operations.replay(id)}>{(run) => <Run run={run} />}</Loaded>
);

function Run({ run }: { run: ReplayRunRow }) {
  const { text, clock, progress } = useText();
  const { reload } = useOps();
  const { cancelReplay, resumeReplay } = useOperations();
  useEffect(() => {
    if (run.status !== 'running') return undefined;
    const timer = setTimeout(reload, LOOK_EVERY_MS);
    return () => clearTimeout(timer);
  }, [run, reload]);
  return (
    <>
      <progress max={Math.max(run.matched, 1)} value={run.replayed + run.skipped} aria-label={progress(run)} />
      <Facts
        pairs={[
          [text.run, <code>{run.id}</code>],
          [text.status, <RunStatus run={run} />],
          [text.result, progress(run)],
          [text.filterOf, filterText(run.filter)],
          [text.rate, run.rate],
          [text.operator, run.operator],
          [text.reason, run.reason],
          [text.created, clock(run.created_at)],
        ]}
      />
      <div className="actions">
        {run.status === 'running' && (
          <Button onPress={() => cancelReplay(run.id)}>{text.operations.cancelReplay.title}</Button>
        )}
        {run.status === 'cancelled' && (
          <Button onPress={() => resumeReplay(run.id)}>{text.operations.resumeReplay.title}</Button>
        )}
      </div>
    </>
  );
}
