import { canonicalEvent, type ChainedTable } from '@constancia/persistence';
import pg from 'pg';
import { JOURNAL, TIMELINE } from '../../../apps/compliance/src/case-records/case-chains.ts';
import { AUDIT_LOG } from '../../../apps/platform/src/migrations/1764000002100-audit-log.ts';
import { TRAIL } from '../../../apps/platform/src/identity/sessions/session-chain.ts';
import { ENVELOPE_TRAIL } from '../../../apps/signing/src/envelope-records/envelope-chain.ts';

const SCHEMAS = ['platform', 'identity', 'compliance', 'signing'];
const CHAINS = [TIMELINE, TRAIL, ENVELOPE_TRAIL, AUDIT_LOG];

/** What is for now: how people are signed in, and what may still be repeated. */
const OF_NOW = /^platform\.(member_link|member_session|member_token|member_device)$|\.idempotency_key$/;

const DEADLOCK = '40P01';
const ATTEMPTS = 5;

/**
 * Moves the past of one tenant of the local stack. A service that could be told what time it is could be lied to, so the apps
 * have no such way: this one goes around them, as the superuser of the local database.
 */
export class Past {
  private chainsHold = true;

  private constructor(
    private readonly client: pg.Client,
    private readonly tenantId: string,
    private readonly updates: string[],
  ) {}

  static async open(databaseUrl: string, tenantId: string): Promise<Past> {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    return new Past(client, tenantId, await updatesOf(client));
  }

  /** Everything that the tenant has becomes older by a day. The chains of hashes are wrong until `relink`. */
  passDay(): Promise<void> {
    this.chainsHold = false;
    return this.unseen(async (client) => {
      for (const update of this.updates) await client.query(update, [this.tenantId]);
    });
  }

  /** The colleagues have joined: what they did in the month, they did signed in. */
  async joinColleagues(): Promise<void> {
    await this.client.query(
      `update platform.member set status = 'active', activated_at = now() where tenant_id = $1 and status = 'invited'`,
      [this.tenantId],
    );
  }

  /** Computes each chain of hashes again. */
  async relink(): Promise<void> {
    await this.unseen(async (client) => {
      // A sweep that has read a link and not yet written its own would join it to one that is no more: wait for it, let none begin.
      const tables = CHAINS.map(({ schema, table }) => `${schema}.${table}`);
      await client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
      for (const chain of CHAINS) await client.query(rehash(chain, this.tenantId));
      for (const sql of HEADS) await client.query(sql, [this.tenantId]);
    });
    this.chainsHold = true;
  }

  /** Leaves no chain of hashes wrong, also after a failure. */
  async close(): Promise<void> {
    try {
      if (!this.chainsHold) await this.relink();
    } finally {
      await this.client.end();
    }
  }

  /** A transaction without triggers, since rows of the past refuse to be changed; once more when a worker was in the way. */
  private async unseen(work: (client: pg.Client) => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.client.query('begin');
        await this.client.query('set local session_replication_role = replica');
        await work(this.client);
        await this.client.query('commit');
        return;
      } catch (error) {
        await this.client.query('rollback');
        if ((error as { code?: string }).code !== DEADLOCK || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

/** Heads of chains that are kept elsewhere. The journal of cases and its anchors name those that are no more: a sweep writes new ones. */
const HEADS = [
  `update compliance.review_case c set head_hash = e.hash, anchored_seq = 0
     from compliance.case_event e where c.tenant_id = $1 and e.case_id = c.id and e.seq = c.head_seq`,
  `update signing.envelope v set trail_hash = e.hash
     from signing.envelope_event e where v.tenant_id = $1 and e.envelope_id = v.id and e.seq = v.trail_seq`,
  `delete from ${JOURNAL.schema}.${JOURNAL.table} where tenant_id = $1`,
  'delete from compliance.case_anchor where tenant_id = $1',
];

/** One statement for each table of tenants: $1 the tenant. */
async function updatesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select n.nspname || '.' || c.relname as name, array_agg(a.attname::text) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any ($1) and a.atttypid = 'timestamptz'::regtype
        and not a.attisdropped and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
      group by 1 order by 1`,
    [SCHEMAS],
  );
  const older = (column: string): string => `"${column}" = "${column}" - interval '1 day'`;
  return [
    ...rows
      .filter(({ name }) => !OF_NOW.test(name))
      .map(({ name, columns }) => `update ${name} set ${columns.map(older).join(', ')} where tenant_id = $1`),
    `update platform.tenant set ${['created_at', 'owner_email_verified_at'].map(older).join(', ')} where id = $1`,
    // By way of another century: no day meets the one before it, which has not moved yet.
    `update platform.credit_daily_total set day = day - 36526 where tenant_id = $1`,
    `update platform.credit_daily_total set day = day + 36525 where tenant_id = $1`,
  ];
}

/** SQL that links each chain of the tenant again, from its first event on. */
function rehash(chain: ChainedTable, tenantId: string): string {
  const name = `${chain.schema}.${chain.table}`;
  const owner = chain.owner as string;
  return `do $do$
    declare e ${name}; owner uuid; prev text;
    begin
      for e in select * from ${name} where tenant_id = ${pg.escapeLiteral(tenantId)} order by ${owner}, seq loop
        if owner is distinct from e.${owner} then prev := repeat('0', 64); end if;
        owner := e.${owner};
        e.prev_hash := prev;
        prev := encode(sha256(convert_to(prev || ${canonicalEvent(chain)}, 'UTF8')), 'hex');
        update ${name} t set prev_hash = e.prev_hash, hash = prev where t.${owner} = e.${owner} and t.seq = e.seq;
      end loop;
    end $do$`;
}
