import fs from 'node:fs';
import { BlockList } from 'node:net';
import { CONSENT_PAGE } from '@constancia/contracts/consent';
import { addressKind, NON_PUBLIC_IPV4 } from '@constancia/events';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { Environment } from '../environments.ts';
import { peersOf } from '../connections.ts';
import type { KubeObject } from '../kustomization.ts';
import { publicRoutes } from './public-routes.ts';
import { all, podsOf, type Policy, selects, type Subject } from './subject.ts';

const policiesIn = (objects: readonly KubeObject[]) => all<INetworkPolicy>(objects, 'NetworkPolicy');
const policiesOf = ({ release, migration }: Subject) => policiesIn([...release, ...migration]);

interface Range {
  cidr: string;
  except?: string[];
}

const egressRanges = (policy: INetworkPolicy): Range[] =>
  (policy.spec?.egress ?? []).flatMap(({ to }) => (to ?? []).flatMap(({ ipBlock }) => (ipBlock ? [ipBlock] : [])));

function contains(cidrs: readonly string[], address: string): boolean {
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  for (const cidr of cidrs.filter((each) => each.includes(':') === (family === 'ipv6'))) {
    const [network, prefix] = cidr.split('/') as [string, string];
    list.addSubnet(network, Number(prefix), family);
  }
  return list.check(address, family);
}

const reaches = (ranges: readonly Range[], address: string): boolean =>
  ranges.some(({ cidr, except = [] }) => contains([cidr], address) && !contains(except, address));

/** Addresses that no webhook may go to, the first of every range among them; and some that it may. */
const REFUSED = [
  ...NON_PUBLIC_IPV4.map((cidr) => cidr.split('/')[0] as string),
  '10.255.255.255',
  '169.254.169.254',
  '172.31.0.1',
  '192.168.1.1',
  '::1',
  'fd00:ec2::254',
  'fe80::1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
];
const ALLOWED = ['1.1.1.1', '190.26.0.1', '2800:e0::1', '2606:4700::1111'];
const METADATA = ['169.254.169.254', '169.254.170.2', '169.254.170.23', 'fd00:ec2::254'];

/** Addresses of a host that hold a credential: what the API's description says, uploads (signed in the query), and the signers' links. */
function secretAddresses(host: keyof Environment['hosts']): string[] {
  if (host === 'sign') return ['/a-link'];
  if (host === 'console') return []; // its links have the token in the fragment, as those of the capture page have
  if (host === 'person') return ['/v1/embed/sessions/a-token/ui', CONSENT_PAGE.replace(':token', 'a-token')];
  const described = fs.readFileSync(`docs/api/${host}.v1.yaml`, 'utf8');
  return [...described.matchAll(/^ {2}(\/\S*\{token\}\S*|\/uploads\/\S+):$/gm)].map(([, address]) => address as string);
}

