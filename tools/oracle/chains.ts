import { type ChainedEvent, type ChainedTable, type ChainHead, verifyChain } from '@constancia/persistence';
import { JOURNAL, TIMELINE } from '../../apps/compliance/src/case-records/case-chains.ts';
import { OPERATORS_LOG } from '../../apps/platform/src/migrations/1763700000940-operators-log.ts';
import { TRAIL } from '../../apps/platform/src/identity/sessions/session-chain.ts';
import { ENVELOPE_TRAIL } from '../../apps/signing/src/envelope-records/envelope-chain.ts';
import { finding, type Query } from './finding.ts';

/**
 * Every chained table, the heads that are kept elsewhere, and the last links that are in archived files, whose own links `archive verify`
 * checks: (owner, seq, hash).
 */
const CHAINS: { chain: ChainedTable; heads?: string; moved?: string }[] = [
  {
    chain: ENVELOPE_TRAIL,
    heads: `select id as owner, trail_seq as seq, trail_hash as hash from signing.envelope where trail_seq is not null`,
    moved: `select envelope_id as owner, events as seq, head_hash as hash from signing.archived_trail`,
  },
  {
    chain: TRAIL,
    moved: `select session_id as owner, events as seq, head_hash as hash from identity.archived_session_trail`,
  },
  {
    chain: TIMELINE,
    heads: `select id as owner, head_seq as seq, head_hash as hash from compliance.review_case where head_seq > 0
      union all select case_id, seq, hash from compliance.case_anchor`,
    moved: `select case_id as owner, events as seq, head_hash as hash from compliance.archived_timeline`,
  },
  { chain: JOURNAL },
  { chain: OPERATORS_LOG },
];

type Link = ChainedEvent & { owner: string; at: Date | string; data: unknown };

/** Point 8: every chain verifies, to the heads that are kept beside it. */
export async function brokenChains(query: Query): Promise<string[]> {
  const found: string[] = [];
  for (const { chain, heads, moved } of CHAINS) {
    const name = `${chain.schema}.${chain.table}`;
    const owner = chain.owner === null ? `'all'` : `${chain.owner}::text`;
    const links = await query<Link>(
      `select ${owner} as owner, seq, type, at, data, prev_hash, hash
              ${chain.members.map((member) => `, "${member}"`).join('')} from ${name} order by 1, seq`,
    );
    const byOwner = new Map<string, ChainedEvent[]>();
    for (const { owner, ...link } of links) {
      const shown = { ...link, at: new Date(link.at).toISOString(), data: JSON.parse(String(link.data)) as object };
      byOwner.set(owner, [...(byOwner.get(owner) ?? []), shown]);
    }
    const [known, movedHeads] = [await headsOf(query, heads), await headsOf(query, moved)];
    for (const owner of new Set([...byOwner.keys(), ...known.keys()])) {
      const verdict = verifyChain(byOwner.get(owner) ?? [], known.get(owner), movedHeads.get(owner)?.[0]);
      if (!verdict.valid) found.push(finding(`chain of ${name}`, `${owner} ${verdict.fault} at ${verdict.seq}`));
    }
  }
  return found;
}

/** By owner. */
async function headsOf(query: Query, sql: string | undefined): Promise<Map<string, ChainHead[]>> {
  const found = new Map<string, ChainHead[]>();
  for (const { owner, ...head } of sql ? await query<ChainHead & { owner: string }>(sql) : [])
    found.set(owner, [...(found.get(owner) ?? []), head]);
  return found;
}
