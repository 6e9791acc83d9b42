import { describe, expect, it } from 'vitest';
import { fatfTable, sandboxLists } from './sandbox-lists.fixture.ts';

describe('the lists of a sandbox', () => {
  it('are there for every list of names, and clearly fictional', async () => {
    const lists = await sandboxLists();
    expect(Object.keys(lists)).toEqual(['OFAC', 'ONU', 'PEP', 'EU_SANCTIONS']);
    for (const list of Object.values(lists)) {
      expect(list.entries.length).toBeGreaterThanOrEqual(5);
      expect(list.warnings).toEqual([]);
      for (const entry of list.entries) {
        const names = entry.names.map((name) => name.text).join(' ');
        expect(names).toMatch(/fict|fikt|ejempl|exampl|exempl|invent/i);
      }
    }
  });

  it('hold a cédula, a NIT, aliases, a birth year, a range of years and offices that ended', async () => {
    const { OFAC, ONU, PEP } = await sandboxLists();
    const identifiers = OFAC.entries.flatMap((entry) => entry.identifiers);
    expect(identifiers).toContainEqual({ type: 'CC', country: 'CO', number: '1000000001' });
    expect(identifiers).toContainEqual({ type: 'NIT', country: 'CO', number: '900000001-7' });
    expect(OFAC.counts.aliases).toBeGreaterThan(5);
    expect(OFAC.entries[1]?.birthDates).toEqual([{ from: '1975-01-01', to: '1975-12-31', circa: false }]);
    expect(ONU.entries[0]?.birthDates).toEqual([{ from: '1969-01-01', to: '1971-12-31', circa: false }]);
    expect(PEP.entries[1]?.role).toEqual({ title: 'Ministra de ejemplo', until: '2025-08-06' });
  });

  it('come with the FATF table and the day of it', async () => {
    const { asOf, statuses } = await fatfTable();
    expect(asOf).toBe('2026-02-13');
    expect(statuses.find((status) => status.country === 'IR')?.category).toBe('call_for_action');
  });
});
