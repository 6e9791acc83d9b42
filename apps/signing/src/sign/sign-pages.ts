import path from 'node:path';
import type { PageHost } from '@constancia/http';

const HERE = import.meta.dirname;
const WORKSPACE = path.join(HERE, '../../../..');

/** The pages for people (apps/signer-web): laid beside the bundle; in the repository, where they were built. */
export const SIGN_PAGES: Omit<PageHost, 'port'> = {
  folders: [
    path.join(HERE, 'web'),
    path.join(HERE, '../web'), // the bundle is cut into chunks, one folder below
    path.join(WORKSPACE, 'dist/apps/signer-web'),
    path.join(WORKSPACE, 'apps/signer-web/dist'),
  ],
  pages: { '/:token': 'index.html', '/verify': 'verify.html', '/verify/:public_id': 'verify.html' },
};
