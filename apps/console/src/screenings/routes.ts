import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { filterInAddress } from '../shell/filter-in-address.ts';
import { rootRoute } from '../shell/root-route.tsx';

const getParentRoute = () => rootRoute;

export const screeningRoutes = [
  createRoute({
    getParentRoute,
    path: '/screenings',
    validateSearch: filterInAddress('decision', 'trigger', 'subject_type', 'validation_code'),
    component: lazyRouteComponent(() => import('./screenings.tsx'), 'Screenings'),
  }),
  createRoute({
    getParentRoute,
    path: '/screenings/dry-run',
    component: lazyRouteComponent(() => import('./dry-run.tsx'), 'DryRun'),
  }),
  createRoute({
    getParentRoute,
    path: '/screenings/batch',
    component: lazyRouteComponent(() => import('./batch/batch.tsx'), 'Batch'),
  }),
  createRoute({
    getParentRoute,
    path: '/screenings/batches',
    component: lazyRouteComponent(() => import('./batch/batches.tsx'), 'Batches'),
  }),
  createRoute({
    getParentRoute,
    path: '/screenings/batches/$id',
    component: lazyRouteComponent(() => import('./batch/started-batch.tsx'), 'StartedBatch'),
  }),
  createRoute({
    getParentRoute,
    path: '/screenings/$id',
    component: lazyRouteComponent(() => import('./screening.tsx'), 'Screening'),
  }),
] as const;
