import type { PublicHost } from '../modules.ts';

/** A part of a public host that is routed by itself. */
export interface HostPart {
  name: string;
  /** Prefixes of paths. */
  paths: string[];
  /** Whether it is the one for everything that no other part has. */
  whole: boolean;
  logged: boolean;
}

/** Paths that hold a credential are a part of their own, which no access log has; the app's own log has their pattern. */
export function partsOf({ host, secretPaths = [] }: PublicHost): HostPart[] {
  const secret = secretPaths.includes('/');
  const whole = { name: host, paths: ['/'], whole: true, logged: !secret };
  if (secretPaths.length === 0 || secret) return [whole];
  return [whole, { name: `${host}-unlogged`, paths: secretPaths, whole: false, logged: false }];
}
