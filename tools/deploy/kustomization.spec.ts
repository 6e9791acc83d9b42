import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { objectsOf } from './kustomization.ts';

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: one
spec:
  template:
    spec:
      containers:
        - image: constancia/one
        - image: another/one
`;

describe('what Kustomize makes of a folder', () => {
  let root: string;

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-kustomization-'));
  });

  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  function write(file: string, text: string): void {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }

  const objects = () => objectsOf(path.join(root, 'overlay'));

  beforeEach(() => {
    write('base/pod.yaml', POD);
    write(
      'base/kustomization.yaml',
      'resources: [pod.yaml]\nconfigMapGenerator: [{ name: settings, literals: ["A=1", "B=x=y"] }]\n',
    );
    write(
      'overlay/image/kustomization.yaml',
      'images: [{ name: constancia/one, newName: r.example/one, digest: "sha256:1" }]\n',
    );
  });

  it('has the base, in the namespace, with the image of the component', () => {
    write('overlay/kustomization.yaml', 'resources: [../base]\nnamespace: there\ncomponents: [./image]\n');
    expect(objects()).toEqual([
      expect.objectContaining({
        metadata: { name: 'one', namespace: 'there' },
        spec: { template: { spec: { containers: [{ image: 'r.example/one@sha256:1' }, { image: 'another/one' }] } } },
      }),
      expect.objectContaining({ metadata: { name: 'settings', namespace: 'there' }, data: { A: '1', B: 'x=y' } }),
    ]);
  });

  it('merges what an overlay says of a ConfigMap', () => {
    const merge = 'configMapGenerator: [{ name: settings, behavior: merge, literals: [A=2, C=3] }]\n';
    write('overlay/kustomization.yaml', `resources: [../base]\n${merge}`);
    expect(objects().at(-1)).toMatchObject({ data: { A: '2', B: 'x=y', C: '3' } });
  });

  it.each([
    [
      'a ConfigMap that is not there to be merged',
      'configMapGenerator: [{ name: new, behavior: merge, literals: [A=2] }]',
    ],
    ['a second ConfigMap of the same name', 'configMapGenerator: [{ name: settings, literals: [A=2] }]'],
    ['patches, and whatever else is not checked here', 'patches: [{ path: patch.yaml }]'],
  ])('is not %s', (_, field) => {
    write('overlay/kustomization.yaml', `resources: [../base]\n${field}\n`);
    expect(objects).toThrow(/merged|beyond/);
  });
});
