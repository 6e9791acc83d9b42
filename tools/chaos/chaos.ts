/**
 * npm run chaos: faults against a whole deployment with load running, and the oracle's verdict after each.
 *
 * npm run chaos -- --rounds 10 --only-missing     every fault with seeds 1 to 10; what is kept in dist/chaos is not played again
 * npm run chaos -- --fault queue-wiped --seed 7   one round, again
 * npm run chaos -- --list                         the faults
 */
import { execFileSync } from 'node:child_process';
import { redisInstalled } from '@constancia/testing';
import { Command } from 'commander';
import { FAULTS } from './faults/all.ts';
import type { Fault } from './faults/fault.ts';
import { tables, writeReport } from './report.ts';
import { isKept, keep, keepLogs, kept } from './results.ts';
import { playRound, type RoundResult } from './round.ts';
import { type Backend, BACKENDS, Stage } from './stage.ts';

interface Options {
  seed: string;
  rounds: string;
  seconds: string;
  fault?: string[];
  backend?: string;
  replicas: string;
  until?: string;
  onlyMissing?: true;
  list?: true;
  report?: true;
  section?: string;
}

const COMMIT = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();

/** Rounds on one stage, at most: its tables grow, and the oracle looks at all of them. */
const ROUNDS_PER_STAGE = 12;

interface Planned {
  fault: Fault;
  seed: number;
  backend: Backend;
  replicas: number;
}

/** Seed by seed all faults, those of one backend together. Without --backend, odd seeds are for Redis and even ones for Postgres. */
function plan(options: Options): Planned[] {
  const faults = FAULTS.filter(({ name }) => !options.fault || options.fault.includes(name));
  const unknown = options.fault?.filter((name) => !faults.some((fault) => fault.name === name)) ?? [];
  if (options.backend && !(BACKENDS as readonly string[]).includes(options.backend))
    throw new Error(`no such backend: ${options.backend}. There are ${BACKENDS.join(', ')}.`);
  if (unknown.length > 0) throw new Error(`no such fault: ${unknown.join(', ')}. --list names them.`);
  const planned: Planned[] = [];
  for (let seed = Number(options.seed); seed < Number(options.seed) + Number(options.rounds); seed++) {
    const usual = (options.backend ?? (seed % 2 === 1 ? 'redis' : 'postgres')) as Backend;
    const each = faults.map((fault) => ({
      fault,
      seed,
      backend: fault.only ?? usual,
      replicas: Number(options.replicas),
    }));
    planned.push(...each.sort((a, b) => stageOf(a).localeCompare(stageOf(b))));
  }
  return options.onlyMissing
    ? planned.filter(({ fault, ...rest }) => !isKept({ fault: fault.name, ...rest }))
    : planned;
}

const stageOf = ({ fault, backend }: Planned) =>
  [backend, fault.fakeClock && 'its own clock', fault.smallData && 'a small disk', fault.pooler && 'a pooler'].join();

function printResult({ fault, seed, backend, replicas = 1, ...result }: RoundResult): void {
  const name = `${fault} seed ${seed} ${backend}${replicas > 1 ? ` ${replicas} copies` : ''}`;
  if (result.skipped) return console.log(`${name}: skipped: ${result.skipped}`);
  const { acknowledged, repeated, waiting, recoveredSeconds, restSeconds, violations } = result;
  console.log(
    `${name}: ${violations.length === 0 ? 'ok' : `${violations.length} FOUND`}; ${acknowledged} acknowledged, ${repeated} sent again, ` +
      `${waiting} waited, recovered in ${recoveredSeconds ?? '-'} s, at rest in ${restSeconds ?? '-'} s`,
  );
  for (const violation of violations.slice(0, 10)) console.log(`    ${violation}`);
}

/** Plays a round on a stage that fits; a stage on which something was found is not used again. */
async function play(
  round: Planned,
  open: { stage?: Stage; name?: string; played: number },
  seconds: number,
): Promise<RoundResult> {
  const name = stageOf(round);
  if (!open.stage || open.name !== name || open.played >= ROUNDS_PER_STAGE) {
    await open.stage?.close();
    Object.assign(open, { stage: undefined, name, played: 0 });
    open.stage = await Stage.open(round.backend, {
      fakeClock: round.fault.fakeClock === true,
      smallData: round.fault.smallData === true,
      pooler: round.fault.pooler === true,
      replicas: round.replicas,
    });
  }
  const result = await playRound(open.stage, round.fault, { seed: round.seed, seconds, commit: COMMIT });
  keep(result);
  open.played += 1;
  if (result.violations.length > 0) {
    console.log(`what its processes logged: ${keepLogs(result, open.stage.stack.logs())}`);
    await open.stage.close();
    delete open.stage;
  }
  return result;
}

async function main(options: Options): Promise<void> {
  if (options.list) return FAULTS.forEach(({ name, what }) => console.log(`${name.padEnd(24)}${what}`));
  if (!options.report) await playAll(options);
  const rounds = kept();
  await writeReport(FAULTS, rounds, options.section);
  console.log(`\n${tables(FAULTS, rounds)}\n\nWritten to docs/reliability.md.`);
}

async function playAll(options: Options): Promise<void> {
  const rounds = plan(options);
  const until = options.until ? Date.parse(options.until) : Number.POSITIVE_INFINITY;
  console.log(`${rounds.length} rounds, seeds from ${options.seed}, ${options.seconds} s of load each`);
  const open: Parameters<typeof play>[1] = { played: 0 };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void Promise.resolve(open.stage?.close()).finally(() => process.exit(1)));
  }
  try {
    for (const round of rounds) {
      if (Date.now() > until) {
        console.log('the time is over: the same command with --only-missing goes on');
        break;
      }
      if (round.backend !== 'postgres' && !redisInstalled) {
        console.log(`${round.fault.name} seed ${round.seed}: skipped: redis-server is not installed`);
        continue;
      }
      if ((round.fault.fakeClock || round.fault.pooler) && round.fault.impossible?.({} as Stage)) {
        console.log(`${round.fault.name} seed ${round.seed}: skipped: ${round.fault.impossible({} as Stage)}`);
        continue;
      }
      const result = await play(round, open, Number(options.seconds));
      printResult(result);
      if (result.violations.length > 0) process.exitCode = 1;
    }
  } finally {
    await open.stage?.close();
  }
}

const program = new Command('chaos')
  .description('Faults against a whole deployment under load, and whether anything was lost.')
  .option('--seed <number>', 'first seed', '1')
  .option('--rounds <number>', 'seeds, one round of every fault each', '1')
  .option('--seconds <number>', 'seconds of load in a round, at the least', '7')
  .option('--fault <names...>', 'these faults alone')
  .option('--backend <name>', 'queues on redis, postgres or redis-cluster; left out: the first two take turns')
  .option('--replicas <number>', 'copies of every process, behind a load balancer', '1')
  .option('--until <time>', 'begin no round after this time (ISO 8601)')
  .option('--only-missing', 'leave out rounds that are kept in dist/chaos')
  .option('--report', 'play nothing: write docs/reliability.md from what is kept')
  .option(
    '--section <name>',
    'the rounds of docs/reliability.md to write, by the name in their marks; left out: those of Results',
  )
  .option('--list', 'name the faults');

await main(program.parse().opts<Options>());
// What a fault left half-open on either side keeps nobody waiting.
process.exit();
