import { duration, type Lag, operations, type QueueRow } from '@constancia/operations';
import { Button, Facts, Table } from '@constancia/web';
import { useOps } from '../ops.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { useOperations } from '../parts/use-operations.ts';
import { useText } from '../text/language.ts';

const since = (seconds: number | null): string => (seconds ? duration(seconds) : '–');

/** What waits: webhooks, work, queues. */
export function LagView() {
  return (
    <Loaded request={operations.lag()}>
      {(lag) => (
        <>
          {lag.outbox !== undefined && <Outbox outbox={lag.outbox} />}
          <Work work={lag.work} />
          {lag.queues !== undefined && <QueueTable queues={lag.queues} />}
        </>
      )}
    </Loaded>
  );
}

function Outbox({ outbox }: { outbox: NonNullable<Lag['outbox']> }) {
  const { text, number } = useText();
  const { reload } = useOps();
  const { wakeDeliveries } = useOperations();
  return (
    <>
      <Facts
        pairs={[
          [text.due, number(outbox.due)],
          [text.oldest, since(outbox.oldest_due_seconds)],
          [text.onTheirWay, number(outbox.delivering)],
        ]}
      />
      <div className="actions">
        <Button look="primary" onPress={reload}>
          {text.refresh}
        </Button>
        <Button onPress={wakeDeliveries}>{text.operations.wakeDeliveries.title}</Button>
      </div>
    </>
  );
}

function Work({ work }: Pick<Lag, 'work'>) {
  const { text, number } = useText();
  return (
    <>
      <h2>{text.work}</h2>
      <Table
        caption={text.work}
        rows={work}
        keyOf={({ module, kind }) => `${module ?? ''} ${kind}`}
        columns={[
          { title: text.kind, of: ({ module, kind }) => (module ? `${module} ${kind}` : kind) },
          { title: text.open, of: ({ open }) => number(open) },
          { title: text.oldest, of: ({ oldest_seconds: oldest }) => since(oldest) },
        ]}
      />
    </>
  );
}

function QueueTable({ queues }: { queues: QueueRow[] }) {
  const { text, number } = useText();
  return (
    <>
      <h2>{text.queues}</h2>
      <p>{text.queuesAbout}</p>
      <Table
        caption={text.queues}
        rows={queues}
        keyOf={({ queue }) => queue}
        columns={[
          { title: text.queue, of: ({ queue }) => queue },
          { title: text.waiting, of: ({ waiting }) => number(waiting) },
          { title: text.active, of: ({ active }) => number(active) },
          { title: text.delayed, of: ({ delayed }) => number(delayed) },
          { title: text.failedJobs, of: ({ failed }) => number(failed) },
          { title: text.oldest, of: ({ oldest_waiting_seconds: oldest }) => since(oldest) },
        ]}
      />
    </>
  );
}
