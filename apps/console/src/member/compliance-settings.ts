import type { components } from '@constancia/sdk/generated/compliance';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMay } from './member.tsx';
import { useCall, useRecord } from './queries.ts';

export type ComplianceSettings = components['schemas']['ComplianceSettings'];

/** What a page may change of them: retention has its own request. */
export type ComplianceChanges = Partial<Omit<ComplianceSettings, 'retention_days'>>;

const KEY = ['compliance-settings'];

export const useComplianceSettings = (enabled = true): UseQueryResult<ComplianceSettings> =>
  useRecord(KEY, ({ compliance }) => compliance.GET('/v1/compliance-settings'), undefined, enabled);

/** Whether a decision about somebody with matches on these lists waits for a second person, as far as the reader may know. */
export function useSecondPerson(lists: readonly string[]): boolean {
  const setting = useComplianceSettings(useMay()('compliance:read')).data?.four_eyes;
  return setting === 'all' || (setting === 'onu' && lists.includes('ONU'));
}

/** Changes these settings on what holds now: what another member changed meanwhile stays. @throws ApiError, Unreachable */
export function useComplianceChange(): (changes: ComplianceChanges) => Promise<void> {
  const call = useCall();
  return async (changes) => {
    const { retention_days: _, ...now } = await call(({ compliance }) => compliance.GET('/v1/compliance-settings'));
    const body = { ...now, ...changes };
    await call(({ compliance }) => compliance.PUT('/v1/compliance-settings', { body }), KEY);
  };
}
