import { type ChainedEvent, type Database, verifyChain } from '@constancia/persistence';
import { type OpsAction, type OpsAnswer, OpsFields, opsPage, type OpsRequest } from '@constancia/telemetry';

/** A row of platform.operator_act. */
interface ActRow extends ChainedEvent {
  at: Date;
  type: string;
  operator: string;
  tenant_id: string | null;
  data: string;
}

const PAGE = 2_000;

/** What operators did, and whether the log of it is whole. */
export class AuditActions {
  constructor(private readonly database: Database) {}

  get actions(): OpsAction[] {
    return [
      {
        method: 'GET',
        path: /^\/ops\/audit$/,
        about: 'what operators did, newest first',
        handle: (request) => this.list(request),
      },
      {
        method: 'GET',
        path: /^\/ops\/audit\/verify$/,
        about: 'whether the log of it is whole; with seq and hash, whether it still holds a head noted elsewhere',
        handle: (request) => this.verify(request),
      },
    ];
  }

  private async list({ query }: OpsRequest): Promise<OpsAnswer> {
    const fields = OpsFields.ofQuery(query, ['operator', 'action', 'limit', 'cursor']);
    const limit = fields.limit();
    const [before] =
      fields.cursor([(key) => Number.isSafeInteger(key) && Number(key) > 0 && Number(key) < 2 ** 31]) ?? [];
    const rows = await this.database.query<ActRow>('select * from platform.ops_acts($1, $2, $3, $4)', [
      fields.text('operator', { max: 128 }) ?? null,
      fields.text('action', { max: 100 }) ?? null,
      before ?? null,
      limit + 1,
    ]);
    return { status: 200, body: opsPage(rows, limit, ({ seq }) => [seq], actView) };
  }

  private async verify({ query }: OpsRequest): Promise<OpsAnswer> {
    const fields = OpsFields.ofQuery(query, ['seq', 'hash']);
    const seq = fields.whole('seq', { min: 1, max: 2 ** 31 - 1 });
    const hash = fields.text('hash', { like: /^[0-9a-f]{64}$/, hint: 'must be the 64 characters of a hash' });
    const known = seq === undefined && hash === undefined ? [] : [{ seq: fields.needed('seq', seq), hash: fields.needed('hash', hash) }]; // prettier-ignore
    const acts = await this.all();
    const verdict = verifyChain(acts, known);
    return { status: 200, body: verdict.valid ? { ...verdict, acts: acts.length } : verdict };
  }

  private async all(): Promise<ChainedEvent[]> {
    const acts: ChainedEvent[] = [];
    for (;;) {
      const rows = await this.database.query<ActRow>('select * from platform.ops_acts_after($1, $2)', [
        acts.at(-1)?.seq ?? 0,
        PAGE,
      ]);
      for (const row of rows) acts.push(actView(row));
      if (rows.length < PAGE) return acts;
    }
  }
}

/** As it is hashed (libs/persistence, hashChain). */
function actView({ seq, type, at, operator, tenant_id, data, prev_hash, hash }: ActRow) {
  return {
    seq,
    type,
    at: at.toISOString(),
    operator,
    tenant_id,
    data: JSON.parse(data) as unknown,
    prev_hash,
    hash,
  };
}
