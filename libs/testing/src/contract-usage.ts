import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ContractDocument, CONTRACTS, WORKSPACE, type Contract } from './contract-document.ts';

/** tools/test/run.mjs empties this folder before a run and looks into it afterwards. */
const folderOfRun = () => process.env.OPERATIONS_DIR ?? path.join(WORKSPACE, 'dist/reports/operations');

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

/** Operations that no test of the last run has seen answer with a status below 400. */
export function reportUnusedOperations(folder: string = folderOfRun()): UnusedOperation[] {
  return CONTRACTS.flatMap((app) => {
    const used = new Set(usesOf(folder, app).flatMap(([id, status]) => (Number(status) < 400 ? [id] : [])));
    return ContractDocument.load(app)
      .operations.filter(({ operationId }) => !used.has(operationId))
      .map(({ operationId, method, path: template }) => ({ app, operationId, method, path: template }));
  });
}

function usesOf(folder: string, app: Contract): [string, string][] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.startsWith(`${app}-`))
    .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').trim().split('\n'))
    .map((line) => line.split(' ') as [string, string]);
}
