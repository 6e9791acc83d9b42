import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.tsx';

const getParentRoute = () => rootRoute;

export const settingsRoutes = [
  createRoute({
    getParentRoute,
    path: '/settings/tenant',
    component: lazyRouteComponent(() => import('./tenant.tsx'), 'TenantSettings'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/sign-in',
    component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignInSettings'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/four-eyes',
    component: lazyRouteComponent(() => import('./four-eyes.tsx'), 'FourEyes'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/origins',
    component: lazyRouteComponent(() => import('./origins.tsx'), 'Origins'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/sealing',
    component: lazyRouteComponent(() => import('./sealing.tsx'), 'SealingSettings'),
  }),
] as const;
