import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { caseRoutes } from '../cases/routes.ts';
import { developerRoutes } from '../developers/routes.ts';
import { identityRoutes } from '../identity/routes.ts';
import { listRoutes } from '../lists/routes.ts';
import { moneyRoutes } from '../money/routes.ts';
import { personRoutes } from '../persons/routes.ts';
import { reportRoutes } from '../reports/routes.ts';
import { screeningRoutes } from '../screenings/routes.ts';
import { ruleRoutes } from '../rules/routes.ts';
import { settingsRoutes } from '../settings/routes.ts';
import { signingRoutes } from '../signing/routes.ts';
import { teamRoutes } from '../team/routes.ts';
import { rootRoute } from '../shell/root-route.tsx';

const getParentRoute = () => rootRoute;

/** Where nobody is signed in; who is, goes on to the first screen. */
const signInRoutes = (['/login', '/invitation', '/console/sso/$slug'] as const).map((path) =>
  createRoute({
    getParentRoute,
    path,
    beforeLoad: ({ search }) => {
      throw redirect({ to: '/home', search, replace: true });
    },
  }),
);

const home = createRoute({
  getParentRoute,
  path: '/home',
  component: lazyRouteComponent(() => import('../home/home.tsx'), 'Home'),
});

const account = createRoute({
  getParentRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('../account/account.tsx'), 'Account'),
});

const notifications = createRoute({
  getParentRoute,
  path: '/notifications',
  component: lazyRouteComponent(() => import('../notifications/notifications.tsx'), 'Notifications'),
});

/** The screens by address. The server knows the same addresses: console-pages.ts of the platform. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    ...signInRoutes,
    home,
    account,
    notifications,
    ...caseRoutes,
    ...identityRoutes,
    ...personRoutes,
    ...screeningRoutes,
    ...reportRoutes,
    ...ruleRoutes,
    ...listRoutes,
    ...developerRoutes,
    ...moneyRoutes,
    ...signingRoutes,
    ...teamRoutes,
    ...settingsRoutes,
  ]),
  context: undefined as never, // the workspace gives it (RouterProvider)
  scrollRestoration: true,
  defaultPreload: 'intent', // the script of a screen, while the pointer or the focus is on its link
  defaultPreloadStaleTime: 0, // what a list holds is asked for when it is opened
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
