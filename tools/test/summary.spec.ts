import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Summary } from './summary.mjs';

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'summary-'));
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(root, { recursive: true });
});

function write(file: string, content: object): void {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), JSON.stringify(content));
}

/** A report of Vitest: each file's only test, and what became of it. */
const report = (outcomes: Record<string, 'passed' | 'failed' | 'skipped'>) => ({
  testResults: Object.entries(outcomes).map(([file, status]) => ({
    name: path.join(root, file),
    status: status === 'failed' ? 'failed' : 'passed',
    message: '',
    assertionResults: [{ status, fullName: 'does it', failureMessages: status === 'failed' ? ['expected 1'] : [] }],
  })),
});

/** What is printed for one project's target, by its reports and by how it ended. */
function summaryOf(status: number, reports: Record<string, object>): { passed: boolean; text: string } {
  const task = { taskId: 'kernel:test', target: 'test', projectName: '@constancia/kernel', hash: '1', status };
  write('.nx/cache/run.json', { tasks: [{ ...task, cacheStatus: 'cache-miss' }] });
  for (const [name, content] of Object.entries(reports)) write(`dist/reports/test/libs/kernel/${name}`, content);
  const summary = new Summary(root, { skipsForbidden: true });
  summary.targets(['test'], '');
  const passed = summary.print('npm test');
  return { passed, text: fs.readFileSync(path.join(root, 'dist/reports/npm-test.summary.txt'), 'utf8') };
}

it('lists a spec that failed and then passed by itself as unstable, with its failure; the run passes', () => {
  const { passed, text } = summaryOf(0, {
    'report.json': report({ 'a.spec.ts': 'passed', 'b.spec.ts': 'failed' }),
    'again.json': report({ 'b.spec.ts': 'passed' }),
  });
  expect(passed).toBe(true);
  expect(text).toMatch(/^Unstable .*\n {2}b\.spec\.ts: does it\n {4}expected 1$/m);
  expect(text).toContain('test: 2 tests, 1 of 1 projects');
  expect(text).toContain('npm test: passed (0 failed, 1 unstable, 0 skipped)');
});

it('lists a spec that failed twice as failed, once', () => {
  const { passed, text } = summaryOf(1, {
    'report.json': report({ 'a.spec.ts': 'passed', 'b.spec.ts': 'failed' }),
    'again.json': report({ 'b.spec.ts': 'failed' }),
  });
  expect(passed).toBe(false);
  expect(text).toMatch(/^Failed:\n {2}b\.spec\.ts: does it\n {4}expected 1$/m);
  expect(text).toContain('npm test: FAILED (1 failed, 0 unstable, 0 skipped)');
});

it('does not pass with a skipped test where skips are forbidden', () => {
  expect(summaryOf(0, { 'report.json': report({ 'a.spec.ts': 'skipped' }) })).toMatchObject({ passed: false });
});
