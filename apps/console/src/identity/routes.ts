import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { filterInAddress } from '../shell/filter-in-address.ts';
import { rootRoute } from '../shell/root-route.tsx';

const getParentRoute = () => rootRoute;

export const identityRoutes = [
  createRoute({
    getParentRoute,
    path: '/identity/reviews',
    component: lazyRouteComponent(() => import('./reviews/reviews.tsx'), 'Reviews'),
  }),
  createRoute({
    getParentRoute,
    path: '/identity/reviews/$id',
    component: lazyRouteComponent(() => import('./reviews/review.tsx'), 'Review'),
  }),
  createRoute({
    getParentRoute,
    path: '/identity/sessions',
    validateSearch: filterInAddress('status', 'subject_id'),
    component: lazyRouteComponent(() => import('./sessions/sessions.tsx'), 'Sessions'),
  }),
  createRoute({
    getParentRoute,
    path: '/identity/sessions/$id',
    component: lazyRouteComponent(() => import('./sessions/session.tsx'), 'Session'),
  }),
  createRoute({
    getParentRoute,
    path: '/identity/flows',
    validateSearch: filterInAddress('status'),
    component: lazyRouteComponent(() => import('./flows/flows.tsx'), 'Flows'),
  }),
  createRoute({
    getParentRoute,
    path: '/identity/flows/$id',
    component: lazyRouteComponent(() => import('./flows/flow.tsx'), 'Flow'),
  }),
  createRoute({
    getParentRoute,
    path: '/identity/subjects',
    validateSearch: filterInAddress('kyc_status', 'document_type'),
    component: lazyRouteComponent(() => import('./subjects/subjects.tsx'), 'Subjects'),
  }),
  createRoute({
    getParentRoute,
    path: '/identity/subjects/$id',
    component: lazyRouteComponent(() => import('./subjects/subject.tsx'), 'Subject'),
  }),
  createRoute({
    getParentRoute,
    path: '/identity/erasures/$id',
    component: lazyRouteComponent(() => import('./subjects/receipt.tsx'), 'Receipt'),
  }),
] as const;
