import type { EndpointState } from './rows.ts';

export const ENDPOINT_HEALTHS = ['failing', 'paused', 'disabled'] as const;
export type EndpointHealth = (typeof ENDPOINT_HEALTHS)[number] | 'well';

export const isPaused = ({ paused_until }: Pick<EndpointState, 'paused_until'>, now = Date.now()): boolean =>
  paused_until !== null && Date.parse(paused_until) > now;

export function endpointHealth(endpoint: EndpointState, now = Date.now()): EndpointHealth {
  if (!endpoint.enabled) return 'disabled';
  if (isPaused(endpoint, now)) return 'paused';
  return endpoint.consecutive_failures > 0 ? 'failing' : 'well';
}
