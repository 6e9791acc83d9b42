import type { ListCode } from '@constancia/reference-data';
import { FATF_CSV, SANDBOX_CSV } from '@constancia/name-screening';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { ComplianceConfig } from '../config.ts';
import { ListImports } from './list-imports.ts';
import { Lists } from './lists.ts';

/**
 * What a sandbox begins with: lists on which everybody is invented, and a copy of the FATF's table, which nobody updates: like the
 * others it is for trials, and does not age.
 */
const SHIPPED: readonly { list: ListCode; text: string; fictional: boolean }[] = [
  ...Object.entries(SANDBOX_CSV).map(([list, text]) => ({ list: list as ListCode, text, fictional: true })),
  { list: 'FATF', text: FATF_CSV, fictional: true },
];

const RETRY_MS = 2_000;

/**
 * Gives a sandbox its lists: each that has no version at all gets the one that ships with the product. Several processes may do so at
 * once: the first one's counts. Never in production, where a missing list must be noticed.
 */
@Injectable()
export class SandboxLists extends PeriodicWork {
  constructor(
    private readonly imports: ListImports,
    private readonly lists: Lists,
    private readonly config: ComplianceConfig,
    logger: Logger,
  ) {
    super({ name: 'sandbox-lists', everyMs: RETRY_MS, logger, runsAtStart: true });
  }

  override onApplicationBootstrap(): void {
    if (this.config.environment === 'sandbox') super.onApplicationBootstrap();
  }

  /** Runs again until it succeeds once. */
  override async run(signal: AbortSignal): Promise<void> {
    for (const { list, text, fictional } of SHIPPED) {
      if (signal.aborted) return;
      await this.imports.run({
        list,
        tenantId: null,
        files: [{ name: `${list.toLowerCase()}.csv`, bytes: Buffer.from(text) }],
        operator: 'sandbox',
        onlyFirst: true,
        fictional,
      });
    }
    await this.lists.refresh();
    void this.task.close();
  }
}
