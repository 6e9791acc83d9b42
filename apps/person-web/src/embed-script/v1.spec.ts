import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { embedScript } from '../../embed-script.mjs';

const LIMIT_BYTES = 8_000;
let text: string;

beforeAll(async () => {
  text = await embedScript();
});

describe('the script for pages of tenants', () => {
  it(`has at most ${LIMIT_BYTES} bytes gzipped`, () => {
    expect(gzipSync(text).length).toBeLessThanOrEqual(LIMIT_BYTES);
  });

  it('is one file for a script tag of either type: no import, no export, nothing global', () => {
    expect(text).not.toMatch(/\b(?:import|export|require)\b/);
    expect(text.trim()).toMatch(/^\(function\(\)\{[\s\S]*\}\)\(\);?$/);
  });

  it('uses no cookie, no storage, no markup from texts, and says nothing to every origin', () => {
    expect(text).not.toMatch(/cookie|localStorage|sessionStorage|indexedDB|innerHTML|eval|Function\(/);
    expect(text).not.toMatch(/postMessage\([^)]*['"`]\*/);
  });
});
