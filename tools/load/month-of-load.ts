import { sleep } from '@constancia/kernel';
import { eventually } from '@constancia/testing';
import { Asking } from '../chaos/load/asking.ts';
import { onboarding, screening } from '../chaos/load/checking.ts';
import { envelope, signature } from '../chaos/load/signing.ts';
import { Random } from '../chaos/random.ts';
import type { Hosts } from '../e2e/deployment.fixture.ts';
import { emptyJournal, type Journal } from '../oracle/journal.ts';
import type { Bank } from './bank.ts';
import { Meter } from './meter.ts';

export const DAYS = 30;
/** The endpoint of the signing module answers 500 from the first of these days until the second. */
export const FAILING_DAYS = [10, 15] as const;
/** Pauses on a Saturday or Sunday are so many times longer. */
const WEEKEND = 4;
/** Below this balance the bank buys credits. */
const LEAST_CREDITS = 30_000;
const TOPUP_COP = 2_000_000;
const CREDITED_WITHIN_MS = 60_000;
/** How long after the month clients go on asking for answers that they did not get. */
const PATIENCE_MS = 60_000;

/** Whether a day of the month is a Saturday or a Sunday: the first one is a Monday. */
export const isWeekend = (day: number): boolean => (day - 1) % 7 >= 5;

/** A month of a bank at high speed: clients that work one after the other, each on one thing at a time, and keep their own log. */
export class MonthOfLoad {
  readonly journal: Journal = emptyJournal();
  readonly meter = new Meter();
  credits = 0;
  private readonly asking: Asking;
  private readonly random: Random;
  private startedAt = Date.now();
  private running = true;

  constructor(
    private readonly hosts: Hosts,
    private readonly bank: Bank,
    private readonly lengthMs: number,
  ) {
    this.asking = new Asking(this.meter.fetch, this.journal, bank.slug, Number.POSITIVE_INFINITY);
    this.random = new Random(bank.slug);
  }

  get elapsedMs(): number {
    return Math.min(this.lengthMs, Date.now() - this.startedAt);
  }

  /** From 1 to DAYS. */
  get day(): number {
    return Math.min(DAYS, 1 + Math.floor((this.elapsedMs / this.lengthMs) * DAYS));
  }

  get endpointFails(): boolean {
    return this.day >= FAILING_DAYS[0] && this.day < FAILING_DAYS[1];
  }

  /** Plays the month. Resolves when every client has ended what it began. */
  async play(): Promise<void> {
    const { baseUrl, complianceUrl, signingUrl } = this.hosts;
    const { asking, journal, bank, random } = this;
    await this.buyCredits();
    await eventually(
      async () => {
        if ((await this.readBalance()) < LEAST_CREDITS)
          throw new Error(`the first top-up is not credited: ${this.credits} credits`);
      },
      CREDITED_WITHIN_MS,
      250,
    );
    this.startedAt = Date.now();
    const clients = [
      ...this.clients(3, 60, () => screening(asking, complianceUrl, bank, random)),
      ...this.clients(2, 200, () => onboarding(asking, journal, baseUrl, bank, random)),
      ...this.clients(2, 150, () => envelope(asking, journal, signingUrl, bank)),
      ...this.clients(2, 100, () => signature(asking, signingUrl, bank)),
      ...this.clients(1, 1_500, () => this.buyCredits()),
    ];
    const weather = this.failOnItsDays();
    await sleep(this.lengthMs);
    this.running = false;
    asking.giveUpAt = Date.now() + PATIENCE_MS;
    await Promise.all([...clients, weather]);
  }

  private clients(copies: number, pauseMs: number, work: () => Promise<void>): Promise<void>[] {
    const run = async () => {
      await sleep(this.random.between(0, pauseMs));
      while (this.running) {
        await work();
        await sleep(this.random.between(0.5, 1.5) * pauseMs * (isWeekend(this.day) ? WEEKEND : 1));
      }
    };
    return Array.from({ length: copies }, () =>
      run().catch(
        (error: unknown) => void this.journal.surprises.push(`a client broke: ${String((error as Error).stack)}`),
      ),
    );
  }

  private async failOnItsDays(): Promise<void> {
    while (this.running) {
      if (this.endpointFails) this.bank.signingReceiver.fail('500');
      else this.bank.signingReceiver.heal();
      await sleep(100);
    }
    this.bank.signingReceiver.heal();
  }

  /** A top-up as a treasury makes it, and its payment at the simulator. */
  private async buyCredits(): Promise<void> {
    if ((await this.readBalance()) >= LEAST_CREDITS) return;
    const ref = this.asking.nextRef();
    const created = await this.asking.create('topup', this.bank, ref, {
      url: `${this.hosts.baseUrl}/v1/billing/topup`,
      body: { amount_cop: TOPUP_COP, external_ref: ref },
    });
    if (created) await fetch(`${String(created.init_point)}/approve`, { method: 'POST', redirect: 'manual' });
  }

  /** The credits that are left; those of the last answer when there is none. */
  private async readBalance(): Promise<number> {
    const headers = { 'X-API-Key': this.bank.apiKey };
    const url = `${this.hosts.baseUrl}/v1/billing/balance`;
    const shown = await this.asking.once({ url, method: 'GET', headers });
    if (shown.status === 200) this.credits = Number(shown.body.available);
    return this.credits;
  }
}
