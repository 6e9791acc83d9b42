import { bogotaDay } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { daysBetween, type PublishedRate } from './plausible-rate.ts';
import type { TrmRate } from './trm-rate.entity.ts';
import { TRM_SEED } from './trm-seed.ts';

export interface CurrentRate extends PublishedRate {
  source: TrmRate['source'] | 'embedded';
  /** Days since its last valid day; 0 while it is valid. */
  ageDays: number;
}

/** The exchange rates that are kept; without any, the one that is built in. */
@Injectable()
export class TrmRates {
  constructor(private readonly database: Database) {}

  /** The newest rate that had begun by this day. */
  async current(today: string = bogotaDay(new Date())): Promise<CurrentRate> {
    const [row] = await this.database.query<{ valid_from: string; valid_to: string; value: string; source: 'socrata' }>(
      `select valid_from::text, valid_to::text, value::text, source from platform.trm_rate
        where valid_from <= $1::date order by valid_from desc limit 1`,
      [today],
    );
    const rate = row
      ? { validFrom: row.valid_from, validTo: row.valid_to, value: row.value, source: row.source }
      : { ...TRM_SEED, source: 'embedded' as const };
    return { ...rate, ageDays: Math.max(0, daysBetween(rate.validTo, today)) };
  }

  /** Keeps a rate; what is kept of its first day already stays. False: nothing was new. */
  async keep(rate: PublishedRate, source: TrmRate['source']): Promise<boolean> {
    const kept = await this.database.query(
      `insert into platform.trm_rate (valid_from, valid_to, value, source) values ($1, $2, $3, $4)
       on conflict (valid_from) do nothing returning 1`,
      [rate.validFrom, rate.validTo, rate.value, source],
    );
    return kept.length > 0;
  }
}
