import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import type { RoundResult } from './round.ts';

const FOLDER = path.join(WORKSPACE, 'dist/chaos');

type RoundId = Pick<RoundResult, 'fault' | 'seed' | 'backend' | 'replicas'>;

const fileOf = ({ fault, seed, backend, replicas = 1 }: RoundId) =>
  path.join(FOLDER, `${[fault, seed, backend, ...(replicas > 1 ? [`${replicas}-copies`] : [])].join('.')}.json`);

/** Keeps what a round showed, in a file of its own: a run that is broken off can be taken up again. */
export function keep(result: RoundResult): void {
  fs.mkdirSync(FOLDER, { recursive: true });
  fs.writeFileSync(fileOf(result), `${JSON.stringify(result, null, 2)}\n`);
}

/** Keeps what every process logged until something was found; answers the file. */
export function keepLogs(result: RoundResult, logs: string): string {
  const file = fileOf(result).replace(/json$/, 'log');
  fs.writeFileSync(file, logs);
  return path.relative(WORKSPACE, file);
}

export const isKept = (round: RoundId): boolean => fs.existsSync(fileOf(round));

/** All rounds that are kept, the latest of each. */
export function kept(): RoundResult[] {
  if (!fs.existsSync(FOLDER)) return [];
  return fs
    .readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(fs.readFileSync(path.join(FOLDER, name), 'utf8')) as RoundResult);
}
