import fs from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { WORKSPACE } from '@constancia/bundling/workspace';
import type { Fault } from './faults/fault.ts';
import type { RoundResult } from './round.ts';

const FILE = path.join(WORKSPACE, 'docs/reliability.md');
/** What stands around the rounds on the page: all of them, or those of a section that has a name. */
const marks = (section?: string) =>
  section === undefined
    ? ['<!-- rounds: written by npm run chaos -->', '<!-- end of rounds -->']
    : [
        `<!-- rounds of ${section}: written by npm run chaos -- --section ${section} -->`,
        `<!-- end of rounds of ${section} -->`,
      ];

/** One line per fault, as cells. */
function lineOf(fault: Fault, rounds: readonly RoundResult[]): string[] {
  const played = rounds.filter(({ skipped }) => !skipped);
  const skipped = rounds.find((round) => round.skipped)?.skipped;
  if (played.length === 0) return [fault.name, fault.what, skipped ? `0 (${skipped})` : '0', '', '', '', '', ''];
  const on = (backend: string) => played.filter((round) => round.backend === backend).length;
  const sum = (count: (round: RoundResult) => number) =>
    String(played.reduce((total, round) => total + count(round), 0));
  const seconds = played
    .map(({ recoveredSeconds }) => recoveredSeconds ?? Number.POSITIVE_INFINITY)
    .sort((a, b) => a - b);
  const median = seconds[Math.floor((seconds.length - 1) / 2)] as number;
  const worst = seconds.at(-1) as number;
  return [
    fault.name,
    fault.what,
    `${on('redis')} + ${on('postgres')} + ${on('redis-cluster')}`,
    sum(({ acknowledged }) => acknowledged),
    sum(({ repeated }) => repeated),
    sum(({ waiting }) => waiting),
    `${shown(median)} / ${shown(worst)} (${fault.limitSeconds})`,
    String(played.filter(({ violations }) => violations.length > 0).length),
  ];
}

const shown = (seconds: number) => (Number.isFinite(seconds) ? seconds.toFixed(1) : 'never');

const HEAD = [
  'Fault', 'What is done', 'Rounds (queues on Redis + Postgres + Redis Cluster)', 'Acknowledged', 'Sent again', 'Waiting at the strike',
  'Recovery, median / worst (limit), s', 'Rounds with a finding',
]; // prettier-ignore

/** The tables of rounds: of one copy of every process, and of several. `unplayed`: faults without a round of one copy are in it, too. */
export function tables(all: readonly Fault[], rounds: readonly RoundResult[], unplayed = false): string {
  const copies = [...new Set(rounds.map(({ replicas = 1 }) => replicas))].sort();
  return copies
    .map((number) => {
      const those = rounds.filter(({ replicas = 1 }) => replicas === number);
      const head = number === 1 ? '' : `With ${number} copies of every process:\n\n`;
      const played = all.filter(({ name }) => those.some(({ fault }) => fault === name));
      return `${head}${table(unplayed && number === 1 ? all : played, those)}`;
    })
    .join('\n\n');
}

function table(faults: readonly Fault[], rounds: readonly RoundResult[]): string {
  const lines = faults.map((fault) =>
    lineOf(
      fault,
      rounds.filter((round) => round.fault === fault.name),
    ),
  );
  return [HEAD, HEAD.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Every round with its seed, its figures and what was found, for who wants to repeat one. */
function seeds(faults: readonly Fault[], rounds: readonly RoundResult[]): string {
  return faults
    .map(({ name, countsFrom }) => {
      const played = rounds
        .filter((round) => round.fault === name && !round.skipped)
        .sort((a, b) => (a.replicas ?? 1) - (b.replicas ?? 1) || a.seed - b.seed || a.backend.localeCompare(b.backend))
        .map(({ seed, backend, replicas = 1, recoveredSeconds, strikeSeconds, violations }) => {
          const ready = countsFrom === 'strike' ? `, ready after ${strikeSeconds.toFixed(1)} s` : '';
          const time = recoveredSeconds === null ? 'never' : `${recoveredSeconds.toFixed(1)} s${ready}`;
          return `${seed} (${backend}${replicas > 1 ? `, ${replicas} copies` : ''}) ${time}${violations.length > 0 ? ` **${violations.length} found**` : ''}`;
        });
      return `- \`${name}\`: ${played.join(', ') || 'no round'}`;
    })
    .join('\n');
}

function findings(rounds: readonly RoundResult[]): string {
  const lines = rounds.flatMap(({ fault, seed, backend, violations }) =>
    violations.slice(0, 5).map((violation) => `- \`${fault}\`, seed ${seed}, ${backend}: ${violation.slice(0, 300)}`),
  );
  return lines.length > 0 ? lines.join('\n') : 'None.';
}

/** Writes the rounds into docs/reliability.md, between the marks of the section; one with a name has the faults that were played. */
export async function writeReport(all: readonly Fault[], rounds: readonly RoundResult[], section?: string) {
  const page = fs.readFileSync(FILE, 'utf8');
  const [begin, end] = marks(section) as [string, string];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/reliability.md has no "${begin}" with "${end}" after it`);
  const played = rounds.filter(({ skipped }) => !skipped);
  const faults = section === undefined ? all : all.filter(({ name }) => rounds.some(({ fault }) => fault === name));
  const heading = section === undefined ? '###' : '####';
  const days = played.map(({ startedAt }) => startedAt).sort();
  const commits = [...new Set(played.map(({ commit }) => commit))];
  const loads = played.flatMap(({ machineLoad }) => machineLoad ?? []).sort((a, b) => a - b);
  const words = [
    begin,
    '',
    `${played.length} rounds of ${new Set(played.map(({ fault }) => fault)).size} faults, from ${days[0] ?? '-'} to ${days.at(-1) ?? '-'};`,
    `${played.filter(({ violations }) => violations.length > 0).length} with a finding. Commits: ${commits.join(', ')}.`,
    `Processes that wanted a core, per core: ${loads.length > 0 ? `${shown(loads[0] as number)} to ${shown(loads.at(-1) as number)}` : 'not noted'}.`,
    '',
    tables(faults, rounds, section === undefined),
    '',
    `${heading} Findings of these rounds`,
    '',
    findings(played),
    '',
    `${heading} Seeds and recovery times`,
    '',
    seeds(faults, rounds),
    '',
    end,
  ].join('\n');
  const text = page.slice(0, from) + words + page.slice(to + end.length);
  fs.writeFileSync(FILE, await format(text, { ...(await resolveConfig(FILE)), filepath: FILE }));
}
