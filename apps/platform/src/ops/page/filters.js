import { t } from './words.js';

/** Fields that choose deliveries, for the list as for a replay. */
export const MODULES = ['identity', 'compliance', 'seal'];

export const tenantField = (attributes = {}) => ({ name: 'tenant', label: t('tenant'), ...attributes });
export const moduleField = () => ({
  name: 'module',
  label: t('module'),
  options: [['', t('all')], ...MODULES.map((module) => [module, module])],
});
export const eventTypeField = () => ({ name: 'event_type', label: t('eventType') });
export const sinceField = () => ({
  name: 'since',
  label: t('since'),
  options: Object.entries(t('times')).toSorted(byLength),
});

const minutes = (text) => (text === '' ? Infinity : Number.parseInt(text, 10) * (text.endsWith('h') ? 60 : 1));
const byLength = ([a], [b]) => minutes(b) - minutes(a);

/** "2h" before now as a time; undefined for always. */
export function instantOf(span) {
  return span ? new Date(Date.now() - minutes(span) * 60_000).toISOString() : undefined;
}
