import { sleep } from '@constancia/kernel';
import { httpOf } from '../../e2e/deployment.fixture.ts';
import { emptyJournal, type Journal } from '../../oracle/journal.ts';
import type { Extra } from '../faults/fault.ts';
import type { Random } from '../random.ts';
import type { Stage } from '../stage.ts';
import { Asking, type Customer } from './asking.ts';
import { onboarding, screening } from './checking.ts';
import { SignIns } from './openid.ts';
import { callbackWeather, fairCallbacks, topup } from './paying.ts';
import { realPictures } from './pictures.ts';
import { reuse, unansweredRequest } from './reuse.ts';
import { envelope, signature } from './signing.ts';
import { toggling } from './toggling.ts';

/** How long after the end of the load clients go on asking for answers that they did not get. */
const PATIENCE_MS = 75_000;

/** Clients that work one after the other, each on one thing at a time, and keep their own log. */
export class Load {
  readonly journal: Journal = emptyJournal();
  private readonly asking: Asking;
  private readonly clients: Promise<void>[] = [];
  private running = true;
  private boosted = 0;

  constructor(
    private readonly stage: Stage,
    private readonly random: Random,
    round: string,
  ) {
    this.asking = new Asking(httpOf(stage.stack), this.journal, round, Number.POSITIVE_INFINITY);
  }

  /** Starts the usual clients: one of everything for each of two tenants, a tenant that runs out of credits, and what goes wrong with callbacks. */
  start(poor: Customer, extra: Extra = {}): void {
    const { stack, healthy, moody, payments } = this.stage;
    for (const tenant of [healthy, moody]) {
      this.client(600, () => topup(this.asking, stack.baseUrl, tenant, payments, this.random));
      this.client(120, () => signature(this.asking, stack.signingUrl, tenant));
      this.client(250, () => envelope(this.asking, this.journal, stack.signingUrl, tenant));
      this.client(120, () => screening(this.asking, stack.complianceUrl, tenant, this.random));
      this.client(200, () => onboarding(this.asking, this.journal, stack.baseUrl, tenant, this.random));
      this.client(1_500, () => toggling(this.asking, stack.baseUrl, tenant, this.random));
    }
    this.persons(poor);
    this.client(150, () => signature(this.asking, stack.signingUrl, poor));
    // Less than it spends: what is taken back may leave it with less than nothing.
    this.client(3_000, () => topup(this.asking, stack.baseUrl, poor, payments, this.random, { mostCop: 25_000 }));
    const losing = this.random.next() < 0.5;
    this.client(900, () => callbackWeather(payments, this.random, losing));
    if (extra.faces) {
      const real = realPictures(stack);
      if (real)
        this.client(100, () => onboarding(this.asking, this.journal, stack.baseUrl, healthy, this.random, real));
    }
  }

  /** What persons do who keep a verification: answer requests, and sign in to applications. */
  private persons(poor: Customer): void {
    const { healthy, moody, persons } = this.stage;
    const asked = [
      { tenant: healthy, email: persons[0] },
      { tenant: moody, email: persons[1] },
    ];
    for (const { tenant, email } of asked)
      this.client(800, () => reuse(this.asking, this.journal, this.stage, tenant, email, this.random));
    this.client(2_000, () => unansweredRequest(this.asking, this.stage, poor));
    for (const tenant of [healthy, moody]) {
      const signIns = new SignIns(this.asking, this.journal, this.stage, tenant, persons[2], this.random);
      this.client(400, () => signIns.once());
    }
  }

  /** Adds so many times the usual clients that sign and screen, for as long as it is not set to 0. */
  boost(times: number): void {
    this.boosted = times;
    const { stack, healthy, moody } = this.stage;
    for (let copy = 0; copy < times; copy++) {
      for (const tenant of [healthy, moody]) {
        this.client(120, () => signature(this.asking, stack.signingUrl, tenant), true);
        this.client(120, () => screening(this.asking, stack.complianceUrl, tenant, this.random), true);
      }
    }
  }

  /** Lets every client end what it began. */
  async stop(): Promise<void> {
    this.running = false;
    this.asking.giveUpAt = Date.now() + PATIENCE_MS;
    await Promise.all(this.clients);
    await fairCallbacks(this.stage.payments);
  }

  private client(pauseMs: number, work: () => Promise<void>, extra = false): void {
    const run = async () => {
      await sleep(this.random.between(0, pauseMs));
      while (this.running && !(extra && this.boosted === 0)) {
        await work();
        await sleep(this.random.between(0.5 * pauseMs, 1.5 * pauseMs));
      }
    };
    this.clients.push(
      run().catch(
        (error: unknown) => void this.journal.surprises.push(`a client broke: ${String((error as Error).stack)}`),
      ),
    );
  }
}
