import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.tsx';

const getParentRoute = () => rootRoute;

export const personRoutes = [
  createRoute({
    getParentRoute,
    path: '/persons/clients',
    component: lazyRouteComponent(() => import('./clients/clients.tsx'), 'Clients'),
  }),
  createRoute({
    getParentRoute,
    path: '/persons/consents',
    component: lazyRouteComponent(() => import('./consents/consents.tsx'), 'Consents'),
  }),
  createRoute({
    getParentRoute,
    path: '/persons/consents/$id',
    component: lazyRouteComponent(() => import('./consents/consent.tsx'), 'Consent'),
  }),
] as const;
