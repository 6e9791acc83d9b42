import { describe, expect, it } from 'vitest';
import { nodeOfImages, nodeProgram, TESTED_NODES, versionOf } from './node-versions.mjs';

describe('the Node versions that are tested', () => {
  it('include that of the images', () => {
    expect(TESTED_NODES).toContain(nodeOfImages());
  });

  it.each([
    ['ARG BASE=docker.io/library/node:24-bookworm-slim', '24'],
    ['ARG APP\nARG BASE=registry.example/mirror/node:26.1.0-trixie-slim@sha256:00', '26'],
  ])('the version of the images is read from the Dockerfile: %s', (dockerfile, major) => {
    expect(nodeOfImages(dockerfile)).toBe(major);
  });

  it('a Dockerfile without one is a mistake', () => {
    expect(() => nodeOfImages('FROM scratch\n')).toThrow('ARG BASE');
  });

  it('the program of a version is this one where it is that version', () => {
    expect(versionOf(nodeProgram(process.versions.node.split('.')[0] as string))).toBe(process.versions.node);
  });
});
