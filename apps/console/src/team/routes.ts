import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { filterInAddress } from '../shell/filter-in-address.ts';
import { rootRoute } from '../shell/root-route.tsx';

const getParentRoute = () => rootRoute;

export const teamRoutes = [
  createRoute({
    getParentRoute,
    path: '/team/members',
    validateSearch: filterInAddress('role', 'status'),
    component: lazyRouteComponent(() => import('./members.tsx'), 'Members'),
  }),
  createRoute({
    getParentRoute,
    path: '/team/members/$id',
    component: lazyRouteComponent(() => import('./member.tsx'), 'Member'),
  }),
  createRoute({
    getParentRoute,
    path: '/team/audit',
    validateSearch: filterInAddress('action', 'from', 'to', 'actor', 'object'),
    component: lazyRouteComponent(() => import('./audit.tsx'), 'Audit'),
  }),
] as const;
