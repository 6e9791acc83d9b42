import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { WORKSPACE } from '@constancia/bundling/workspace';
import type { TestStack } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PaymentProcess } from '../chaos/payments.ts';
import { inStore, NO_LIMITS, startDeployment } from '../e2e/deployment.fixture.ts';

let stack: TestStack;
let payments: PaymentProcess;

beforeAll(async () => {
  payments = await PaymentProcess.start();
  stack = await startDeployment({ env: { ...NO_LIMITS, ...payments.environment(payments.url), DRAIN_SECONDS: '1' } });
}, 120_000);
afterAll(async () => {
  await stack?.close();
  await payments?.close();
});

/** What a month of so many minutes prints, and how it ends. */
async function play(minutes: number): Promise<{ code: number; said: string }> {
  const { baseUrl: base_url, complianceUrl: compliance_url, signingUrl: signing_url, consoleUrl: console_url } = stack;
  const order = {
    stack: { base_url, compliance_url, signing_url, console_url },
    databaseUrl: stack.cluster.adminUrl,
    minutes,
    locale: 'en',
  };
  const child = spawn(process.execPath, ['tools/run.mjs', 'tools/load/play-load.ts'], { cwd: WORKSPACE });
  child.stdin.end(JSON.stringify(order));
  const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode ?? -1, said: said + errors };
}

it('plays a month with a failing endpoint, shows it day by day, and ends with the verdict of the oracle', async () => {
  const { code, said } = await play(0.5);
  expect(said).toContain('the endpoint of signing answers 500');
  expect(said).toMatch(/Day 30 of 30/);
  expect(said).toContain('Nothing lost, nothing done twice');
  expect(said).toMatch(/ {2}[1-9][\d,]* calls acknowledged, 0 refused/);
  expect(code).toBe(0);

  await inStore(stack, 'update platform.credit_account set available = available + 7');
  const again = await play(0.5);
  expect(again.said).toContain('FOUND');
  expect(again.code).toBe(1);
}, 300_000);
