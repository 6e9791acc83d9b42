import { approveGrant, withdrawGrant } from './acts.js';
import { button, code, el, link } from './elements.js';
import { filteredList } from './filtered-list.js';
import { clock, figure, t } from './words.js';

/** Credits that wait for a second operator. */
export const showGrants = filteredList({
  path: '/ops/grants',
  title: () => t('grants'),
  columns: () => [
    { title: t('tenantShort'), of: ({ slug }) => link(`tenants/${slug}`, slug), wide: true },
    { title: t('credits'), of: ({ credits }) => figure(credits) },
    { title: t('reference'), of: ({ reference }) => code(reference), wide: true },
    { title: t('reason'), of: ({ reason }) => reason, wide: true },
    { title: t('requestedBy'), of: ({ requested_by: name }) => name, wide: true },
    { title: t('ends'), of: ({ expires_at: at }) => clock(at) },
    {
      title: t('act'),
      of: ({ id }) =>
        el(
          'div',
          { class: 'actions' },
          button(t('approveGrant'), () => approveGrant(id)),
          button(t('withdrawGrant'), () => withdrawGrant(id), { class: 'quiet' }),
        ),
      wide: true,
    },
  ],
  controls: () => [],
});
