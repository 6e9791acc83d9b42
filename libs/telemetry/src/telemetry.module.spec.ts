import { PeriodicTask } from '@constancia/kernel';
import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, it, vi } from 'vitest';
import { Metrics, TelemetryModule } from './index.ts';

class SpecConfig {
  logLevel = 'silent' as const;
}

@Global()
@Module({ providers: [SpecConfig], exports: [SpecConfig] })
class SpecConfigModule {}

@Module({
  imports: [SpecConfigModule, TelemetryModule.forRoot(SpecConfig as never, 'spec')],
})
class SpecModule {}

it('measures the runs of periodic tasks, by task and result, until the process ends', async () => {
  const app = await NestFactory.createApplicationContext(SpecModule, { logger: false, abortOnError: false });
  const metrics = app.get(Metrics);
  const text = async () =>
    (await metrics.text())
      .split('\n')
      .filter((line) => line.includes('periodic_task'))
      .join('\n');
  const run = vi.fn().mockResolvedValueOnce(undefined).mockRejectedValue(new Error('away'));
  const task = new PeriodicTask({ name: 'spec-task', everyMs: 5, run });
  const unmeasured = new PeriodicTask({
    name: 'unmeasured',
    everyMs: 5,
    run: () => Promise.resolve(),
    measured: false,
  });
  unmeasured.wake();
  await unmeasured.close();
  task.start();
  await vi.waitFor(() => expect(run.mock.calls.length).toBeGreaterThanOrEqual(3), 5_000);
  await task.close();
  expect(await text()).toMatch(/periodic_task_run_seconds_count\{app="spec",task="spec-task",result="ok"\} 1$/m);
  expect(await text()).toMatch(
    /periodic_task_run_seconds_count\{app="spec",task="spec-task",result="failed"\} (?:[2-9]|\d{2,})/,
  );
  expect(await text()).not.toContain('unmeasured');
  await app.close();
  const before = await text();
  const later = new PeriodicTask({ name: 'spec-task', everyMs: 5, run: () => Promise.resolve() });
  later.wake();
  await later.close();
  expect(await text()).toBe(before);
});
