import { setTimeout as pause } from 'node:timers/promises';
import { operations, replayOrder, type ReplayRunRow, saysWhose } from '@constancia/operations';
import type { OpsContext } from '../ops-context.ts';
import { EXIT, Refused, WrongUse } from '../failures.ts';

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
export async function replayByFilter(context: OpsContext, flags: ReplayFlags): Promise<void> {
  const { words } = context;
  const { tenant, allTenants, module, eventType, status, since, until, rate, max, reason } = flags;
  const filter = { tenant, all_tenants: allTenants, module, event_type: eventType, status, since, until, rate, max };
  if (!saysWhose(filter)) throw new WrongUse(words.whose);
  if (!reason?.trim()) throw new WrongUse(words.why);
  const order = (dryRun: boolean) =>
    context.send(operations.orderReplay({ ...replayOrder(filter, reason), dry_run: dryRun }));

  const count = await order(true);
  context.say(words.matched(count.matched, count.max, count.rate));
  if (flags.dryRun) return context.show(count, () => [words.dryRun]);
  if (count.matched === 0) return context.show(count, () => [words.nothing]);
  if (count.matched > UNASKED && !flags.yes) throw new Refused(words.needsYes(count.matched));
  await watch(context, await order(false));
}

/** Shows how a run goes until it has ended. Ctrl-C ends only the watching. */
export async function watch(context: OpsContext, first: ReplayRunRow): Promise<void> {
  const { words } = context;
  const interrupted = new AbortController();
  const onInterrupt = () => interrupted.abort();
  process.once('SIGINT', onInterrupt);
  context.say(words.started(first.id)); // says what Ctrl-C does, so only once it does that
  const progress = new Progress(context);
  let run = first;
  try {
    while (run.status === 'running') {
      progress.show(words.progress(run.replayed, run.matched, run.skipped, run.status));
      await pause(LOOK_EVERY_MS, undefined, { signal: interrupted.signal });
      run = await context.send(operations.replay(run.id));
    }
    progress.end();
  } catch (error) {
    progress.end();
    if (!interrupted.signal.aborted) throw error;
    context.say(words.stopped(run.id));
    process.exitCode = EXIT.interrupted;
    return;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
  context.show(run, () => [words.runEnded(run.id, run.status, run.replayed, run.skipped)]);
  if (run.status !== 'completed') process.exitCode = EXIT.refused;
}

/** One line that changes on a terminal; in a log, a line now and then. */
class Progress {
  private last = '';
  private lineAt = 0;
  private readonly live: boolean;

  constructor(private readonly context: OpsContext) {
    this.live = process.stdout.isTTY === true && !context.json;
  }

  show(line: string): void {
    if (line === this.last) return;
    if (this.live) process.stdout.write(`\r${line.padEnd(this.last.length)}`);
    else if (Date.now() - this.lineAt > LINE_EVERY_MS) {
      this.lineAt = Date.now();
      this.context.say(line);
    }
    this.last = line;
  }

  end(): void {
    if (this.live && this.last !== '') process.stdout.write('\n');
  }
}
