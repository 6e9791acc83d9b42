import { endsWithin } from '@constancia/kernel';

/** What a process needs to serve, by name; each check rejects when it is missing. */
export type ReadinessChecks = Record<string, () => Promise<void>>;

export const READINESS_DEADLINE_MS = 2_000;

/** Runs every check at once, each with a deadline, and gives the names of those that failed. */
export async function failedChecks(checks: ReadinessChecks, deadlineMs = READINESS_DEADLINE_MS): Promise<string[]> {
  const names = Object.keys(checks);
  const results = await Promise.all(
    names.map((name) => withinDeadline(checks[name] as () => Promise<void>, deadlineMs)),
  );
  return names.filter((_, index) => !results[index]);
}

async function withinDeadline(check: () => Promise<void>, deadlineMs: number): Promise<boolean> {
  try {
    return await endsWithin(deadlineMs, check());
  } catch {
    return false;
  }
}
