import { sleep } from '@constancia/kernel';
import type { Query } from '../oracle/finding.ts';
import type { Bank } from './bank.ts';
import { DAYS, isWeekend, type MonthOfLoad } from './month-of-load.ts';
import { type Activity, type Moment, viewOf, type Words } from './words.ts';

const LOOK_EVERY_MS = 1_000;

/** Draws the view over the last one, once a second; where the output is no terminal, one view a day. Does not end by itself. */
export async function showLive(
  query: Query,
  month: MonthOfLoad,
  bank: Bank,
  minutes: number,
  words: Words,
): Promise<void> {
  const live = process.stdout.isTTY;
  let drawn = 0;
  let shownDay = 0;
  let last: { at: number; done: Record<string, number> } = { at: Date.now(), done: {} };
  for (;;) {
    await sleep(LOOK_EVERY_MS);
    if (!live && month.day === shownDay) continue;
    shownDay = month.day;
    const { moment, done } = await momentOf(query, month, bank, minutes, last);
    last = { at: Date.now(), done };
    const lines = viewOf(moment, DAYS, words);
    if (live && drawn > 0) process.stdout.write(`\u001B[${drawn}A\u001B[0J`);
    console.log(lines.join('\n'));
    if (!live) console.log();
    drawn = lines.length;
  }
}

const clockOf = (ms: number): string => {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

async function momentOf(
  query: Query,
  month: MonthOfLoad,
  bank: Bank,
  minutes: number,
  last: { at: number; done: Record<string, number> },
): Promise<{ moment: Moment; done: Record<Activity, number> }> {
  const [counted] = await query<Record<'documents' | 'envelopes' | 'deliveries' | 'waiting', number>>(
    `select (select count(*)::int from signing.signature_request where tenant_id = $1 and status = 'signed') as documents,
            (select count(*)::int from signing.envelope where tenant_id = $1 and status = 'sealed') as envelopes,
            (select count(*)::int from platform.delivery where tenant_id = $1 and status = 'delivered') as deliveries,
            (select count(*)::int from platform.delivery where tenant_id = $1 and next_attempt_at is not null) as waiting`,
    [bank.tenantId],
  );
  const { documents = 0, envelopes = 0, deliveries = 0, waiting = 0 } = counted ?? {};
  const { statements, calls } = month.journal;
  const done: Record<Activity, number> = {
    sessions: statements.filter(({ kind }) => kind === 'session ended').length,
    screenings: calls.filter(({ kind, outcome }) => kind === 'screening' && outcome === 'acknowledged').length,
    documents,
    envelopes,
    deliveries,
  };
  const seconds = (Date.now() - last.at) / 1_000;
  const requests: Partial<Record<Activity, string>> = { sessions: 'flows', screenings: 'screenings', documents: 'signatures', envelopes: 'sign' }; // prettier-ignore
  const rows = (Object.keys(done) as Activity[]).map((name) => {
    const perSecond = (done[name] - (last.done[name] ?? 0)) / seconds;
    const kind = requests[name];
    return { name, done: done[name], perSecond, ...(kind !== undefined && { figures: month.meter.of(kind) }) };
  });
  const { day, elapsedMs, endpointFails, credits } = month;
  const moment = {
    day,
    elapsed: clockOf(elapsedMs),
    length: clockOf(minutes * 60_000),
    weekend: isWeekend(day),
    rows,
    waiting,
    endpointFails,
    credits,
  };
  return { moment, done };
}
