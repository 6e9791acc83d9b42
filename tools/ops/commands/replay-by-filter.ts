import { setTimeout as pause } from 'node:timers/promises';
import type { OpsContext } from '../ops-context.ts';
import { EXIT, Refused, WrongUse } from '../trouble.ts';
import type { ReplayRunRow } from './rows.ts';

export interface ReplayFlags {
  tenant?: string;
  allTenants?: boolean;
  module?: string;
  eventType?: string;
  status?: string[];
  since?: string;
  until?: string;
  rate?: number;
  max?: number;
  dryRun?: boolean;
  reason?: string;
  yes?: boolean;
}

/** More than these are sent again only with --yes. */
const UNASKED = 100;
const LOOK_EVERY_MS = 500;
/** Between two lines of progress where nobody watches: a log. */
const LINE_EVERY_MS = 10_000;

/** Counts, asks for --yes above 100, orders the run and watches it to its end. */
export async function replayByFilter(desk: OpsContext, flags: ReplayFlags): Promise<void> {
  const { words } = desk;
  if ((flags.tenant === undefined) === (flags.allTenants !== true)) throw new WrongUse(words.whose);
  if (!flags.reason?.trim()) throw new WrongUse(words.why);
  const body = {
    ...(flags.tenant === undefined ? { all_tenants: true } : { tenant: flags.tenant }),
    status: flags.status ?? ['failed'],
    module: flags.module,
    event_type: flags.eventType,
    since: flags.since,
    until: flags.until,
    rate: flags.rate,
    max: flags.max,
    reason: flags.reason,
  };
  const order = (dryRun: boolean) =>
    desk.client.call<ReplayRunRow>('platform', '/ops/replays', { method: 'POST', body: { ...body, dry_run: dryRun } });

  const count = await order(true);
  desk.say(words.matched(count.matched, count.max, count.rate));
  if (flags.dryRun) return desk.show(count, () => [words.dryRun]);
  if (count.matched === 0) return desk.show(count, () => [words.nothing]);
  if (count.matched > UNASKED && !flags.yes) throw new Refused(words.needsYes(count.matched));
  const run = await order(false);
  desk.say(words.started(run.id));
  await watch(desk, run);
}

/** Shows how a run goes until it has ended. Ctrl-C ends only the watching. */
export async function watch(desk: OpsContext, first: ReplayRunRow): Promise<void> {
  const { words } = desk;
  const interrupted = new AbortController();
  const onInterrupt = () => interrupted.abort();
  process.once('SIGINT', onInterrupt);
  const progress = new Progress(desk);
  let run = first;
  try {
    while (run.status === 'running') {
      progress.show(words.progress(run.replayed, run.matched, run.skipped, run.status));
      await pause(LOOK_EVERY_MS, undefined, { signal: interrupted.signal });
      run = await desk.client.call<ReplayRunRow>('platform', `/ops/replays/${run.id}`);
    }
    progress.end();
  } catch (error) {
    progress.end();
    if (!interrupted.signal.aborted) throw error;
    desk.say(words.stopped(run.id));
    process.exitCode = EXIT.interrupted;
    return;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
  desk.show(run, () => [words.runEnded(run.id, run.status, run.replayed, run.skipped)]);
  if (run.status !== 'completed') process.exitCode = EXIT.refused;
}

/** One line that changes on a terminal; in a log, a line now and then. */
class Progress {
  private last = '';
  private lineAt = 0;
  private readonly live: boolean;

  constructor(private readonly desk: OpsContext) {
    this.live = process.stdout.isTTY === true && !desk.json;
  }

  show(line: string): void {
    if (line === this.last) return;
    if (this.live) process.stdout.write(`\r${line.padEnd(this.last.length)}`);
    else if (Date.now() - this.lineAt > LINE_EVERY_MS) {
      this.lineAt = Date.now();
      this.desk.say(line);
    }
    this.last = line;
  }

  end(): void {
    if (this.live && this.last !== '') process.stdout.write('\n');
  }
}
