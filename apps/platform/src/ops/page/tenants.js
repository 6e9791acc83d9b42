import { grantCredits } from './acts.js';
import { get } from './api.js';
import { button, code, el, facts, field, link, table } from './elements.js';
import { filteredList } from './filtered-list.js';
import { clock, figure, t } from './words.js';

/** Tenants and their credits, newest first. */
export const showTenants = filteredList({
  path: '/ops/tenants',
  title: () => t('tenants'),
  columns: () => [
    { title: t('tenantShort'), of: ({ slug }) => link(`tenants/${slug}`, slug), wide: true },
    { title: t('name'), of: ({ display_name: name }) => name, wide: true },
    { title: t('plan'), of: ({ plan }) => plan },
    { title: t('credits'), of: ({ available }) => figure(available) },
    { title: t('held'), of: ({ held }) => figure(held) },
    { title: t('made'), of: ({ created_at: at }) => clock(at) },
  ],
  controls: () => [field({ name: 'search', label: t('slugOrName') }), el('button', { type: 'submit' }, t('filter'))],
});

/** One tenant: balance, keys, endpoints. */
export async function showTenant(name) {
  const tenant = await get(`/ops/tenants/${encodeURIComponent(name)}`);
  return [
    facts([
      [t('tenantShort'), el('span', {}, `${tenant.slug} `, code(tenant.id))],
      [t('name'), tenant.display_name],
      [t('plan'), `${tenant.plan}, ${tenant.environment}`],
      [t('credits'), figure(tenant.available)],
      [t('held'), `${figure(tenant.held)} (${figure(tenant.open_holds)})`],
      [t('made'), clock(tenant.created_at)],
    ]),
    el(
      'div',
      { class: 'actions' },
      button(t('grant'), () => grantCredits(tenant.slug)),
    ),
    el('h2', {}, t('keys')),
    table(
      t('keys'),
      [
        { title: t('key'), of: ({ prefix }) => code(`${prefix}…`) },
        { title: t('status'), of: ({ status }) => status },
        { title: t('made'), of: ({ created_at: at }) => clock(at) },
        { title: t('ends'), of: ({ expires_at: at }) => (at === null ? '–' : clock(at)) },
      ],
      tenant.keys,
    ),
    el('h2', {}, t('endpoints')),
    table(
      t('endpoints'),
      [
        { title: t('endpoint'), of: ({ id }) => code(id), wide: true },
        { title: t('module'), of: ({ module }) => module },
        { title: t('url'), of: ({ url }) => code(url), wide: true },
        { title: t('dueHere'), of: ({ due }) => figure(due) },
      ],
      tenant.endpoints,
    ),
  ];
}
