import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { filterInAddress } from '../shell/filter-in-address.ts';
import { rootRoute } from '../shell/root-route.tsx';

const getParentRoute = () => rootRoute;

export const moneyRoutes = [
  createRoute({
    getParentRoute,
    path: '/money',
    validateSearch: filterInAddress('from', 'to', 'by'),
    component: lazyRouteComponent(() => import('./balance.tsx'), 'Balance'),
  }),
  createRoute({
    getParentRoute,
    path: '/money/ledger',
    validateSearch: filterInAddress('from', 'to'),
    component: lazyRouteComponent(() => import('./ledger.tsx'), 'Ledger'),
  }),
  createRoute({
    getParentRoute,
    path: '/money/topups',
    validateSearch: filterInAddress('status', 'from', 'to'),
    component: lazyRouteComponent(() => import('./topups.tsx'), 'Topups'),
  }),
  createRoute({
    getParentRoute,
    path: '/money/topups/$id',
    component: lazyRouteComponent(() => import('./topup.tsx'), 'Topup'),
  }),
] as const;
