import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { DEFAULT_PORT_BASE, portsFrom, receiverPort } from '../local/places.mjs';

const { ops, ...published } = portsFrom(DEFAULT_PORT_BASE);
const OURS = [...Object.values(published), ...Object.values(ops), receiverPort(DEFAULT_PORT_BASE)];
const GUIDES = fs.readdirSync(path.join(WORKSPACE, 'docs/guides')).map((file) => `docs/guides/${file}`);
const PAGES = ['README.md', 'libs/sdk/README.md', ...GUIDES].filter((file) => file.endsWith('.md'));

/** Addresses of the local stack's default ports: they hold for one --port-base only. */
function fixedAddresses(page: string): string[] {
  const text = fs.readFileSync(path.join(WORKSPACE, page), 'utf8');
  return [...text.matchAll(/(?:127\.0\.0\.1|localhost):(\d+)/g)]
    .filter(([, port]) => OURS.includes(Number(port)))
    .map(([address]) => address);
}

describe('addresses in the README and the guides', () => {
  it.each(PAGES)('%s: are read from .local/stack.json, so that --port-base works', (page) => {
    expect(fixedAddresses(page)).toEqual([]);
  });

  it('a receiver has a port of its own at every base', () => {
    for (const base of [1_024, 3_000, 64_000, 64_001, 65_000]) {
      const { ops: scraped, ...others } = portsFrom(base);
      expect([...Object.values(others), ...Object.values(scraped)]).not.toContain(receiverPort(base));
      expect(receiverPort(base)).toBeLessThan(65_536);
    }
  });
});
