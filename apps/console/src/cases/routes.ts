import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { filterInAddress } from '../shell/filter-in-address.ts';
import { listLoading } from '../shell/list-loading.ts';
import { rootRoute } from '../shell/root-route.tsx';
import { casesOf } from './listing.ts';

const getParentRoute = () => rootRoute;

export const caseRoutes = [
  createRoute({
    getParentRoute,
    path: '/cases',
    validateSearch: filterInAddress('whose', 'status', 'priority', 'list', 'overdue'),
    ...listLoading(casesOf),
    component: lazyRouteComponent(() => import('./cases.tsx'), 'Cases'),
  }),
  createRoute({
    getParentRoute,
    path: '/cases/$id',
    component: lazyRouteComponent(() => import('./case.tsx'), 'Case'),
  }),
] as const;
