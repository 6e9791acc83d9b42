const withoutNulls = (_: string, value: unknown): unknown => value ?? undefined;

/** A value of an answer as text; nothing for null. */
export const valueText = (value: unknown): string =>
  typeof value === 'object' ? (JSON.stringify(value, withoutNulls) ?? '') : String(value ?? '');

/** What an act was about: `tenant_id=… credits=100`. @param except members that are shown elsewhere */
export const actText = (data: Record<string, unknown> | null, except: readonly string[] = []): string =>
  Object.entries(data ?? {})
    .filter(([name, value]) => !except.includes(name) && value !== null)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(' ');
