import type { IExternalSecret as ExternalSecretV1Beta1 } from '@kubernetes-models/external-secrets/external-secrets.io/v1beta1';
import type { Environment } from '../environments.ts';
import { ownSecrets } from '../connections.ts';
import { type Module, OPERATORS_FILE } from '../modules.ts';
import { migrationOf, migrationSelectorOf, operatorsOf, PART_OF, secretOf, selectorOf } from './naming.ts';

/** As the operator serves it since 0.17: the schema of v1beta1 under the name v1. */
export type ExternalSecret = Omit<ExternalSecretV1Beta1, 'apiVersion'> & { apiVersion: 'external-secrets.io/v1' };

/** A Secret of these variables, each under a name in the store. */
export function externalSecret(
  name: string,
  labels: Record<string, string>,
  { secrets }: Environment,
  variables: Record<string, readonly string[]>,
): ExternalSecret {
  return {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: { name, labels: { ...labels, ...PART_OF } },
    spec: {
      refreshInterval: '5m',
      secretStoreRef: { kind: 'ClusterSecretStore', name: secrets.store },
      target: { name, creationPolicy: 'Owner', deletionPolicy: 'Retain' },
      data: Object.entries(variables).flatMap(([of, names]) =>
        names.map((secretKey) => ({ secretKey, remoteRef: { key: `${secrets.prefix}/${of}`, property: secretKey } })),
      ),
    },
  };
}

/** What the app reads: its own secret and those members of the shared one that it needs. */
export function appSecret(module: Module, environment: Environment): ExternalSecret {
  const { shared } = module.secrets;
  const own = ownSecrets(module, environment);
  return externalSecret(secretOf(module), selectorOf(module), environment, { [module.name]: own, shared });
}

/** Each operator's name, digest of the token, and roles: a file of its own, which is read again when it changes. */
export function operatorsSecret(module: Module, environment: Environment): ExternalSecret {
  return externalSecret(operatorsOf(module), selectorOf(module), environment, { operators: [OPERATORS_FILE] });
}

/** What the migrate command reads: the owner's way into the database, which no app has. */
export function migrationSecret(module: Module, names: readonly string[], environment: Environment): ExternalSecret {
  const name = migrationOf(module);
  return externalSecret(name, migrationSelectorOf(module), environment, { [name]: names });
}
