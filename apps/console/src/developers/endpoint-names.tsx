import { createContext, type ReactNode, useContext } from 'react';
import { useAllRecords } from '../member/queries.ts';
import { choicesOf } from '../parts/filter.tsx';
import type { Endpoint } from './endpoint-fields.tsx';

export const ENDPOINTS = ['webhook-endpoints'];

/** What an endpoint is recognised by. */
export const nameOf = ({ description, url }: Endpoint): string => description || url;

const Endpoints = createContext<readonly Endpoint[]>([]);

const useEndpoints = () =>
  useAllRecords(ENDPOINTS, ({ platform }, cursor) =>
    platform.GET('/v1/webhook-endpoints', { params: { query: { cursor, limit: 100 } } }),
  );

/** Loads the endpoints for what is below, which is shown without waiting for them: a list draws only their names again once they are there. */
export function EndpointNames({ children }: { children: ReactNode }) {
  const query = useEndpoints();
  return <Endpoints value={query.data ?? NONE}>{children}</Endpoints>;
}

/** Whether an endpoint takes a delivery that is sent again; `unknown` when the endpoints could not be read. */
export function useEndpointState(id: string | undefined): 'loading' | 'enabled' | 'disabled' | 'deleted' | 'unknown' {
  const { data, isPending } = useEndpoints();
  if (isPending || id === undefined) return 'loading';
  if (data === undefined) return 'unknown';
  const endpoint = data.find((each) => each.id === id);
  if (endpoint === undefined) return 'deleted';
  return endpoint.enabled ? 'enabled' : 'disabled';
}

const NONE: readonly Endpoint[] = [];

/** The endpoint by its description or address; by its id where it was deleted. */
export function EndpointName({ id }: { id: string }) {
  const endpoint = useContext(Endpoints).find((each) => each.id === id);
  return endpoint === undefined ? <code>{id}</code> : <span title={endpoint.url}>{nameOf(endpoint)}</span>;
}

/** The endpoints to choose from; `chosen` is among them before they are loaded, and when it was deleted. */
export function useEndpointOptions(all: string, chosen: string | undefined): (readonly [id: string, name: string])[] {
  const options = useContext(Endpoints).map((endpoint) => [endpoint.id, nameOf(endpoint)] as const);
  return choicesOf(all, options, chosen);
}
