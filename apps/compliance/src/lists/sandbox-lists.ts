import type { ListCode } from '@constancia/reference-data';
import { FATF_CSV, SANDBOX_CSV } from '@constancia/name-screening';
import type { Logger } from '@constancia/telemetry';
import type { ListImports } from './list-imports.ts';
import type { Lists } from './lists.ts';

/**
 * What a sandbox begins with: lists on which everybody is invented, and a copy of the FATF's table, which nobody brings up to date: as the
 * others it is for trying things out, and does not age.
 */
const SHIPPED: readonly { list: ListCode; text: string; fictional: boolean }[] = [
  ...Object.entries(SANDBOX_CSV).map(([list, text]) => ({ list: list as ListCode, text, fictional: true })),
  { list: 'FATF', text: FATF_CSV, fictional: true },
];

const RETRY_MS = 2_000;

/**
 * Gives a sandbox its lists: each that has no version at all gets the one that ships with the product. Several processes may do so at
 * once: the first one's counts. Never in production, where a missing list must be missed.
 */
export class SandboxLists {
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly imports: ListImports,
    private readonly lists: Lists,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.running = this.supply().catch((error: unknown) => {
      this.logger.error({ error }, 'the lists of the sandbox could not be imported; it is tried again');
      if (!this.closed) this.timer = setTimeout(() => this.start(), RETRY_MS);
      this.timer?.unref();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async supply(): Promise<void> {
    for (const { list, text, fictional } of SHIPPED) {
      if (this.closed) return;
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
  }
}
