import path from 'node:path';
import { CONSENT_PAGE, CONSENT_TOKEN, OPENID_PAGE, WALLET_PAGE } from '@constancia/contracts';
import type { PageHost } from '@constancia/http';

const HERE = import.meta.dirname;

/** The pages of persons (apps/person-web): laid beside the bundle. */
export const PERSON_PAGES: Omit<PageHost, 'port'> = {
  folders: [
    path.join(HERE, 'person-page'),
    path.join(HERE, '../person-page'), // the bundle is cut into chunks, one folder below
  ],
  home: '/capture',
  pages: {
    '/capture': 'index.html',
    [WALLET_PAGE]: 'wallet.html',
    [CONSENT_PAGE]: 'consent.html',
    [OPENID_PAGE]: 'openid.html',
  },
  parameters: { token: CONSENT_TOKEN }, // as long as that of an interaction of the OpenID provider
  takesPictures: true,
};
