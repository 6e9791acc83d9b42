import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { ContractDocument, CONTRACTS, type Contract } from './contract-document.ts';

/** Of all runs: each run of tests notes in a folder of its own below it, OPERATIONS_DIR (tools/test/specs.mjs). */
const REPORTS = path.join(WORKSPACE, 'dist/reports');
const folderOfRun = () => process.env.OPERATIONS_DIR ?? path.join(WORKSPACE, 'dist/operations');

const noted = new Set<string>();

/** Notes that an operation answered with this status; once per process. */
export function noteUse(app: Contract, operationId: string, status: number): void {
  const line = `${operationId} ${status}`;
  if (noted.has(`${app} ${line}`)) return;
  noted.add(`${app} ${line}`);
  const folder = folderOfRun();
  mkdirSync(folder, { recursive: true });
  appendFileSync(path.join(folder, `${app}-${process.pid}.txt`), `${line}\n`);
}

/** An operation of a committed document that no test has seen succeed. */
export interface UnusedOperation {
  app: Contract;
  operationId: string;
  method: string;
  path: string;
}

/** Operations that no test of the last runs has seen answer with a status below 400. */
export function reportUnusedOperations(folder: string = process.env.OPERATIONS_DIR ?? REPORTS): UnusedOperation[] {
  return CONTRACTS.flatMap((app) => {
    const used = new Set(usesOf(folder, app).flatMap(([id, status]) => (Number(status) < 400 ? [id] : [])));
    return ContractDocument.load(app)
      .operations.filter(({ operationId }) => !used.has(operationId))
      .map(({ operationId, method, path: template }) => ({ app, operationId, method, path: template }));
  });
}

function usesOf(folder: string, app: Contract): [string, string][] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => new RegExp(`^${app}-\\d+\\.txt$`).test(path.basename(file)))
    .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').trim().split('\n'))
    .map((line) => line.split(' ') as [string, string]);
}
