import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { filterInAddress } from '../shell/filter-in-address.ts';
import { rootRoute } from '../shell/root-route.tsx';

const getParentRoute = () => rootRoute;

export const listRoutes = [
  createRoute({
    getParentRoute,
    path: '/lists',
    component: lazyRouteComponent(() => import('./lists.tsx'), 'Lists'),
  }),
  createRoute({
    getParentRoute,
    path: '/lists/versions',
    validateSearch: filterInAddress('list', 'own'),
    component: lazyRouteComponent(() => import('./versions.tsx'), 'Versions'),
  }),
  createRoute({
    getParentRoute,
    path: '/lists/changes',
    validateSearch: filterInAddress('list', 'own', 'version', 'change'),
    component: lazyRouteComponent(() => import('./changes.tsx'), 'Changes'),
  }),
  createRoute({
    getParentRoute,
    path: '/lists/internal',
    component: lazyRouteComponent(() => import('./internal/internal-list.tsx'), 'InternalList'),
  }),
  createRoute({
    getParentRoute,
    path: '/lists/monitored',
    validateSearch: filterInAddress('subject_type', 'validation_code', 'order'),
    component: lazyRouteComponent(() => import('./monitored/monitored.tsx'), 'Monitored'),
  }),
] as const;
