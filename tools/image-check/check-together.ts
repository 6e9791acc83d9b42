import type { AppName } from '@constancia/testing';
import { check } from '../local/check.mjs';
import { checkEnd, type CheckedImage, ready, startApp } from './check-app.ts';
import type { Confined } from './confined.ts';
import type { DeploymentServices } from './deployment-services.ts';

/** Addresses of the APIs, as the calls of tools/local take them. */
export interface Addresses {
  base_url: string;
  compliance_url: string;
  signing_url: string;
}

export function addressesOf({ ports }: DeploymentServices): Addresses {
  const at = (app: AppName) => `http://127.0.0.1:${ports[app].port}`;
  return { base_url: at('platform'), compliance_url: at('compliance'), signing_url: at('signing') };
}

/** The main job, from sign-up to a verified seal and its webhook, through nothing but images; then what the caller wants of them. */
export async function checkTogether(
  images: ReadonlyMap<AppName, CheckedImage>,
  around: DeploymentServices,
  then: (stack: Addresses) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { ports } = around;
  const running = new Map<AppName, Confined>();
  try {
    await step('All together: start', async () => {
      for (const [app, image] of images) running.set(app, startApp(image, around.environment(app)));
      await Promise.all([...running].map(([app, run]) => ready(run, ports[app])));
    });
    const stack = addressesOf(around);
    await check(stack, (what, work) => step(`All together: ${what}`, work));
    await then(stack);
    await step('All together: SIGTERM', () => Promise.all([...running].map(([app, run]) => checkEnd(app, run))));
  } finally {
    await Promise.all([...running.values()].map((run) => (run.running ? run.end('SIGKILL') : run.ended)));
  }
}

export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  console.log(`— ${name}`);
  const result = await work();
  console.log(`  ok (${((performance.now() - from) / 1_000).toFixed(1)} s)`);
  return result;
}
