import { NON_PUBLIC_IPV4, NON_PUBLIC_IPV6 } from '@constancia/events';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { Environment } from '../environments.ts';
import type { Module, Peer, PublicHost } from '../modules.ts';
import { PART_OF, POOLER, selectorOf } from './naming.ts';
import { type HostPart, partsOf } from './public-hosts.ts';

type Rules = NonNullable<INetworkPolicy['spec']>;
type Egress = NonNullable<Rules['egress']>[number];
type Ingress = NonNullable<Rules['ingress']>[number];

function policy(name: string, selector: Record<string, string>, rules: Omit<Rules, 'podSelector'>): INetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels: { ...selector, ...PART_OF } },
    spec: { podSelector: { matchLabels: selector }, ...rules },
  };
}

/** Nothing in, nothing out: every other policy of the module opens one way. */
export function denyAll(name: string, selector: Record<string, string>): INetworkPolicy {
  return policy(`${name}-deny-all`, selector, { policyTypes: ['Ingress', 'Egress'], ingress: [], egress: [] });
}

const namespace = (name: string) => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } });
const tcp = (...ports: number[]) => ports.map((port) => ({ protocol: 'TCP' as const, port }));
const ranges = (cidrs: readonly string[], ...ports: number[]): Egress => ({
  to: cidrs.map((cidr) => ({ ipBlock: { cidr } })),
  ports: tcp(...ports),
});

const TO_DNS: Egress = {
  to: [{ ...namespace('kube-system'), podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
  ports: [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ],
};

/**
 * Where webhooks go: public addresses only. What the dispatcher refuses by itself is refused here once more, so that a mistake in
 * either is none.
 */
const TO_PUBLIC: Egress = {
  to: [
    { ipBlock: { cidr: '0.0.0.0/0', except: [...NON_PUBLIC_IPV4] } },
    { ipBlock: { cidr: '2000::/3', except: [...NON_PUBLIC_IPV6] } },
  ],
  // WEBHOOK_PORTS.
  ports: tcp(443, 8443),
};

/** The payment provider, the publishers of the exchange rate, and the services of text messages: names without fixed addresses, public and encrypted. */
const TO_PROVIDERS: Egress = { ...TO_PUBLIC, ports: tcp(443) };

const egressOf = (peer: Peer, { networks, tracing }: Environment): Egress =>
  ({
    postgres: ranges(networks.postgres, 5432),
    pooler: { to: [{ podSelector: { matchLabels: POOLER.labels } }], ports: tcp(POOLER.port) },
    redis: ranges(networks.redis, 6379),
    aws: ranges(networks.aws, 443),
    smtp: ranges(networks.smtp, 587),
    tracing: { to: [namespace(tracing.namespace)], ports: tcp(tracing.port) },
    webhooks: TO_PUBLIC,
    providers: TO_PROVIDERS,
  })[peer];

/** One policy per way out: its name says where to. */
export function egress(
  name: string,
  selector: Record<string, string>,
  peers: readonly Peer[],
  environment: Environment,
): INetworkPolicy[] {
  const ways: [string, Egress][] = [
    ['dns', TO_DNS],
    ...peers.map((peer): [string, Egress] => [peer, egressOf(peer, environment)]),
  ];
  return ways.map(([to, rule]) => policy(`${name}-to-${to}`, selector, { policyTypes: ['Egress'], egress: [rule] }));
}

/** Lets the processes of all modules in, and nobody else. */
export function fromModules(name: string, selector: Record<string, string>, port: number): INetworkPolicy {
  const apps = { podSelector: { matchLabels: { ...PART_OF, 'app.kubernetes.io/component': 'app' } } };
  return policy(`${name}-from-modules`, selector, {
    policyTypes: ['Ingress'],
    ingress: [{ from: [apps], ports: tcp(port) }],
  });
}

/** Who may come in: the public Ingress to the public ports, Prometheus to the ops port. Operators forward the port. */
export function ingressPolicies(module: Module, environment: Environment): INetworkPolicy[] {
  const open = (from: string, rule: Ingress) =>
    policy(`${module.name}-from-${from}`, selectorOf(module), { policyTypes: ['Ingress'], ingress: [rule] });
  const publicPorts = [...new Set(module.hosts.map(({ port }) => module.ports[port] as number))];
  return [
    open('prometheus', { from: [namespace(environment.monitoring.namespace)], ports: tcp(module.ports.ops) }),
    ...(publicPorts.length === 0
      ? []
      : [open('ingress', { from: [namespace(environment.ingress.namespace)], ports: tcp(...publicPorts) })]),
  ];
}

const UNLOGGED = { 'nginx.ingress.kubernetes.io/enable-access-log': 'false' };

/**
 * A host of its own each. The controller must pass bodies of the size that the app takes, and wait as long as it does. Paths that hold a
 * credential have an Ingress of their own, which writes no access log; the app's own log has their pattern.
 */
export function ingresses(module: Module, environment: Environment): IIngress[] {
  return module.hosts.flatMap((host) => partsOf(host).map((part) => ingress(module, environment, host, part)));
}

function ingress(
  module: Module,
  environment: Environment,
  { host, port, maxBodyMb }: PublicHost,
  part: HostPart,
): IIngress {
  const name = environment.hosts[host];
  const backend = { service: { name: module.name, port: { name: port } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: part.name,
      labels: { ...selectorOf(module), ...PART_OF },
      annotations: {
        ...(part.whole && { 'cert-manager.io/cluster-issuer': environment.ingress.issuer }),
        ...(!part.logged && UNLOGGED),
        'nginx.ingress.kubernetes.io/proxy-body-size': `${maxBodyMb}m`,
        'nginx.ingress.kubernetes.io/proxy-read-timeout': '60',
        'nginx.ingress.kubernetes.io/ssl-redirect': 'true',
      },
    },
    spec: {
      ingressClassName: environment.ingress.className,
      tls: [{ hosts: [name], secretName: `${host}-tls` }],
      rules: [
        { host: name, http: { paths: part.paths.map((path) => ({ path, pathType: 'Prefix' as const, backend })) } },
      ],
    },
  };
}
