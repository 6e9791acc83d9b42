import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sectionOf } from './changelog.ts';

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2026-11-28)\n\n### Added\n\n- One.\n\n## 1.1.0\n\n## 1.0.0\n\n- Two.\n';

describe('the notes of a release', () => {
  it('are the section of its version, up to the next one', () => {
    expect(sectionOf(CHANGELOG, '1.2.0')).toBe('### Added\n\n- One.');
    expect(sectionOf(CHANGELOG, '1.0.0')).toBe('- Two.');
  });

  it.each(['1.3.0', '1.2', '1.1.0'])('are refused for %s, of which nothing is said', (version) => {
    expect(() => sectionOf(CHANGELOG, version)).toThrow(`CHANGELOG.md has no section "## ${version}"`);
  });

  it('are there for the version that the clients and the workspace have', () => {
    const versions = ['package.json', 'libs/sdk/package.json', 'libs/sdk-python/package.json'].map(
      (file) => (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version,
    );
    expect(new Set(versions).size).toBe(1);
    expect(sectionOf(fs.readFileSync('CHANGELOG.md', 'utf8'), versions[0] as string)).toMatch(/### Added/);
  });
});
