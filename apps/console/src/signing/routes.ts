import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { filterInAddress } from '../shell/filter-in-address.ts';
import { rootRoute } from '../shell/root-route.tsx';

const getParentRoute = () => rootRoute;

export const signingRoutes = [
  createRoute({
    getParentRoute,
    path: '/signing/templates',
    component: lazyRouteComponent(() => import('./templates/templates.tsx'), 'Templates'),
  }),
  createRoute({
    getParentRoute,
    path: '/signing/templates/new',
    validateSearch: filterInAddress('from'),
    component: lazyRouteComponent(() => import('./templates/new-template.tsx'), 'NewTemplate'),
  }),
  createRoute({
    getParentRoute,
    path: '/signing/templates/$id',
    component: lazyRouteComponent(() => import('./templates/template.tsx'), 'Template'),
  }),
  createRoute({
    getParentRoute,
    path: '/signing/documents',
    validateSearch: filterInAddress('status', 'template_id'),
    component: lazyRouteComponent(() => import('./documents/documents.tsx'), 'Documents'),
  }),
  createRoute({
    getParentRoute,
    path: '/signing/documents/$id',
    component: lazyRouteComponent(() => import('./documents/document.tsx'), 'Document'),
  }),
  createRoute({
    getParentRoute,
    path: '/signing/circuits',
    validateSearch: filterInAddress('status', 'code'),
    component: lazyRouteComponent(() => import('./circuits/circuits.tsx'), 'Circuits'),
  }),
  createRoute({
    getParentRoute,
    path: '/signing/circuits/$id',
    component: lazyRouteComponent(() => import('./circuits/circuit.tsx'), 'Circuit'),
  }),
  createRoute({
    getParentRoute,
    path: '/signing/envelopes',
    validateSearch: filterInAddress('status', 'circuit_id'),
    component: lazyRouteComponent(() => import('./envelopes/envelopes.tsx'), 'Envelopes'),
  }),
  createRoute({
    getParentRoute,
    path: '/signing/envelopes/$id',
    component: lazyRouteComponent(() => import('./envelopes/envelope.tsx'), 'Envelope'),
  }),
  createRoute({
    getParentRoute,
    path: '/signing/send',
    validateSearch: filterInAddress('circuit'),
    component: lazyRouteComponent(() => import('./send/send.tsx'), 'Send'),
  }),
  createRoute({
    getParentRoute,
    path: '/signing/batch',
    validateSearch: filterInAddress('circuit'),
    component: lazyRouteComponent(() => import('./batch/batch.tsx'), 'Batch'),
  }),
  createRoute({
    getParentRoute,
    path: '/signing/batches',
    component: lazyRouteComponent(() => import('./batch/batches.tsx'), 'Batches'),
  }),
  createRoute({
    getParentRoute,
    path: '/signing/batches/$id',
    component: lazyRouteComponent(() => import('./batch/started-batch.tsx'), 'StartedBatch'),
  }),
] as const;
