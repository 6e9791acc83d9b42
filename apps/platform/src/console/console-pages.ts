import path from 'node:path';
import type { PageHost } from '@constancia/http';

const HERE = import.meta.dirname;

/** The pages of the console (apps/console): laid beside the bundle. */
export const CONSOLE_PAGES: Omit<PageHost, 'port'> = {
  folders: [
    path.join(HERE, 'console-page'),
    path.join(HERE, '../console-page'), // the bundle is cut into chunks, one folder below
  ],
  home: '/login',
  pages: Object.fromEntries(
    [
      ...['/login', '/invitation', '/console/sso/:slug', '/home', '/account', '/cases', '/cases/*'],
      ...['/developers/*', '/money', '/money/*', '/team/*', '/settings/*'],
    ].map((path) => [path, 'index.html']),
  ),
};
