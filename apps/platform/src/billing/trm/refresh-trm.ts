import { bogotaDay } from '@constancia/kernel';
import { Logger, Metrics, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { request } from 'undici';
import { PlatformConfig } from '../../config.ts';
import { implausibility, type PublishedRate } from './plausible-rate.ts';
import { type CurrentRate, TrmRates } from './trm-rates.ts';
import { rateOfSoap, rateOfSocrata, socrataUrl, soapRequest } from './trm-sources.ts';

/** A new rate is published once a day, in the afternoon: asked for until there is one for today. */
const EVERY_MS = 30 * 60_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;

type Source = 'socrata' | 'soap';

/** Keeps the official exchange rate up to date: the public register first, then the supervisor's own service. */
@Injectable()
export class RefreshTrm extends PeriodicWork {
  private readonly refusals;
  private readonly age;

  constructor(
    private readonly config: PlatformConfig,
    private readonly rates: TrmRates,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    super({ name: 'refresh-trm', everyMs: EVERY_MS, runsAtStart: true, logger });
    this.refusals = metrics.counter('trm_rates_refused_total', 'Exchange rates that were not believed', ['source']);
    this.age = metrics.gauge('trm_age_days', 'Days since the newest exchange rate ceased to be valid');
  }

  override async run(): Promise<void> {
    const today = bogotaDay(new Date());
    const last = await this.rates.current(today);
    if (last.ageDays > 0 && this.sources().length > 0) await this.fetch(today, last);
    this.age.set((await this.rates.current(today)).ageDays);
  }

  /** Asks one source after the other until one has a plausible rate. Throws the last failure when none has. */
  private async fetch(today: string, last: CurrentRate): Promise<void> {
    let failure: unknown;
    for (const source of this.sources()) {
      try {
        const rate = await this.ask(source, today);
        if (rate.validFrom === last.validFrom) continue; // nothing new is published yet
        const why = implausibility(rate, last);
        if (why === null) {
          await this.rates.keep(rate, source);
          return;
        }
        this.refusals.inc({ source });
        failure = new Error(`the exchange rate ${rate.value} of ${rate.validFrom} (${source}) is not believed: ${why}`);
      } catch (error) {
        failure = error;
      }
    }
    if (failure !== undefined) throw failure;
  }

  private sources(): Source[] {
    const { trmSocrataUrl, trmSoapUrl } = this.config;
    return [...(trmSocrataUrl ? ['socrata' as const] : []), ...(trmSoapUrl ? ['soap' as const] : [])];
  }

  private async ask(source: Source, day: string): Promise<PublishedRate> {
    if (source === 'socrata')
      return rateOfSocrata(await this.get(socrataUrl(this.config.trmSocrataUrl as string, day)));
    return rateOfSoap(await this.get(this.config.trmSoapUrl as string, soapRequest(day)));
  }

  private async get(url: string, soap?: string): Promise<string> {
    const { statusCode, body } = await request(url, {
      method: soap === undefined ? 'GET' : 'POST',
      headers: soap === undefined ? { accept: 'application/json' } : { 'content-type': 'text/xml; charset=utf-8' },
      body: soap ?? null,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Error(`${new URL(url).host} answered too much`);
      chunks.push(chunk);
    }
    if (statusCode !== 200) throw new Error(`${new URL(url).host} answered ${statusCode}`);
    return Buffer.concat(chunks).toString('utf8');
  }
}
