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

/** The retention of a tenant, in days. */
export interface Retention {
  identity: { image_days: number; session_days: number; legal_hold_days: number };
  compliance: { blocked_days: number };
  /** null: without end. */
  signing: { unsealed_envelope_days: number | null };
}
