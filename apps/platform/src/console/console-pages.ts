import path from 'node:path';
import type { PageHost } from '@constancia/http';

const withChildren = (section: string): string[] => [`/${section}`, `/${section}/*`];
const HERE = import.meta.dirname;

/** The addresses of its screens: router.ts of apps/console. */
const PATHS = [
  '/login',
  '/invitation',
  '/console/sso/:slug',
  '/home',
  '/account',
  '/notifications',
  ...['cases', 'screenings', 'reports', 'rules', 'lists', 'identity', 'persons', 'signing'].flatMap(withChildren),
  ...['developers', 'money', 'team', 'settings'].flatMap(withChildren),
];

/** The pages of the console (apps/console): laid beside the bundle. */
export const CONSOLE_PAGES: Omit<PageHost, 'port'> = {
  folders: [
    path.join(HERE, 'console-page'),
    path.join(HERE, '../console-page'), // the bundle is cut into chunks, one folder below
  ],
  home: '/login',
  pages: Object.fromEntries(PATHS.map((path) => [path, 'index.html'])),
};
