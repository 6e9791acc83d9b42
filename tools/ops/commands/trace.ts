import type { Command } from 'commander';
import { tellerOf, whyDelivery, whyNone, type Step } from '../../../apps/platform/src/ops/page/why.js';
import { PROCESSES } from '../words.ts';
import type { OpsContext, Run } from '../ops-context.ts';
import type { Page } from '../ops-client.ts';
import { type Column, facts, table, wrapped } from '../table.ts';
import { clock, timeOfDay, zoneOf } from '../times.ts';
import { Refused } from '../trouble.ts';
import { commandOf } from './next-commands.ts';
import type { Attempt, DeliveryDetail, EndpointRow } from './rows.ts';
import { processTelling, traceThing } from './trace-thing.ts';

interface Moment {
  at: string;
  where: string;
  what: string;
  detail?: string | null;
}

interface Trace {
  event: {
    event_id: string;
    tenant_id: string;
    slug: string;
    module: string;
    event_type: string;
    occurred_at: string;
    trace_id: string | null;
    about: { type: string; id: string } | null;
  };
  ledger: { at: string; kind: string; amount: number; ref: string }[];
  deliveries: { id: string; attempts_list: Attempt[] }[];
  timeline: Moment[];
}

interface Story {
  timeline: (Omit<Moment, 'where'> & { where?: string })[];
}

interface Told extends Trace {
  deliveries: DeliveryDetail[];
  story: Moment[];
  notes: string[];
  /** The endpoint of the event's module; asked for when there is no delivery. */
  endpoint?: EndpointRow | undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Any id that support is given: of an event, a delivery, a thing with a story, or a request. */
async function trace(desk: OpsContext, id: string): Promise<void> {
  const process = processTelling(id);
  if (process) return traceThing(desk, id, process);
  if (id.startsWith('dlv_')) {
    const path = `/ops/deliveries/${encodeURIComponent(id)}`;
    return traceEvent(desk, (await desk.client.call<DeliveryDetail>('platform', path)).event_id);
  }
  if (!UUID.test(id)) throw new Refused(desk.words.noStory(id));
  try {
    await traceEvent(desk, id);
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) throw error;
    throw new Refused(desk.words.noEvent(id, clock(timeOfUuid(id))), 404);
  }
}

/** When a UUIDv7 was made, as a request_id and an event_id are. */
const timeOfUuid = (id: string): string =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();

async function traceEvent(desk: OpsContext, eventId: string): Promise<void> {
  const { client } = desk;
  const found = await client.call<Trace>('platform', `/ops/trace/${encodeURIComponent(eventId)}`);
  const [{ story, notes }, deliveries, endpoint] = await Promise.all([
    storyOf(desk, found),
    Promise.all(found.deliveries.map(({ id }) => client.call<DeliveryDetail>('platform', `/ops/deliveries/${id}`))),
    found.deliveries.length > 0 ? undefined : endpointFor(desk, found),
  ]);
  desk.show({ ...found, deliveries, story, notes, endpoint } satisfies Told, (told) => linesOf(desk, told));
}

async function endpointFor(desk: OpsContext, { event }: Trace): Promise<EndpointRow | undefined> {
  const query = { tenant: event.tenant_id };
  const { data } = await desk.client.call<Page<EndpointRow>>('platform', '/ops/endpoints', { query });
  return data.find(({ module }) => module === event.module);
}

/** What the module knows of the thing that the event is about. The rest of the trace is shown without it when it does not tell. */
async function storyOf(desk: OpsContext, { event }: Trace): Promise<{ story: Moment[]; notes: string[] }> {
  const process = tellerOf(event.about);
  if (!process || !event.about) return { story: [], notes: [] };
  try {
    const { timeline } = await desk.client.call<Story>(process, `/ops/story/${encodeURIComponent(event.about.id)}`);
    return { story: timeline.map((moment) => ({ where: process, ...moment })), notes: [] };
  } catch (error) {
    return { story: [], notes: [desk.words.notAsked(process, error instanceof Error ? error.message : String(error))] };
  }
}

const MOMENTS: Column<Moment>[] = [
  { title: 'at', of: ({ at }) => timeOfDay(at) },
  { title: 'where', of: ({ where }) => where },
  { title: 'what', of: ({ what }) => what, cutTo: 30 },
  { title: 'detail', of: ({ detail }) => detail, cutTo: 20 },
];

function linesOf(desk: OpsContext, { event, deliveries, timeline, story, notes, endpoint }: Told): string[] {
  const { words, locale, width } = desk;
  const moments = [...timeline, ...story].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const verdicts = deliveries.map((delivery) => ({ delivery, ...whyDelivery(delivery, locale, clock) }));
  const none = deliveries.length === 0 ? whyNone(event, endpoint, locale) : undefined;
  const steps = [...verdicts, ...(none ? [none] : [])].flatMap((verdict) => verdict.steps);
  return [
    ...facts([
      ['event', `${event.event_type} ${event.event_id}`],
      ['tenant', `${event.slug} (${event.tenant_id})`],
      ['about', event.about && `${event.about.type} ${event.about.id}`],
      ['occurred', clock(event.occurred_at)],
      ['trace id', event.trace_id],
    ]),
    '',
    `${words.timeline(zoneOf(event.occurred_at))}:`,
    ...table(MOMENTS, moments, width),
    ...notes.flatMap((note) => wrapped(note, width)),
    '',
    ...verdicts.flatMap(({ delivery, sentences }) => [
      `${delivery.id} → ${delivery.endpoint?.url ?? '-'}: ${delivery.status}`,
      ...sentences.flatMap((sentence) => wrapped(sentence, width, '  ')),
    ]),
    ...(none?.sentences ?? []).flatMap((sentence) => wrapped(sentence, width)),
    ...nextLines(desk, steps),
  ];
}

function nextLines({ words }: OpsContext, steps: Step[]): string[] {
  const commands = [...new Set(steps.map(commandOf))];
  return commands.length === 0 ? [] : ['', `${words.next}:`, ...commands.map((command) => `  ${command}`)];
}

/** trace. */
export function addTrace(program: Command, run: Run): void {
  program
    .command('trace')
    .description(`The whole story of anything that has an id, up to the last attempt (asks ${PROCESSES.join(', ')}).`)
    .argument('<id>', 'event_id, dlv_…, sig_…, env_…, fls_…, sub_…, scr_…, cas_…, stp_… or a request_id')
    .action(run(trace));
}
