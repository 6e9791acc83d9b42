import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1';
import type { KubeObject } from '../kustomization.ts';
import { type HttpRoute, UNLOGGED_ROUTE } from '../objects/gateway.ts';
import { all } from './subject.ts';

/** A way from a public host to a Service, whether an Ingress or a route of the Gateway API makes it. */
export interface PublicRoute {
  name: string;
  host: string;
  path: string;
  service: string;
  /** Its name in the Service, or its number. */
  port: string | number;
  logged: boolean;
  /** Whether callers reach it over TLS only. */
  tls: boolean;
}

/** Every way to a module from outside. */
export function publicRoutes(release: readonly KubeObject[]): PublicRoute[] {
  return [
    ...all<IIngress>(release, 'Ingress').flatMap(ofIngress),
    ...all<HttpRoute>(release, 'HTTPRoute').flatMap(ofRoute),
  ];
}

function ofIngress({ metadata, spec }: IIngress & KubeObject): PublicRoute[] {
  const logged = metadata.annotations?.['nginx.ingress.kubernetes.io/enable-access-log'] !== 'false';
  return (spec?.rules ?? []).flatMap(({ host = '', http }) =>
    (http?.paths ?? []).map(({ path = '/', backend }) => ({
      name: metadata.name,
      host,
      path,
      service: backend.service?.name ?? '',
      port: backend.service?.port?.name ?? '',
      logged,
      tls:
        spec?.ingressClassName !== undefined &&
        (spec.tls ?? []).some(({ hosts, secretName }) => hosts?.includes(host) && secretName !== undefined),
    })),
  );
}

/** The listeners of an environment's Gateway for its hosts speak TLS only (objects/gateway.ts); that of plain HTTP redirects. */
function ofRoute({ metadata, spec }: HttpRoute & KubeObject): PublicRoute[] {
  const [label, off] = Object.entries(UNLOGGED_ROUTE)[0] as [string, string];
  return spec.hostnames.flatMap((host) =>
    spec.rules.flatMap(({ matches = [], backendRefs = [] }) =>
      matches.flatMap(({ path }) =>
        backendRefs.map(({ name: service, port }) => ({
          name: metadata.name,
          host,
          path: path.value,
          service,
          port,
          logged: metadata.labels?.[label] !== off,
          tls: spec.parentRefs.every(({ sectionName }) => sectionName !== 'http'),
        })),
      ),
    ),
  );
}
