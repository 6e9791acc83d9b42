import path from 'node:path';
import type { PageHost } from '@constancia/http';

/** 256 bits as base64url (envelope-records/sign-tokens.ts). */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const HERE = import.meta.dirname;

/** The pages for people (apps/signer-web): laid beside the bundle. */
export const SIGN_PAGES: Omit<PageHost, 'port'> = {
  folders: [
    path.join(HERE, 'web'),
    path.join(HERE, '../web'), // the bundle is cut into chunks, one folder below
  ],
  pages: { '/:token': 'index.html', '/verify': 'verify.html', '/verify/:public_id': 'verify.html' },
  parameters: { token: TOKEN },
};
