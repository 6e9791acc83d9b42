import { IsLine, namedTenant, NoQuery, OpsAnswer, OpsController, OpsOperation } from '@constancia/http';
import { BadRequest, NotFound } from '@constancia/problem-json';
import { timeline } from '@constancia/telemetry';
import { Get, Param, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { EVENTS, SESSION, SUBJECT, TRACE } from './story-answers.ts';
import { ID_PREFIXES, isUuid, typeId, uuidFloor, uuidOf, uuidTime } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { attemptsAt, attemptView, deliveriesLike, deliveryView, traceIdOf } from './delivery-rows.ts';
import { endpointsLike } from './endpoint-rows.ts';
import {
  aboutOf, endpointFor, type Trace, type TracedEntry, type TracedEvent, tracedTimeline, verdict,
} from './event-trace.ts'; // prettier-ignore
import { SessionStories, sessionView } from './session-stories.ts';

const DELIVERIES = 20;
const SUBJECT_SESSIONS = 10;
/** Of a tenant, from when the thing was made on. */
const EVENTS_LOOKED_AT = 50_000;
/** Clocks of two processes are no further apart. */
const CLOCKS_MS = 60_000;

class EventsQuery {
  @ApiProperty({ description: 'The slug or the id of a tenant.' })
  @IsLine(79)
  tenant: string;

  @ApiProperty({ example: 'sig_01kamx6q7peqh8h51n8zq8y5hc' })
  @IsLine(40)
  about: string;
}

/** What became of an event, and of a flow session. */
@OpsController('ops')
export class StoryActions {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionStories,
  ) {}

  @Get('trace/:event_id')
  @OpsOperation('what became of an event, from the request to the last attempt')
  @OpsAnswer(200, TRACE)
  async traceEvent(@Param('event_id') eventId: string, @Query() _query: NoQuery) {
    const trace = await this.traced(eventId);
    const { event, about, ledger, deliveries, attempts } = trace;
    return {
      event: {
        event_id: event.event_id,
        tenant_id: event.tenant_id,
        slug: event.slug,
        module: event.module,
        event_type: event.event_type,
        occurred_at: event.occurred_at.toISOString(),
        trace_id: traceIdOf(event.traceparent),
        about: about ? { type: about.type, id: about.id } : null,
      },
      summary: verdict(trace),
      ledger: ledger.map((entry) => ({
        at: entry.created_at.toISOString(),
        kind: entry.kind,
        amount: entry.amount,
        ref: `${entry.ref_type} ${entry.ref_id}`,
        id: typeId('led', entry.id),
      })),
      deliveries: deliveries.map((delivery) => ({
        ...deliveryView(delivery),
        endpoint: typeId('whe', delivery.endpoint_id),
        attempts_list: attempts.filter(({ delivery_id }) => delivery_id === delivery.id).map(attemptView),
      })),
      timeline: tracedTimeline(trace),
    };
  }

  private async traced(eventId: string): Promise<Trace> {
    const [event] = isUuid(eventId)
      ? await this.database.query<TracedEvent>('select * from platform.ops_event($1)', [eventId])
      : [];
    if (!event) {
      throw new NotFound(
        'There is no event of this id, or retention has taken it (WEBHOOK_RETENTION_DAYS): an event_id is a UUID.',
      );
    }
    const about = aboutOf(event.ids);
    const endpointId = endpointFor(event);
    const session = about.find(({ type }) => type === 'session');
    const [deliveries, story] = await Promise.all([
      deliveriesLike(this.database, { tenantId: event.tenant_id, eventId: event.event_id, limit: DELIVERIES }),
      session && this.sessions.find(session.uuid),
    ]);
    const refs = [...about.map(({ uuid }) => uuid), ...(story?.runs.map(({ id }) => id) ?? [])];
    const own = deliveries.map(({ endpoint_id }) => endpoint_id);
    const ids = own.length > 0 ? own : endpointId === undefined ? [] : [endpointId];
    const [ledger, attempts, endpoints] = await Promise.all([
      this.database.query<TracedEntry>('select * from platform.ops_entries($1, $2)', [event.tenant_id, refs]),
      attemptsAt(
        this.database,
        deliveries.map(({ id }) => id),
      ),
      endpointsLike(this.database, { ids, limit: DELIVERIES }),
    ]);
    return {
      event,
      about: about[0],
      ledger,
      deliveries,
      attempts,
      endpoints,
      more: story?.timeline ?? [],
    };
  }

  @Get('story/:id')
  @OpsOperation('how a flow session (fls_…) went, or the newest of a subject (sub_…)')
  @OpsAnswer(200, { anyOf: [SESSION, SUBJECT] })
  async showStory(@Param('id') id: string, @Query() _query: NoQuery) {
    const subject = uuidOf('sub', id);
    if (subject !== null) return this.subjectStory(subject);
    const uuid = uuidOf('fls', id);
    const story = uuid === null ? undefined : await this.sessions.find(uuid);
    if (!story) {
      throw new NotFound(
        'The platform knows no flow session (fls_…) or subject (sub_…) of this id: signatures and envelopes are asked for at signing, screenings and cases at compliance.',
      );
    }
    return { ...sessionView(story), timeline: timeline(story.timeline) };
  }

  private async subjectStory(uuid: string) {
    const sessions = await this.sessions.ofSubject(uuid, SUBJECT_SESSIONS);
    const [newest] = sessions;
    if (!newest) throw new NotFound('The platform knows no flow session of this subject (sub_…).');
    return {
      id: typeId('sub', uuid),
      kind: 'subject',
      tenant_id: newest.session.tenant_id,
      sessions: sessions.map(({ session }) => ({ id: typeId('fls', session.id), status: session.status })),
      timeline: timeline(sessions.flatMap((story) => story.timeline)),
    };
  }

  @Get('events')
  @OpsOperation('the events of a tenant that name an id, such as sig_… or cas_…')
  @OpsAnswer(200, EVENTS)
  async listEventsAbout(@Query() { tenant: name, about }: EventsQuery) {
    const tenant = await namedTenant(this.database, name);
    const uuid = ID_PREFIXES.map((prefix) => uuidOf(prefix, about)).find((id) => id !== null);
    if (!uuid) throw new BadRequest('about in the query must be an id such as sig_01kamx6q7peqh8h51n8zq8y5hc.');
    const rows = await this.database.query<{ event_id: string; module: string; event_type: string; occurred_at: Date }>(
      'select * from platform.ops_events_about($1, $2, $3, $4)',
      [tenant.id, about, uuidFloor(new Date(Math.max(0, uuidTime(uuid).getTime() - CLOCKS_MS))), EVENTS_LOOKED_AT],
    );
    return { data: rows.map((row) => ({ ...row, occurred_at: row.occurred_at.toISOString() })) };
  }
}