export const NETWORK: readonly Policy[] = [
  {
    rule: 'Nothing comes in or goes out of a pod but what another policy allows',
    check: (subject) =>
      podsOf(subject).flatMap(({ name, labels }) =>
        policiesOf(subject).some(
          ({ spec }) =>
            selects(spec?.podSelector?.matchLabels, labels) &&
            ['Ingress', 'Egress'].every((type) => spec?.policyTypes?.includes(type as 'Ingress')) &&
            spec?.ingress?.length === 0 &&
            spec.egress?.length === 0,
        )
          ? []
          : [`${name} is not denied everything first`],
      ),
  },
  {
    rule: 'Every policy is about pods of the module, opens one way, and names ports',
    check: (subject) => {
      const pods = podsOf(subject);
      return policiesOf(subject).flatMap(({ metadata, spec }) => {
        const ways = [...(spec?.ingress ?? []), ...(spec?.egress ?? [])];
        return [
          ...(pods.some(({ labels }) => selects(spec?.podSelector?.matchLabels, labels))
            ? []
            : [`${metadata.name} is about no pod`]),
          ...(ways.length > 1 ? [`${metadata.name} opens ${ways.length} ways`] : []),
          ...(ways.every(({ ports }) => (ports ?? []).length > 0) ? [] : [`${metadata.name} opens every port`]),
          ...(spec?.egress ?? []).flatMap(({ to }) =>
            (to ?? []).length > 0 ? [] : [`${metadata.name} leads everywhere`],
          ),
          ...(spec?.ingress ?? []).flatMap(({ from }) =>
            (from ?? []).length > 0 ? [] : [`${metadata.name} lets everybody in`],
          ),
        ];
      });
    },
  },
  {
    rule: 'A module goes where it has business, by name, and to no other place',
    check: ({ module, environment, release }) => {
      const named = policiesIn(release)
        .filter(({ spec }) => (spec?.egress ?? []).length > 0)
        .map(({ metadata }) => metadata.name);
      const wanted = ['dns', ...peersOf(module, environment)].map((peer) => `${module.name}-to-${peer}`);
      return [
        ...named.filter((name) => !wanted.includes(name)).map((name) => `${name} is not expected`),
        ...wanted.filter((name) => !named.includes(name)).map((name) => `${name} is missing`),
      ];
    },
  },
  {
    rule: 'Only webhooks and calls of providers go to the internet, and to public addresses alone',
    check: (subject) =>
      policiesOf(subject).flatMap((policy) => {
        const ranges = egressRanges(policy);
        const name = policy.metadata.name;
        const outside = ['webhooks', 'providers'].map((peer) => `${subject.module.name}-to-${peer}`);
        if (!outside.includes(name)) {
          return ALLOWED.filter((address) => reaches(ranges, address)).map((address) => `${name} reaches ${address}`);
        }
        return [
          ...REFUSED.filter((address) => addressKind(address) === 'public').map((address) => `${address} is public`),
          ...REFUSED.filter((address) => reaches(ranges, address)).map((address) => `${name} reaches ${address}`),
          ...ALLOWED.filter((address) => !reaches(ranges, address)).map((address) => `${name} misses ${address}`),
        ];
      }),
  },
  {
    rule: 'No pod reaches the metadata of its machine',
    check: (subject) =>
      policiesOf(subject).flatMap((policy) =>
        METADATA.filter((address) => reaches(egressRanges(policy), address)).map(
          (address) => `${policy.metadata.name} reaches ${address}`,
        ),
      ),
  },
  {
    rule: 'The ops port is open to Prometheus alone; public ports to the Ingress alone',
    check: (subject) => {
      const { module, environment } = subject;
      return policiesOf(subject).flatMap(({ metadata, spec }) =>
        (spec?.ingress ?? []).flatMap(({ from, ports }) => {
          const namespaces = (from ?? []).map(
            ({ namespaceSelector }) => namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'],
          );
          const ops = ports?.some(({ port }) => port === module.ports.ops || port === 'ops');
          const wanted = ops ? environment.monitoring.namespace : environment.ingress.namespace;
          return [
            ...namespaces
              .filter((name) => name !== wanted)
              .map((name) => `${metadata.name} lets ${name ?? 'others'} in`),
            ...(ops && (ports?.length ?? 0) > 1 ? [`${metadata.name} opens more than the ops port`] : []),
          ];
        }),
      );
    },
  },
  {
    rule: 'What holds a credential in its path or query is in no access log of the Ingress',
    check: ({ module, environment, release }) => {
      const routes = publicRoutes(release);
      return module.hosts.flatMap(({ host }) =>
        secretAddresses(host).flatMap((address) => {
          const answering = routes
            .filter((route) => route.host === environment.hosts[host])
            .filter(({ path }) => path === '/' || address === path || address.startsWith(`${path}/`))
            .sort((a, b) => b.path.length - a.path.length)[0];
          return answering?.logged === false ? [] : [`${address} of ${host} is logged`];
        }),
      );
    },
  },
  {
    rule: 'An API has a public host of its own, over TLS, and never shows its ops port; a worker has none',
    check: ({ module, environment, release }) => {
      const routes = publicRoutes(release);
      const hosts = [...new Set(routes.map(({ host }) => host))];
      const wanted = module.hosts.map(({ host }) => environment.hosts[host]);
      const open = (['http', 'sign', 'console', 'person'] as const).flatMap((name) => [name, module.ports[name]]);
      return [
        ...(hosts.toSorted().join() === wanted.toSorted().join()
          ? []
          : [`its hosts are ${hosts.join(', ') || 'none'}`]),
        ...routes.filter(({ tls }) => !tls).map(({ name, host }) => `${name}: ${host} is not served over TLS`),
        ...routes
          .filter(({ service, port }) => service !== module.name || !open.includes(port as never))
          .map(({ name, service, port }) => `${name} leads to ${service}:${port}`),
      ];
    },
  },
];
