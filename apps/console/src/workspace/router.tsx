import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { PageHead } from '../parts/page-head.tsx';
import { useText } from '../text/language.ts';
import { Shell } from './shell.tsx';

interface LanguageSearch {
  lang?: 'es' | 'en';
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NoSuchPage,
  validateSearch: ({ lang }: Record<string, unknown>): LanguageSearch => (lang === 'es' || lang === 'en' ? { lang } : {}),
  search: { middlewares: [retainSearchParams(['lang'])] },
});

/** Where nobody is signed in; who is, goes on to the first screen. */
const doors = (['/login', '/invitation', '/console/sso/$slug'] as const).map((path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ to: '/home', replace: true });
    },
  }),
);

const home = createRoute({
  getParentRoute: () => root,
  path: '/home',
  component: lazyRouteComponent(() => import('../home/home.tsx'), 'Home'),
});
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => import('../account/account.tsx'), 'Account'),
});

/** Texts of the address that a filter of a list holds; others are left out. */
const filterOf =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): Partial<Record<Name, string>> => {
    const given = names.filter((name) => typeof search[name] === 'string' && search[name] !== '');
    return Object.fromEntries(given.map((name) => [name, search[name]])) as Partial<Record<Name, string>>;
  };

const keys = createRoute({
  getParentRoute: () => root,
  path: '/developers/keys',
  component: lazyRouteComponent(() => import('../developers/keys.tsx'), 'Keys'),
});
const endpoints = createRoute({
  getParentRoute: () => root,
  path: '/developers/endpoints',
  component: lazyRouteComponent(() => import('../developers/endpoints.tsx'), 'Endpoints'),
});
const deliveries = createRoute({
  getParentRoute: () => root,
  path: '/developers/deliveries',
  validateSearch: filterOf('status', 'event_type', 'endpoint_id'),
  component: lazyRouteComponent(() => import('../developers/deliveries.tsx'), 'Deliveries'),
});
const delivery = createRoute({
  getParentRoute: () => root,
  path: '/developers/deliveries/$id',
  component: lazyRouteComponent(() => import('../developers/delivery.tsx'), 'Delivery'),
});
const events = createRoute({
  getParentRoute: () => root,
  path: '/developers/events',
  validateSearch: filterOf('module', 'event_type'),
  component: lazyRouteComponent(() => import('../developers/events.tsx'), 'Events'),
});
const event = createRoute({
  getParentRoute: () => root,
  path: '/developers/events/$id',
  component: lazyRouteComponent(() => import('../developers/event.tsx'), 'Event'),
});

export const router = createRouter({
  routeTree: root.addChildren([...doors, home, account, keys, endpoints, deliveries, delivery, events, event]),
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function NoSuchPage() {
  const { text } = useText();
  return (
    <>
      <PageHead title={text.noSuchPage.title} />
      <p>
        {text.noSuchPage.lead} <Link to="/home">{text.navigation.entries.home}</Link>
      </p>
    </>
  );
}
