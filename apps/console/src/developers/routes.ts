import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { filterInAddress } from '../shell/filter-in-address.ts';
import { listLoading } from '../shell/list-loading.ts';
import { rootRoute } from '../shell/root-route.tsx';
import { deliveriesOf, eventsOf } from './listings.ts';

const getParentRoute = () => rootRoute;

export const developerRoutes = [
  createRoute({
    getParentRoute,
    path: '/developers/keys',
    component: lazyRouteComponent(() => import('./keys.tsx'), 'Keys'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/endpoints',
    component: lazyRouteComponent(() => import('./endpoints.tsx'), 'Endpoints'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/configuration',
    component: lazyRouteComponent(() => import('./configuration/configuration.tsx'), 'Configuration'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/deliveries',
    validateSearch: filterInAddress('status', 'event_type', 'endpoint_id'),
    ...listLoading(deliveriesOf),
    component: lazyRouteComponent(() => import('./deliveries.tsx'), 'Deliveries'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/deliveries/$id',
    component: lazyRouteComponent(() => import('./delivery.tsx'), 'Delivery'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/events',
    validateSearch: filterInAddress('module', 'event_type'),
    ...listLoading(eventsOf),
    component: lazyRouteComponent(() => import('./events.tsx'), 'Events'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/events/$id',
    component: lazyRouteComponent(() => import('./event.tsx'), 'Event'),
  }),
] as const;
