import type { Environment } from '../environments.ts';
import type { Module } from '../modules.ts';
import { PART_OF, selectorOf } from './naming.ts';
import { partsOf } from './public-hosts.ts';

/** What is used here of Gateway API v1. */
export interface Gateway {
  apiVersion: 'gateway.networking.k8s.io/v1';
  kind: 'Gateway';
  metadata: { name: string; labels: Record<string, string>; annotations: Record<string, string> };
  spec: { gatewayClassName: string; listeners: Listener[] };
}

interface Listener {
  name: string;
  hostname?: string;
  port: number;
  protocol: 'HTTP' | 'HTTPS';
  tls?: { mode: 'Terminate'; certificateRefs: { name: string }[] };
  allowedRoutes: { namespaces: { from: 'Same' } };
}

export interface HttpRoute {
  apiVersion: 'gateway.networking.k8s.io/v1';
  kind: 'HTTPRoute';
  metadata: { name: string; labels: Record<string, string> };
  spec: { parentRefs: { name: string; sectionName: string }[]; hostnames: string[]; rules: RouteRule[] };
}

interface RouteRule {
  matches?: { path: { type: 'PathPrefix'; value: string } }[];
  filters?: { type: 'RequestRedirect'; requestRedirect: { scheme: 'https'; statusCode: 301 } }[];
  backendRefs?: { name: string; port: number }[];
  timeouts?: { request: string };
}

const API = 'gateway.networking.k8s.io/v1' as const;
const GATEWAY = 'constancia';
const PLAIN = 'http';
const SAME = { namespaces: { from: 'Same' as const } };

/** Routes with this label hold credentials in their paths: what implements the gateway must not log them. */
export const UNLOGGED_ROUTE = { 'constancia.co/access-log': 'off' };

/** The environment's Gateway: a listener with a certificate for each public host, and one that sends callers there. */
export function gatewayOf({ hosts, ingress }: Environment): Gateway {
  const listeners = Object.entries(hosts).map(([host, hostname]): Listener => ({
    name: host,
    hostname,
    port: 443,
    protocol: 'HTTPS',
    tls: { mode: 'Terminate', certificateRefs: [{ name: `${host}-tls` }] },
    allowedRoutes: SAME,
  }));
  return {
    apiVersion: API,
    kind: 'Gateway',
    metadata: { name: GATEWAY, labels: PART_OF, annotations: { 'cert-manager.io/cluster-issuer': ingress.issuer } },
    spec: {
      gatewayClassName: ingress.className,
      listeners: [...listeners, { name: PLAIN, port: 80, protocol: 'HTTP', allowedRoutes: SAME }],
    },
  };
}

/** Sends every caller without TLS to the same address with it. */
export function redirectRoute({ hosts }: Environment): HttpRoute {
  const requestRedirect = { scheme: 'https', statusCode: 301 } as const;
  return {
    apiVersion: API,
    kind: 'HTTPRoute',
    metadata: { name: 'to-https', labels: PART_OF },
    spec: {
      parentRefs: [{ name: GATEWAY, sectionName: PLAIN }],
      hostnames: Object.values(hosts),
      rules: [{ filters: [{ type: 'RequestRedirect', requestRedirect }] }],
    },
  };
}

/** A module's public hosts as routes of the Gateway: the same parts as its Ingresses. */
export function routes(module: Module, environment: Environment): HttpRoute[] {
  return module.hosts.flatMap((host) =>
    partsOf(host).map((part) => ({
      apiVersion: API,
      kind: 'HTTPRoute' as const,
      metadata: {
        name: part.name,
        labels: { ...selectorOf(module), ...PART_OF, ...(part.logged ? {} : UNLOGGED_ROUTE) },
      },
      spec: {
        parentRefs: [{ name: GATEWAY, sectionName: host.host }],
        hostnames: [environment.hosts[host.host]],
        rules: [
          {
            matches: part.paths.map((value) => ({ path: { type: 'PathPrefix' as const, value } })),
            backendRefs: [{ name: module.name, port: module.ports[host.port] as number }],
            timeouts: { request: '60s' },
          },
        ],
      },
    })),
  );
}
