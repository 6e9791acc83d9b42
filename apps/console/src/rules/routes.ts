import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { filterInAddress } from '../shell/filter-in-address.ts';
import { rootRoute } from '../shell/root-route.tsx';

const getParentRoute = () => rootRoute;

export const ruleRoutes = [
  createRoute({
    getParentRoute,
    path: '/rules',
    validateSearch: filterInAddress('status', 'code'),
    component: lazyRouteComponent(() => import('./validations/validations.tsx'), 'Validations'),
  }),
  createRoute({
    getParentRoute,
    path: '/rules/$id',
    component: lazyRouteComponent(() => import('./validations/validation.tsx'), 'Validation'),
  }),
  createRoute({
    getParentRoute,
    path: '/rules/$id/try',
    component: lazyRouteComponent(() => import('./trial/dry-run.tsx'), 'DryRun'),
  }),
  createRoute({
    getParentRoute,
    path: '/rules/$id/backtest',
    component: lazyRouteComponent(() => import('./trial/backtest.tsx'), 'Backtest'),
  }),
  createRoute({
    getParentRoute,
    path: '/rules/$id/rule/$ruleId',
    validateSearch: filterInAddress('view'),
    component: lazyRouteComponent(() => import('./editor/rule.tsx'), 'RulePage'),
  }),
] as const;
