import type { components } from '@constancia/sdk/generated/compliance';
import type { UseQueryResult } from '@tanstack/react-query';
import { useCall, useRecord } from './queries.ts';

export type ComplianceSettings = components['schemas']['ComplianceSettings'];

/** What a page may change of them: retention has its own request. */
export type ComplianceChanges = Partial<Omit<ComplianceSettings, 'retention_days'>>;

const KEY = ['compliance-settings'];

export const useComplianceSettings = (): UseQueryResult<ComplianceSettings> =>
  useRecord(KEY, ({ compliance }) => compliance.GET('/v1/compliance-settings'));

/** Changes these settings on what holds now: what another member changed meanwhile stays. @throws ApiError, Unreachable */
export function useComplianceChange(): (changes: ComplianceChanges) => Promise<void> {
  const call = useCall();
  return async (changes) => {
    const { retention_days: _, ...now } = await call(({ compliance }) => compliance.GET('/v1/compliance-settings'));
    const body = { ...now, ...changes };
    await call(({ compliance }) => compliance.PUT('/v1/compliance-settings', { body }), KEY);
  };
}
