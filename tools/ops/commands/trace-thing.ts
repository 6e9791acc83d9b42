import { whyDelivery, type Step } from '../../../apps/platform/src/ops/page/why.js';
import type { ProcessName } from '../words.ts';
import type { OpsContext } from '../ops-context.ts';
import type { Page } from '../ops-client.ts';
import { type Column, facts, table, wrapped } from '../table.ts';
import { clock, timeOfDay, zoneOf } from '../times.ts';
import { commandOf } from './next-commands.ts';
import type { DeliveryDetail, DeliveryRow } from './rows.ts';

/** Whose ops port tells how a thing came to be, by the prefix of its id. */
const TELLERS: Record<string, ProcessName> = {
  sig: 'signing',
  env: 'signing',
  scr: 'compliance',
  cas: 'compliance',
  stp: 'compliance',
  fls: 'platform',
  sub: 'platform',
};

interface Moment {
  at: string;
  where: string;
  what: string;
  detail?: string | null;
}

interface Story {
  id: string;
  kind: string;
  tenant_id: string;
  status?: string;
  timeline: Moment[];
}

interface EventRow {
  event_id: string;
  module: string;
  event_type: string;
  occurred_at: string;
}

const MOMENTS: Column<Moment>[] = [
  { title: 'at', of: ({ at }) => timeOfDay(at) },
  { title: 'where', of: ({ where }) => where },
  { title: 'what', of: ({ what }) => what, cutTo: 30 },
  { title: 'detail', of: ({ detail }) => detail, cutTo: 20 },
];

/** The process that knows the history of what an id names; undefined: there is none for this kind of id. */
export const processTelling = (id: string): ProcessName | undefined =>
  /^[a-z]{3}_[0-7][0-9a-z]{25}$/.test(id) ? TELLERS[id.slice(0, 3)] : undefined;

/** The story of a signature, an envelope, a screening, a case, a session or a subject, its events and where they are. */
export async function traceThing(desk: OpsContext, id: string, process: ProcessName): Promise<void> {
  const { client } = desk;
  const story = await client.call<Story>(process, `/ops/story/${encodeURIComponent(id)}`);
  const query = { tenant: story.tenant_id, about: id };
  const { data: events } = await client.call<{ data: EventRow[] }>('platform', '/ops/events', { query });
  const deliveries = (
    await Promise.all(
      events.map(({ event_id }) =>
        client.call<Page<DeliveryRow>>('platform', '/ops/deliveries', { query: { event_id, tenant: story.tenant_id } }),
      ),
    )
  ).flatMap(({ data }) => data);
  const open = deliveries.filter(({ status }) => status !== 'delivered');
  const details = await Promise.all(
    open.map((row) => client.call<DeliveryDetail>('platform', `/ops/deliveries/${row.id}`)),
  );
  desk.show({ story, events, deliveries, open: details }, (told) => linesOf(desk, told));
}

interface Told {
  story: Story;
  events: EventRow[];
  deliveries: DeliveryRow[];
  open: DeliveryDetail[];
}

function linesOf({ words, locale, width }: OpsContext, { story, events, deliveries, open }: Told): string[] {
  const emitted = events.map(({ occurred_at, event_type, event_id }) => ({
    ...{ at: occurred_at, where: 'outbox', what: 'event', detail: `${event_type} ${event_id}` },
  }));
  const moments = [...story.timeline, ...emitted].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const verdicts = open.map((delivery) => ({ delivery, ...whyDelivery(delivery, locale, clock) }));
  const steps: Step[] = verdicts.flatMap((verdict) => verdict.steps);
  const commands = [
    ...events.map(({ event_id }) => `npm run ops -- trace ${event_id}`),
    ...new Set(steps.map(commandOf)),
  ];
  return [
    ...facts([
      [story.kind, story.id],
      ['tenant', story.tenant_id],
      ['status', story.status ?? null],
    ]),
    '',
    `${words.timeline(zoneOf(moments[0]?.at ?? new Date().toISOString()))}:`,
    ...table(MOMENTS, moments, width),
    '',
    words.arrived(deliveries.length - open.length, deliveries.length),
    ...verdicts.flatMap(({ delivery, sentences }) => [
      `${delivery.id} → ${delivery.endpoint?.url ?? '-'}: ${delivery.status}`,
      ...sentences.flatMap((sentence) => wrapped(sentence, width, '  ')),
    ]),
    ...(commands.length > 0 ? ['', `${words.next}:`, ...commands.map((command) => `  ${command}`)] : []),
  ];
}
