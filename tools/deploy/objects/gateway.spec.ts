import { describe, expect, it } from 'vitest';
import { committedEnvironments, type Environment } from '../environments.ts';
import { type Module, MODULES } from '../modules.ts';
import { gatewayOf, redirectRoute, routes } from './gateway.ts';

const environment = {
  ...(committedEnvironments()[0] as Environment),
  ingress: { kind: 'gateway', className: 'eg', namespace: 'envoy-gateway-system', issuer: 'letsencrypt' } as const,
};
const signing = MODULES.find(({ name }) => name === 'signing') as Module;

describe('the public hosts of an environment with Gateway API', () => {
  it('have a listener with a certificate each, and one that leads from HTTP to it', () => {
    const { metadata, spec } = gatewayOf(environment);
    expect(metadata.annotations).toEqual({ 'cert-manager.io/cluster-issuer': 'letsencrypt' });
    expect(spec.gatewayClassName).toBe('eg');
    expect(spec.listeners.map(({ name, port, protocol }) => `${name} ${port} ${protocol}`)).toEqual([
      ...Object.keys(environment.hosts).map((host) => `${host} 443 HTTPS`),
      'http 80 HTTP',
    ]);
    for (const { name, hostname, tls } of spec.listeners.slice(0, -1)) {
      expect(hostname).toBe(environment.hosts[name as keyof Environment['hosts']]);
      expect(tls).toEqual({ mode: 'Terminate', certificateRefs: [{ name: `${name}-tls` }] });
    }
    expect(redirectRoute(environment).spec).toMatchObject({
      parentRefs: [{ sectionName: 'http' }],
      hostnames: Object.values(environment.hosts),
      rules: [{ filters: [{ requestRedirect: { scheme: 'https', statusCode: 301 } }] }],
    });
  });

  it('lead to the ports of the Service, paths with credentials by routes that are not logged', () => {
    const found = routes(signing, environment).map(({ metadata, spec }) => ({
      name: metadata.name,
      log: metadata.labels['constancia.co/access-log'],
      listener: spec.parentRefs[0]?.sectionName,
      paths: spec.rules[0]?.matches?.map(({ path }) => path.value),
      to: spec.rules[0]?.backendRefs,
    }));
    const http = [{ name: 'signing', port: 3000 }];
    expect(found).toEqual([
      { name: 'signing', log: undefined, listener: 'signing', paths: ['/'], to: http },
      {
        name: 'signing-unlogged',
        log: 'off',
        listener: 'signing',
        paths: ['/v1/sign', '/v1/embed/sessions'],
        to: http,
      },
      { name: 'sign', log: 'off', listener: 'sign', paths: ['/'], to: [{ name: 'signing', port: 3003 }] },
    ]);
  });
});
