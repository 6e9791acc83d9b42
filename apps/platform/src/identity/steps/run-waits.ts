import { STEP_RUN_DONE } from '@constancia/contracts';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { type AppliedRun, ApplyOutcome } from './apply-outcome.ts';

/** How often a run is looked at whose NOTIFY may have got lost. */
const POLL_MS = 5_000;

/** Requests that wait for their runs. One LISTEN connection wakes all of them. */
@Injectable()
export class RunWaits implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly waiting = new Map<string, Set<() => void>>();
  private listening: { close(): Promise<void> } | undefined;

  constructor(
    private readonly database: IdentityDatabase,
    private readonly outcomes: ApplyOutcome,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.listening = await this.database.listen(STEP_RUN_DONE, (runId) => {
      for (const wake of this.waiting.get(runId) ?? []) wake();
    });
  }

  /** Wakes everybody: they look once more and answer what they see. */
  async onApplicationShutdown(): Promise<void> {
    await this.listening?.close();
    for (const wakes of this.waiting.values()) for (const wake of wakes) wake();
  }

  /** Waits until a run is done, applies it, and answers that; null when it is not done in time. */
  async until(tenantId: string, runId: string, waitMs: number): Promise<AppliedRun | null> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const woken = this.woken(runId, Math.min(POLL_MS, Math.max(0, deadline - performance.now())));
      const applied = await this.outcomes.apply(tenantId, runId);
      if (applied) {
        woken.cancel();
        return applied;
      }
      if (performance.now() >= deadline) {
        woken.cancel();
        return null;
      }
      await woken.promise;
    }
  }

  /** Resolves when the run is announced as done, or after a while. Registered before the run is looked at: no word is missed. */
  private woken(runId: string, ms: number): { promise: Promise<void>; cancel(): void } {
    const wakes = this.waiting.get(runId) ?? new Set();
    this.waiting.set(runId, wakes);
    let wake: () => void = () => undefined;
    const promise = new Promise<void>((resolve) => {
      const timer = setTimeout(() => wake(), ms);
      wake = () => {
        clearTimeout(timer);
        wakes.delete(wake);
        if (wakes.size === 0) this.waiting.delete(runId);
        resolve();
      };
      wakes.add(wake);
    });
    return { promise, cancel: () => wake() };
  }
}
