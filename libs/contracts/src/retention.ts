/** A period of a tenant's retention, in days. A default of null: without end. */
export interface RetentionPeriod {
  default: number | null;
  min: number;
  max: number;
}

/** Five years, the minimum of SARLAFT. */
const SARLAFT_DAYS = 1_825;
const TEN_YEARS = 3_650;

/** The periods that a tenant sets, by module. */
export const RETENTION_PERIODS = {
  identity: {
    image_days: { default: 90, min: 1, max: TEN_YEARS },
    session_days: { default: 1_825, min: 1, max: TEN_YEARS },
    legal_hold_days: { default: 0, min: 0, max: TEN_YEARS },
  },
  compliance: { blocked_days: { default: SARLAFT_DAYS, min: SARLAFT_DAYS, max: 36_500 } },
  signing: { unsealed_envelope_days: { default: null, min: 1, max: TEN_YEARS } },
} as const satisfies Record<string, Record<string, RetentionPeriod>>;

type Periods = typeof RETENTION_PERIODS;

/** The retention of a tenant, in days. null, where the default is: without end. */
export type Retention = {
  [Module in keyof Periods]: {
    [Name in keyof Periods[Module]]: Periods[Module][Name] extends { default: number } ? number : number | null;
  };
};

/** What can be moved into signed files of the object store once it is old, and the process that does it. */
export const HISTORY_PROCESSES = {
  ledger: 'platform',
  'session-trails': 'platform',
  screenings: 'compliance',
  timelines: 'compliance',
  'envelope-trails': 'signing',
} as const;

export type HistoryName = keyof typeof HISTORY_PROCESSES;

export const HISTORIES = Object.keys(HISTORY_PROCESSES) as HistoryName[];
