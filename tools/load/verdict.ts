import { brokenDocuments } from '../oracle/documents.ts';
import { brokenInvariants } from '../oracle/broken-invariants.ts';
import type { Query } from '../oracle/finding.ts';
import { brokenPromises } from '../oracle/promises.ts';
import { brokenReceipts } from '../oracle/receipts.ts';
import type { Bank } from './bank.ts';
import type { MonthOfLoad } from './month-of-load.ts';
import type { Words } from './words.ts';

/** Writes what was done and what the oracle found of it. Answers the findings. */
export async function verdictOf(
  query: Query,
  { journal }: MonthOfLoad,
  bank: Bank,
  signingUrl: string,
  since: Date,
  { number, ...words }: Words,
): Promise<string[]> {
  console.log(words.verdict);
  const receipts = [...bank.receiver.received, ...bank.signingReceiver.received];
  const found = [
    ...(await brokenPromises(query, journal, signingUrl)),
    ...(await brokenInvariants(query, { pending: false })),
    ...(await brokenReceipts(query, { ...bank, receipts })),
    ...(await brokenDocuments(query, signingUrl, [bank], since)),
  ];
  const of = (outcome: string) => number.format(journal.calls.filter((call) => call.outcome === outcome).length);
  const [sealed] = await query<{ count: number }>(
    `select (select count(*)::int from signing.signature_request where tenant_id = $1 and status = 'signed')
          + (select count(*)::int from signing.envelope where tenant_id = $1 and status = 'sealed') as count`,
    [bank.tenantId],
  );
  const again = journal.calls.filter(({ sent }) => sent > 1).length;
  console.log(`  ${words.calls(of('acknowledged'), of('refused'), number.format(again))}`);
  console.log(`  ${words.documents(number.format(sealed?.count ?? 0))}`);
  console.log(`  ${words.receipts(number.format(receipts.length))}`);
  if (found.length === 0) console.log(`  ${words.nothing}`);
  else console.log(`  ${words.found(number.format(found.length))}\n${found.slice(0, 20).map((one) => `    ${one}`).join('\n')}`); // prettier-ignore
  return found;
}
