import { operations, type ReplayOrder, replayOrder, type ReplayRunRow, saysWhose } from '@constancia/operations';
import { Button, Field, Form, Notice, Table, Tick, type Values } from '@constancia/web';
import { useRef, useState } from 'react';
import { useOps } from '../ops.tsx';
import { deliveryFields, withInstant } from '../parts/filter-fields.ts';
import { Loaded } from '../parts/loaded.tsx';
import { RunStatus } from '../parts/run-status.tsx';
import { useText } from '../text/language.ts';
import { ReplayRun } from './replay-run.tsx';

export const ReplaysView = ({ id }: { id: string }) => (id === '' ? <Replay /> : <ReplayRun id={id} />);

/** What a filter matched; `order` is what was counted, and what is sent. */
type Counted = { order: ReplayOrder; run: ReplayRunRow } | 'no-tenant' | null;

/** A filter, its count, the confirmation; below, the runs so far. */
function Replay() {
  const { text } = useText();
  const { session, attempt } = useOps();
  const [allTenants, setAllTenants] = useState(false);
  const [counted, setCounted] = useState<Counted>(null);
  const newest = useRef(0);
  const { tenant, module, eventType, since } = deliveryFields(text);
  /** Shows what was counted; the answer to a count before it comes too late. */
  const show = (next: Counted): number => {
    setCounted(next);
    return ++newest.current;
  };
  const count = ({ rate, max, reason = '', ...filter }: Values): void => {
    const order = replayOrder(
      {
        ...withInstant(filter),
        all_tenants: allTenants || undefined,
        rate: rate === undefined ? undefined : Number(rate),
        max: Number(max),
      },
      reason,
    );
    const number = show(saysWhose(order) ? null : 'no-tenant');
    if (!saysWhose(order)) return;
    attempt(async () => {
      const run = await session.send(operations.orderReplay({ ...order, dry_run: true }));
      if (number === newest.current) setCounted({ order, run });
    });
  };
  return (
    <>
      <p>{text.replayAbout}</p>
      {/* What was counted is what is sent: another filter is counted again. */}
      <Form look="filter" submit={text.count} onValues={count} onInput={() => show(null)}>
        <Field {...tenant} />
        <Tick id="all-tenants" label={text.allTenants} ticked={allTenants} onTick={setAllTenants} required={false} />
        <Field {...module} />
        <Field {...eventType} />
        <Field {...since} />
        <Field name="rate" label={text.rate} hint={text.rateHint} type="number" min={1} max={10_000} />
        <Field name="max" label={text.max} type="number" min={1} max={1_000_000} defaultValue={10_000} required />
        <Field name="reason" label={text.reason} hint={text.reasonHint} required />
      </Form>
      <div aria-live="polite">
        {counted === 'no-tenant' && <Notice tone="error">{text.whose}</Notice>}
        {counted !== null && counted !== 'no-tenant' && <Count key={counted.run.id} {...counted} />}
      </div>
      <h2>{text.runs}</h2>
      <Loaded request={operations.replays({ limit: 20 })}>{({ data }) => <Runs runs={data} />}</Loaded>
    </>
  );
}

function Count({ order, run }: { order: ReplayOrder; run: ReplayRunRow }) {
  const { text, number } = useText();
  const { session, attempt } = useOps();
  const [confirmed, setConfirmed] = useState(false);
  const [busy, setBusy] = useState(false);
  const matched = number(run.matched);
  const send = (): void => {
    setBusy(true); // once is enough
    attempt(async () => {
      const { id } = await session
        .send(operations.orderReplay({ ...order, dry_run: false }))
        .finally(() => setBusy(false));
      location.hash = `replay/${id}`;
    });
  };
  return (
    <section className="card">
      <p>
        <strong>{text.matched(matched)}</strong>
      </p>
      {run.matched >= run.max && <p>{text.atMost}</p>}
      {run.matched > 0 && (
        <>
          <Tick id="confirmed" label={text.confirmReplay(matched)} ticked={confirmed} onTick={setConfirmed} />
          <Button look="primary" disabled={!confirmed} busy={busy} onPress={send}>
            {text.send(matched)}
          </Button>
        </>
      )}
    </section>
  );
}

function Runs({ runs }: { runs: ReplayRunRow[] }) {
  const { text, clock, progress } = useText();
  if (runs.length === 0) return <p>{text.none}</p>;
  return (
    <Table
      caption={text.runs}
      rows={runs}
      keyOf={({ id }) => id}
      columns={[
        { title: text.run, of: ({ id }) => <a href={`#replay/${id}`}>{id}</a>, wide: true },
        { title: text.status, of: (run) => <RunStatus run={run} /> },
        { title: text.result, of: progress },
        { title: text.created, of: ({ created_at: at }) => clock(at) },
        { title: text.operator, of: ({ operator }) => operator, wide: true },
        { title: text.reason, of: ({ reason }) => reason, wide: true },
      ]}
    />
  );
}
