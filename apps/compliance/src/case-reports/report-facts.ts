import type { PageLanguage } from '@constancia/http';
import { moneyText } from '@constancia/reference-data/money-text';
import type { RosDraft } from '../case-records/review-case.ts';
import type { CaseDossierView } from '../case-dossiers/case-dossier-view.ts';
import { REPORT_TEXTS, type ReportTexts } from './report-texts.ts';

/** What a report says, for whom. */
export interface ReportFacts {
  dossier: CaseDossierView;
  /** Null: there is none, or the reader must not learn of it. */
  rosDraft: RosDraft | null;
  language: PageLanguage;
  /** The tenant's name. */
  entity: string;
  madeBy: string;
  madeAt: Date;
}

/** How a report in one language writes texts, times and numbers. */
export interface Wording {
  texts: ReportTexts;
  language: PageLanguage;
  time: (iso: string | Date) => string;
  /** As `time`; midnight of UTC is a day without a time. */
  dayOrTime: (iso: string) => string;
  percent: (share: number) => string;
  size: (bytes: number) => string;
  /** Empty without an amount. */
  money: (subject: { amount?: number; currency?: string }) => string;
}

const DAY_MS = 86_400_000;

export function wordingOf(language: PageLanguage): Wording {
  const times = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'America/Bogota',
  });
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const kilobytes = new Intl.NumberFormat(language, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 });
  // What separates an hour from its half of the day is a space that the standard fonts lack.
  const plain = (written: string) => written.replaceAll(/[\u00a0\u2009\u202f]/g, ' ');
  const time = (at: string | Date) => `${plain(times.format(new Date(at)))} (UTC-5)`;
  return {
    texts: REPORT_TEXTS[language],
    language,
    time,
    dayOrTime: (at) => (Date.parse(at) % DAY_MS === 0 ? plain(days.format(new Date(at))) : time(at)),
    percent: (share) => plain(percents.format(share)),
    money: ({ amount, currency }) => (amount === undefined ? '' : plain(moneyText(amount, currency, language))),
    size: (bytes) => plain(kilobytes.format(bytes / 1_000)),
  };
}
