import { changedValues } from '@constancia/auth';
import { checked } from '@constancia/http';
import { ValidationError } from '@constancia/problem-json';
import type { ConfigurationChange, ConfigurationKind } from '@constancia/tenant-export';
import {
  ComplianceSettingsBody,
  type OwnSettings,
  putSettings,
  settingsOf,
  withDefaults,
} from '../settings/compliance-settings.ts';

const NAME = 'compliance';

const STRICTER = 'Four eyes are stricter here: an import does not relax them.';

/** From the laxest on. */
const FOUR_EYES: readonly OwnSettings['four_eyes'][] = ['off', 'onu', 'all'];

function relaxes({ before, after }: ConfigurationChange<OwnSettings>): boolean {
  if (before === undefined) return false;
  const isLaxer = FOUR_EYES.indexOf(after.four_eyes) < FOUR_EYES.indexOf(before.four_eyes);
  return isLaxer || (before.publish_four_eyes && !after.publish_four_eyes);
}

/** The settings of the tenant, without its retention, which is not the module's own. */
export function settingsConfiguration(tenantId: string): ConfigurationKind<OwnSettings> {
  return {
    folder: 'settings',
    current: async (tx) => new Map([[NAME, await settingsOf(tx, tenantId)]]),
    read(content, name) {
      const { retention_days, ...body } = checked(content as object, ComplianceSettingsBody, '');
      if (name === NAME && retention_days === undefined) return withDefaults(body);
      const pointer = name === NAME ? '/retention_days' : '';
      throw new ValidationError([{ pointer, code: 'unknown_member', detail: 'Is not imported: take it out.' }]);
    },
    review(_tx, changes) {
      for (const change of changes) if (relaxes(change)) change.conflict = STRICTER;
      return Promise.resolve();
    },
    async apply(tx, { before, after }) {
      await putSettings(tx, tenantId, after);
      const object = { kind: 'compliance_settings', id: null };
      return {
        audit: { action: 'compliance_settings.changed', object, ...changedValues({ ...before }, { ...after }) },
      };
    },
  };
}
