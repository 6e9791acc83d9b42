import {
  type DeliveryDetail,
  type DeliveryRow,
  type EventRow,
  explainDelivery,
  operations,
  type ProcessName,
  type Step,
  type Story,
  type TimelineEntry,
} from '@constancia/operations';
import type { OpsContext } from '../ops-context.ts';
import { type Column, facts, table, wrapped } from '../table.ts';
import { clock, timeOfDay, zoneOf } from '../times.ts';
import { commandOf } from './next-commands.ts';

/** How a timeline is shown. */
export const TIMELINE: Column<TimelineEntry>[] = [
  { title: 'at', of: ({ at }) => timeOfDay(at) },
  { title: 'where', of: ({ where }) => where },
  { title: 'what', of: ({ what }) => what, cutTo: 30 },
  { title: 'detail', of: ({ detail }) => detail, cutTo: 20 },
];

/** The story of a signature, an envelope, a screening, a case, a session or a subject, its events and where they are. */
export async function traceThing(context: OpsContext, id: string, process: ProcessName): Promise<void> {
  const story = await context.send(operations.story(process, id));
  const { data: events } = await context.send(operations.events({ tenant: story.tenant_id, about: id }));
  const pages = events.map(({ event_id }) =>
    context.send(operations.deliveries({ event_id, tenant: story.tenant_id })),
  );
  const deliveries = (await Promise.all(pages)).flatMap(({ data }) => data);
  const open = deliveries.filter(({ status }) => status !== 'delivered');
  const details = await Promise.all(open.map((row) => context.send(operations.delivery(row.id))));
  context.show({ story, events, deliveries, open: details }, (found) => linesOf(context, found));
}

interface FoundStory {
  story: Story;
  events: EventRow[];
  deliveries: DeliveryRow[];
  open: DeliveryDetail[];
}

function linesOf({ words, locale, width }: OpsContext, { story, events, deliveries, open }: FoundStory): string[] {
  const emitted = events.map(({ occurred_at, event_type, event_id }) => ({
    ...{ at: occurred_at, where: 'outbox', what: 'event', detail: `${event_type} ${event_id}` },
  }));
  const moments = [...story.timeline, ...emitted].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const verdicts = open.map((delivery) => ({ delivery, ...explainDelivery(delivery, locale, clock) }));
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
    ...table(TIMELINE, moments, width),
    '',
    words.arrived(deliveries.length - open.length, deliveries.length),
    ...verdicts.flatMap(({ delivery, sentences }) => [
      `${delivery.id} → ${delivery.endpoint?.url ?? '-'}: ${delivery.status}`,
      ...sentences.flatMap((sentence) => wrapped(sentence, width, '  ')),
    ]),
    ...(commands.length > 0 ? ['', `${words.next}:`, ...commands.map((command) => `  ${command}`)] : []),
  ];
}
