import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { filterInAddress } from '../shell/filter-in-address.ts';
import { rootRoute } from '../shell/root-route.tsx';

export const reportRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reports',
    validateSearch: filterInAddress('from', 'to'),
    component: lazyRouteComponent(() => import('./reports.tsx'), 'Reports'),
  }),
] as const;
