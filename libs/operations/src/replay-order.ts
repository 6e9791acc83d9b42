/** What a replay by filter sends again. */
export interface ReplayFilter {
  tenant?: string | undefined;
  all_tenants?: boolean | undefined;
  module?: string | undefined;
  event_type?: string | undefined;
  status?: string[] | undefined;
  /** ISO 8601. */
  since?: string | undefined;
  until?: string | undefined;
  /** A second; the dispatcher's own when left out. */
  rate?: number | undefined;
  max?: number | undefined;
}

export interface ReplayOrder extends ReplayFilter {
  reason: string;
}

/** Whether a filter says whose deliveries: one tenant's, or those of all. */
export const saysWhose = ({ tenant, all_tenants }: ReplayFilter): boolean =>
  (tenant === undefined) === (all_tenants === true);

/** The order for a filter. Without a status, what failed is sent again. */
export const replayOrder = (filter: ReplayFilter, reason: string): ReplayOrder => ({
  ...filter,
  status: filter.status ?? ['failed'],
  reason,
});

/** A run's filter as text: `module=seal since=…`. */
export const filterText = (filter: Record<string, unknown> | null | undefined): string =>
  Object.entries(filter ?? {})
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
