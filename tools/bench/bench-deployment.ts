import type { AppName, TestStack } from '@constancia/testing';
import type { Pool } from 'undici';
import { grantCredits, type Integrator, NO_LIMITS, signUp, startDeployment } from '../e2e/deployment.fixture.ts';

/** Bundled apps that log as in production, and a tenant with credits for any load. */
export interface BenchDeployment {
  stack: TestStack;
  integrator: Integrator;
  /** Calls an app as the tenant; answers the JSON of its answer, null when that is empty. */
  call<Body>(http: Pool, method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; body: Body }>;
}

/** @param options.durable whether commits reach the disk */
export async function benchDeployment(
  apps: readonly AppName[],
  options: { durable: boolean },
): Promise<BenchDeployment> {
  const stack = await startDeployment({ env: { ...NO_LIMITS, LOG_LEVEL: 'info' }, apps, ...options });
  const integrator = await signUp(stack);
  await grantCredits(stack, integrator, 10_000_000);
  return {
    stack,
    integrator,
    async call<Body>(http: Pool, method: 'GET' | 'POST', path: string, body?: object) {
      const answer = await http.request({
        method,
        path,
        headers: { 'x-api-key': integrator.apiKey, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, body: (text === '' ? null : JSON.parse(text)) as Body };
    },
  };
}
