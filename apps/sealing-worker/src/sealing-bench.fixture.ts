import { type TestDatabase, testDatabase } from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import type { SealingConfig } from './config.ts';
import { runningWorker, type WorkerServices, workerServices } from './running-sealing-worker.fixture.ts';

/** A store, the services that workers need, and workers that end with the test that started them. */
export class SealingBench {
  private store: TestDatabase;
  private around: WorkerServices;
  private readonly workers: INestApplicationContext[] = [];

  async open(): Promise<{ store: TestDatabase; around: WorkerServices }> {
    const [store, around] = await Promise.all([testDatabase(), workerServices()]);
    [this.store, this.around] = [store, around];
    return { store, around };
  }

  async worker(changes: Partial<SealingConfig> = {}): Promise<INestApplicationContext> {
    const started = await runningWorker(this.store, this.around, changes);
    this.workers.push(started);
    return started;
  }

  async endTest(): Promise<void> {
    this.around.kms.setMode('ok');
    await Promise.all(this.workers.splice(0).map((worker) => worker.close()));
  }

  async close(): Promise<void> {
    await Promise.all([this.store.drop(), this.around.close()]);
  }
}
