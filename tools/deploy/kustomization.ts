import fs from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** An object of Kubernetes as YAML gives it. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
}

interface Generator {
  name: string;
  behavior?: 'merge';
  literals: string[];
}

interface Image {
  name: string;
  newName: string;
  digest: string;
}

interface Kustomization {
  apiVersion: string;
  kind: 'Kustomization' | 'Component';
  resources?: string[];
  components?: string[];
  namespace?: string;
  configMapGenerator?: Generator[];
  images?: Image[];
}

const FIELDS = ['apiVersion', 'kind', 'resources', 'components', 'namespace', 'configMapGenerator', 'images'];

/**
 * What `kubectl kustomize <folder>` makes of a rendered folder, but for the hash that Kustomize puts behind a ConfigMap's name. Knows
 * the fields that rendered folders use, with their meaning in Kustomize 5, and refuses every other one.
 */
export function objectsOf(folder: string): KubeObject[] {
  const kustomization = read(folder);
  let objects = (kustomization.resources ?? []).flatMap((name) => resource(path.join(folder, name)));
  for (const generator of kustomization.configMapGenerator ?? []) objects = generated(objects, generator);
  for (const name of kustomization.components ?? []) {
    objects = withImages(objects, read(path.join(folder, name)).images ?? []);
  }
  objects = withImages(objects, kustomization.images ?? []);
  return kustomization.namespace === undefined ? objects : objects.map((each) => inNamespace(each, kustomization));
}

function read(folder: string): Kustomization {
  const file = path.join(folder, 'kustomization.yaml');
  const kustomization = parse(fs.readFileSync(file, 'utf8')) as Kustomization;
  const unknown = Object.keys(kustomization).filter((field) => !FIELDS.includes(field));
  if (unknown.length > 0) throw new Error(`${file}: ${unknown.join(', ')} is beyond what is checked here`);
  return kustomization;
}

function resource(name: string): KubeObject[] {
  if (fs.statSync(name).isDirectory()) return objectsOf(name);
  return parseAllDocuments(fs.readFileSync(name, 'utf8')).map((document) => document.toJS() as KubeObject);
}

function generated(objects: KubeObject[], { name, behavior, literals }: Generator): KubeObject[] {
  const data = Object.fromEntries(literals.map((literal) => literal.split(/=(.*)/s).slice(0, 2) as [string, string]));
  const before = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
  if ((behavior === 'merge') !== (before !== undefined)) throw new Error(`${name}: only what is there can be merged`);
  const known = (before as { data?: Record<string, string> } | undefined)?.data;
  const merged = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { ...known, ...data } };
  return [...objects.filter((each) => each !== before), merged];
}

function withImages(objects: KubeObject[], images: readonly Image[]): KubeObject[] {
  const copies = structuredClone(objects);
  for (const container of copies.flatMap(containersIn)) {
    const image = images.find(({ name }) => name === container.image);
    if (image !== undefined) container.image = `${image.newName}@${image.digest}`;
  }
  return copies;
}

function inNamespace(object: KubeObject, { namespace }: Kustomization): KubeObject {
  return { ...object, metadata: { ...object.metadata, namespace } };
}

interface WithPod {
  spec?: { template?: { spec?: { containers?: { image?: string }[]; initContainers?: { image?: string }[] } } };
}

function containersIn(object: KubeObject): { image?: string }[] {
  const pod = (object as WithPod).spec?.template?.spec;
  return [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])];
}
