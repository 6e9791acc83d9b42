import type { TestDatabase } from '@constancia/testing';

/** What every ten entries are: debits, a hold and its capture, a refund. Their effect on the balance is -256. */
const TEN = `(values
  (0, 'debit', 'seal', 'signature', -40, 40), (1, 'debit', 'seal', 'signature', -40, 40), (2, 'debit', 'seal', 'signature', -40, 40),
  (3, 'debit', 'seal', 'signature', -40, 40), (4, 'debit', 'seal', 'envelope', -40, 40), (5, 'debit', 'compliance', 'screening', -8, 8),
  (6, 'debit', 'compliance', 'screening', -8, 8), (7, 'hold', 'identity', 'step_run', -80, 80),
  (8, 'capture', 'identity', 'step_run', 0, 80), (9, 'refund', 'seal', 'signature', 40, 40)
) k(place, kind, module, ref_type, amount, quantity)`;

const CHUNK = 10_000;

/**
 * Writes entries of a tenant, evenly over the days before now: the ledger's own functions write only those of now. A multiple of ten; the
 * ledger is sound afterwards.
 */
export async function writeEntries(
  database: Pick<TestDatabase, 'query'>,
  tenantId: string,
  count: number,
  days: number,
): Promise<void> {
  const granted = await database.query<{ seq: string; balance_after: string }>(
    `select seq, balance_after from platform_v1.grant_credits($1, 1000000000, 'many-entries', $1, null)`,
    [tenantId],
  );
  const [seq, balance] = [Number(granted[0]?.seq), Number(granted[0]?.balance_after)];
  for (let first = 0; first < count; first += CHUNK) {
    const last = Math.min(first + CHUNK, count) - 1;
    await database.query(
      `insert into platform.credit_entry
         (tenant_id, seq, kind, amount, quantity, balance_after, debit_account, credit_account, module, ref_type, ref_id, created_at)
       select $1, n + $7::bigint + 1, k.kind, k.amount, k.quantity, $2 + sum(k.amount) over (order by n), 'test', 'test', k.module,
              k.ref_type, gen_random_uuid(), now() - make_interval(secs => ($5::bigint - n) * $6::double precision)
         from generate_series($3::bigint, $4::bigint) n join ${TEN} on k.place = n % 10`,
      [tenantId, balance - 256 * (first / 10), first, last, count, (days * 86_400) / count, seq],
    );
  }
  await database.query('update platform.credit_account set available = $2, last_seq = $3 where tenant_id = $1', [
    tenantId,
    balance - 256 * (count / 10),
    seq + count,
  ]);
}
