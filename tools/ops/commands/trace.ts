import {
  type DeliveryDetail,
  type EndpointRow,
  type EventTrace,
  explainDelivery,
  explainNoDelivery,
  operations,
  processBesidePlatform,
  PROCESSES,
  processOfStory,
  type Step,
  type TimelineEntry,
} from '@constancia/operations';
import type { Command } from 'commander';
import { Refused } from '../failures.ts';
import type { OpsContext, Run } from '../ops-context.ts';
import { facts, table, wrapped } from '../table.ts';
import { clock, zoneOf } from '../times.ts';
import { commandOf } from './next-commands.ts';
import { TIMELINE, traceThing } from './trace-thing.ts';

interface FoundTrace extends EventTrace {
  deliveries: DeliveryDetail[];
  story: TimelineEntry[];
  notes: string[];
  /** The endpoint of the event's module; asked for when there is no delivery. */
  endpoint?: EndpointRow | undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Any id that support is given: of an event, a delivery, a thing with a story, or a request. */
async function trace(context: OpsContext, id: string): Promise<void> {
  const process = processOfStory(id);
  if (process) return traceThing(context, id, process);
  if (id.startsWith('dlv_')) {
    return traceEvent(context, (await context.send(operations.delivery(id))).event_id);
  }
  if (!UUID.test(id)) throw new Refused(context.words.noStory(id));
  try {
    await traceEvent(context, id);
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) throw error;
    throw new Refused(context.words.noEvent(id, clock(timeOfUuid(id))), 404);
  }
}

/** When a UUIDv7 was made, as a request_id and an event_id are. */
const timeOfUuid = (id: string): string =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();

async function traceEvent(context: OpsContext, eventId: string): Promise<void> {
  const found = await context.send(operations.trace(eventId));
  const [{ story, notes }, deliveries, endpoint] = await Promise.all([
    storyOf(context, found),
    Promise.all(found.deliveries.map(({ id }) => context.send(operations.delivery(id)))),
    found.deliveries.length > 0 ? undefined : endpointFor(context, found),
  ]);
  context.show({ ...found, deliveries, story, notes, endpoint } satisfies FoundTrace, (trace) =>
    linesOf(context, trace),
  );
}

async function endpointFor(context: OpsContext, { event }: EventTrace): Promise<EndpointRow | undefined> {
  const { data } = await context.send(operations.endpoints({ tenant: event.tenant_id }));
  return data.find(({ module }) => module === event.module);
}

/** What the module knows of the thing that the event is about. The rest of the trace is shown without it when it does not tell. */
async function storyOf(
  context: OpsContext,
  { event }: EventTrace,
): Promise<{ story: TimelineEntry[]; notes: string[] }> {
  const process = processBesidePlatform(event.about);
  if (!process || !event.about) return { story: [], notes: [] };
  try {
    const { timeline } = await context.send(operations.story(process, event.about.id));
    return { story: timeline.map((entry) => ({ ...entry, where: entry.where ?? process })), notes: [] };
  } catch (error) {
    return {
      story: [],
      notes: [context.words.notAsked(process, error instanceof Error ? error.message : String(error))],
    };
  }
}

function linesOf(context: OpsContext, { event, deliveries, timeline, story, notes, endpoint }: FoundTrace): string[] {
  const { words, locale, width } = context;
  const moments = [...timeline, ...story].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const verdicts = deliveries.map((delivery) => ({ delivery, ...explainDelivery(delivery, locale, clock) }));
  const none = deliveries.length === 0 ? explainNoDelivery(event, endpoint, locale) : undefined;
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
    ...table(TIMELINE, moments, width),
    ...notes.flatMap((note) => wrapped(note, width)),
    '',
    ...verdicts.flatMap(({ delivery, sentences }) => [
      `${delivery.id} → ${delivery.endpoint?.url ?? '-'}: ${delivery.status}`,
      ...sentences.flatMap((sentence) => wrapped(sentence, width, '  ')),
    ]),
    ...(none?.sentences ?? []).flatMap((sentence) => wrapped(sentence, width)),
    ...nextLines(context, steps),
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
