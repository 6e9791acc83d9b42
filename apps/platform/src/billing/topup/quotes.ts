import { DependencyUnavailable } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { type CurrentRate, TrmRates } from '../trm/trm-rates.ts';
import { type Bundle, bundlesOf, chosenBundle } from './bundles.ts';
import { priceOf } from './price.ts';

/** Production does not sell at a rate that is older: somebody would gain by waiting. */
export const MAX_RATE_AGE_DAYS = 5;

export interface Quote {
  amountCop: number;
  amountCredits: number;
  bonusCredits: number;
  bundle: Bundle | undefined;
  usdMicros: number;
  rate: CurrentRate;
}

/** What an amount buys now. */
@Injectable()
export class Quotes {
  readonly bundles: readonly Bundle[];

  constructor(
    private readonly config: PlatformConfig,
    private readonly rates: TrmRates,
  ) {
    this.bundles = bundlesOf(config.topupBundles);
  }

  /** Throws ValidationError (bundle), and DependencyUnavailable in production while the exchange rate is too old. */
  async of(asked: { amount_cop: number; bundle?: string | undefined }, root = ''): Promise<Quote> {
    const bundle = chosenBundle(this.bundles, asked, root);
    const rate = await this.rates.current();
    if (this.config.environment === 'production' && rate.ageDays > MAX_RATE_AGE_DAYS) {
      const since = `The exchange rate of ${rate.validTo} is too old to sell credits at`;
      throw new DependencyUnavailable(`${since}: try again later.`, {}, { 'Retry-After': '1800' });
    }
    const usdMicros = this.config.creditPriceUsdMicros;
    const price = priceOf({
      amountCop: asked.amount_cop,
      trm: rate.value,
      usdMicros,
      bonusPercent: bundle?.bonusPercent ?? 0,
    });
    return { amountCop: asked.amount_cop, ...price, bundle, usdMicros, rate };
  }
}
