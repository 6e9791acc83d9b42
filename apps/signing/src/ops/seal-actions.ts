import {
  answer,
  ApiOptional,
  keysOfCursor,
  NoQuery,
  OpsAnswer,
  OpsController,
  OpsOperation,
  OpsPageQuery,
  page as pageOf,
} from '@constancia/http';
import { isUuid, typeId, uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { type StoryLine, timeline } from '@constancia/telemetry';
import { Get, Param, Query } from '@nestjs/common';
import { IsIn } from 'class-validator';
import type { Envelope } from '../envelope-records/envelope.entity.ts';
import type { SignatureRequest } from '../signatures/signature-request.entity.ts';
import { TrailArchives } from '../trail-archive/trail-archives.ts';
import { ENVELOPE, LAG, SEAL, SIGNATURE } from './seal-answers.ts';

type Seen = Pick<Envelope, 'id' | 'tenant_id' | 'attempts' | 'faults' | 'failure_reason' | 'created_at'> & {
  status: string;
};

interface SealRow extends Seen, Pick<Envelope, 'last_setback'> {
  kind: 'signature_request' | 'envelope';
  next_attempt_at: Date | null;
  leased_until: Date | null;
}

// prettier-ignore
type SealingColumn =
  | 'strandings' | 'failure_code' | 'credits_debited' | 'credits_refunded' | 'updated_at' | 'signed_at' | 'retry_at'
  | 'lease_until' | 'traceparent';
/** What signature requests and envelopes have in common. */
type SealedThing = Seen & Pick<Envelope, SealingColumn>;
type SignatureRow = SealedThing & Pick<SignatureRequest, 'template_id'>;

interface EnvelopeRow extends SealedThing, Pick<Envelope, 'circuit_id' | 'last_setback' | 'ended_at' | 'expires_at'> {
  events: { at: string; type: string; role: string | null }[];
}

const STATUSES = ['open', 'failed'] as const;
const isId = (key: string | number) => typeof key === 'string' && isUuid(key);

class SealsQuery extends OpsPageQuery {
  @ApiOptional({ description: 'Default: open.' })
  @IsIn(STATUSES)
  status: (typeof STATUSES)[number] = 'open';
}

/** What operators see of seals. */
@OpsController('ops')
export class SealActions {
  constructor(
    private readonly database: Database,
    private readonly archives: TrailArchives,
  ) {}

  @Get('seals')
  @OpsOperation('signature requests and envelopes that wait for their seal (status=open) or failed')
  @OpsAnswer(200, answer.page(SEAL))
  async listSeals(@Query() query: SealsQuery) {
    const { status, limit } = query;
    const [before] = keysOfCursor(query, [isId]) ?? [];
    const rows = await this.database.query<SealRow>('select * from signing.ops_seals($1, $2, $3)', [
      status,
      before ?? null,
      limit + 1,
    ]);
    const { data, next_cursor } = pageOf(rows, limit, ({ id }) => [id]);
    return { data: data.map(sealView), next_cursor };
  }

  @Get('lag')
  @OpsOperation('what waits here: seals')
  @OpsAnswer(200, LAG)
  async showLag(@Query() _query: NoQuery) {
    const rows = await this.database.query<{ kind: string; open: number; oldest_seconds: number }>(
      'select * from signing.ops_work()',
    );
    return { work: rows.map((row) => ({ module: 'signing', ...row, oldest_seconds: Math.round(row.oldest_seconds) })) };
  }

  @Get('story/:id')
  @OpsOperation('what became of a signature request (sig_…) or an envelope (env_…)')
  @OpsAnswer(200, { anyOf: [SIGNATURE, ENVELOPE] })
  async showStory(@Param('id') id: string, @Query() _query: NoQuery) {
    const found = (await this.signature(uuidOf('sig', id))) ?? (await this.envelope(uuidOf('env', id)));
    if (found) return found;
    throw new NotFound('Signing knows no signature request (sig_…) or envelope (env_…) of this id.');
  }

  private async signature(id: string | null) {
    if (id === null) return undefined;
    const [row] = await this.database.query<SignatureRow>('select * from signing.ops_signature($1)', [id]);
    if (!row) return undefined;
    const lines = [line(row.created_at, 'accepted', `${row.credits_debited} credits`), ...endOf(row)];
    return {
      ...thingView('signature_request', typeId('sig', row.id), row),
      template_id: typeId('tpl', row.template_id),
      timeline: timeline(lines),
    };
  }

  private async envelope(id: string | null) {
    if (id === null) return undefined;
    const [row] = await this.database.query<EnvelopeRow>('select * from signing.ops_envelope($1)', [id]);
    if (!row) return undefined;
    const archived = row.events[0]?.type === 'envelope.sent' ? [] : await this.archives.links(row.tenant_id, row.id);
    const trail = [...archived, ...row.events].map(({ at, type, role }) => line(new Date(at), type, role ?? ''));
    return {
      ...thingView('envelope', typeId('env', row.id), row),
      circuit_id: typeId('cir', row.circuit_id),
      last_setback: row.last_setback,
      expires_at: row.expires_at.toISOString(),
      ended_at: row.ended_at?.toISOString() ?? null,
      timeline: timeline([...trail, ...endOf(row)]),
    };
  }
}

function sealView(row: SealRow) {
  return {
    id: typeId(row.kind === 'envelope' ? 'env' : 'sig', row.id),
    kind: row.kind,
    tenant_id: row.tenant_id,
    status: row.status,
    attempts: row.attempts,
    faults: row.faults,
    last_setback: row.last_setback,
    failure_reason: row.failure_reason,
    created_at: row.created_at.toISOString(),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    leased_until: row.leased_until?.toISOString() ?? null,
  };
}

function thingView(kind: SealRow['kind'], id: string, row: SealedThing) {
  return {
    id,
    kind,
    tenant_id: row.tenant_id,
    status: row.status,
    attempts: row.attempts,
    faults: row.faults,
    strandings: row.strandings,
    failure_code: row.failure_code,
    failure_reason: row.failure_reason,
    credits_debited: row.credits_debited,
    credits_refunded: row.credits_refunded,
    created_at: row.created_at.toISOString(),
    signed_at: row.signed_at?.toISOString() ?? null,
    trace_id: row.traceparent?.split('-')[1] ?? null,
  };
}

const WAITING = ['pending', 'sealing'];

/** How sealing ended, or how it stands. */
function endOf(row: SealedThing): StoryLine[] {
  const tries = `${row.attempts} attempts, ${row.faults} faults of ours, ${row.strandings} stranded`;
  if (row.status === 'failed') {
    const refund = row.credits_refunded > 0 ? `, ${row.credits_refunded} credits refunded` : '';
    return [line(row.updated_at, 'sealing failed', `${row.failure_code}: ${row.failure_reason} (${tries}${refund})`)];
  }
  if (row.signed_at) return [line(row.signed_at, 'sealed', tries)];
  if (!WAITING.includes(row.status)) return [];
  if (row.lease_until && row.lease_until > new Date()) {
    return [line(row.lease_until, 'in a worker’s hands', `its lease ends then; ${tries}`)];
  }
  return [line(row.retry_at, 'next attempt', tries)];
}

const line = (at: Date, what: string, detail: string): StoryLine => ({
  ...{ at: at.toISOString(), where: 'signing', what, detail },
});
