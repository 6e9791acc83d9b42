import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { filterInAddress } from '../shell/filter-in-address.ts';
import { rootRoute } from '../shell/root-route.tsx';

const getParentRoute = () => rootRoute;

export const caseRoutes = [
  createRoute({
    getParentRoute,
    path: '/cases',
    validateSearch: filterInAddress('whose', 'status', 'priority', 'list', 'overdue'),
    component: lazyRouteComponent(() => import('./cases.tsx'), 'Cases'),
  }),
  createRoute({
    getParentRoute,
    path: '/cases/$id',
    component: lazyRouteComponent(() => import('./case.tsx'), 'Case'),
  }),
] as const;
