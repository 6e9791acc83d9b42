/** What can be moved into signed files of the object store once it is old, and the process that does it. */
export const HISTORY_PROCESSES = { ledger: 'platform', trails: 'signing', screenings: 'compliance' } as const;

export type HistoryName = keyof typeof HISTORY_PROCESSES;

export const HISTORIES = Object.keys(HISTORY_PROCESSES) as HistoryName[];
