import { describe, expect, it } from 'vitest';
import { compileValidation } from './compile/compile-validation.ts';
import { factsOf, hit } from './facts.fixture.ts';
import type { Facts } from './facts.ts';
import { lintRules } from './lint/lint.ts';
import type { RuleTemplate } from './rule-template.ts';
import type { Rule } from './rule.ts';
import { catalogue } from './sarlaft-catalogue.ts';

const ruleOf = ({ code, severity, score, subject_type, description, definition }: RuleTemplate): Rule => ({
  code,
  severity,
  score,
  subject_type,
  description: description.es,
  definition,
});
const all = compileValidation(catalogue().map(ruleOf));
const fired = (facts: Facts) => all.evaluate(facts).findings.map(({ rule_code }) => rule_code.slice('SARLAFT-'.length));
const quiet = { kyc_status: 'approved' };
const legal = {
  subjectType: 'legal' as const,
  payload: { full_name: 'Ejemplo S.A.S.', beneficial_owners: [{ name: 'Dueña Ejemplo' }] },
};
const party = { role: 'beneficial_owner', pointer: '/beneficial_owners/0', hits: [], nearMisses: [] } as const;

describe('the SARLAFT catalogue', () => {
  it('has every row, in order, for both kinds of subject', () => {
    const rows = catalogue().map((t) => `${t.code.slice(8)} ${t.subject_type[0]} ${t.severity} ${t.score}`);
    expect(rows).toEqual([
      'ONU-001 b reject 100',
      'OFAC-001 b reject 100',
      'EU-001 b review 80',
      'PEP-001 n review 50',
      'PEP-002 l review 50',
      'FATF-001 b reject 90',
      'FATF-002 b review 60',
      'FATF-003 b review 30',
      'AGE-001 n reject 100',
      'AGE-002 n review 10',
      'AMT-001 b review 35',
      'AMT-002 b review 35',
      'AMT-003 b review 60',
      'KYC-001 n review 30',
      'KYC-002 n reject 80',
      'GEO-001 b review 15',
      'LEG-001 l review 40',
      'LEG-002 l reject 100',
      'ID-001 n review 40',
      'MATCH-001 b review 20',
    ]);
  });

  it('lints clean as one rule set, without a warning', () => {
    expect(lintRules(catalogue().map(ruleOf))).toEqual({ errors: [], warnings: [] });
  });

  it('is distinguished by subject type and group, and handed out as copies', () => {
    expect(catalogue({ subjectType: 'natural' })).toHaveLength(17);
    expect(catalogue({ subjectType: 'legal' })).toHaveLength(14);
    expect(catalogue({ subjectType: 'both', group: 'sarlaft' })).toHaveLength(20);
    expect(catalogue({ group: 'other' })).toEqual([]);
    catalogue()[0]!.definition.nodes.length = 0;
    expect(catalogue()[0]!.definition.nodes).toHaveLength(2);
  });

  it('describes each rule and its legal basis in both languages', () => {
    for (const { description, legal_basis } of catalogue())
      for (const { es, en } of [description, legal_basis]) {
        expect(es.length).toBeGreaterThan(20);
        expect(en.length).toBeGreaterThan(20);
        expect(es).not.toBe(en);
      }
  });

  it('says which lists it needs', () => {
    expect(all.needs).toEqual({
      lists: ['OFAC', 'ONU', 'PEP', 'EU_SANCTIONS', 'FATF', 'INTERNAL'],
      relatedLists: ['OFAC', 'ONU', 'PEP'],
      fatf: true,
      decisionDays: 0,
      screeningDays: 0,
    });
  });

  it.each<[string, Partial<Facts>, string[]]>([
    ['nothing to say', { payload: { ...quiet } }, []],
    ['UN hit', { matches: { hits: [hit('ONU')], nearMisses: [] }, payload: { ...quiet } }, ['ONU-001']],
    [
      'OFAC and EU hits',
      { matches: { hits: [hit('EU_SANCTIONS'), hit('OFAC')], nearMisses: [] } },
      ['EU-001', 'OFAC-001'],
    ],
    ['PEP', { matches: { hits: [hit('PEP')], nearMisses: [] } }, ['PEP-001']],
    ['near miss', { matches: { hits: [], nearMisses: [{ ...hit('OFAC'), score: 0.8 }] } }, ['MATCH-001']],
    ['far miss', { matches: { hits: [], nearMisses: [{ ...hit('OFAC'), score: 0.7 }] } }, []],
    ['North Korea', { payload: { country_code: 'kp' }, fatf: { KP: 'call_for_action' } }, ['FATF-001', 'FATF-003']],
    ['Myanmar', { payload: { country_code: 'MM' }, fatf: { MM: 'call_for_action' } }, ['FATF-002', 'FATF-003']],
    ['Bolivia', { payload: { country_code: 'BO' }, fatf: { BO: 'increased_monitoring' } }, ['FATF-003']],
    ['a minor', { payload: { birth_date: '2008-11-22' } }, ['AGE-001']],
    ['eighteen today', { payload: { birth_date: '2008-11-21' } }, []],
    ['very old', { payload: { subject_age: 85 } }, ['AGE-002']],
    ['pesos', { payload: { currency: 'COP', amount: 10_000_000 } }, ['AMT-001']],
    ['fewer pesos', { payload: { currency: 'COP', amount: 9_999_999.99 } }, []],
    ['many pesos', { payload: { currency: 'COP', amount: 50_000_000 } }, ['AMT-001', 'AMT-003']],
    ['euros', { payload: { currency: 'EUR', amount: 5_000 } }, ['AMT-002']],
    ['yen', { payload: { currency: 'JPY', amount: 99_000_000 } }, []],
    [
      'dollars from abroad',
      { payload: { currency: 'USD', amount: 5_000, country_code: 'PA' } },
      ['AMT-002', 'GEO-001'],
    ],
    [
      'pesos from abroad',
      { payload: { currency: 'COP', amount: 10_000_000, country_code: 'PA' } },
      ['AMT-001', 'GEO-001'],
    ],
    ['pesos from somewhere', { payload: { currency: 'COP', amount: 10_000_000, country_code: '' } }, ['AMT-001']],
    ['unverified', { payload: { kyc_status: 'EXPIRED' } }, ['KYC-001']],
    ['refused', { payload: { kyc_status: 'rejected' } }, ['KYC-002']],
    [
      'impossible cédula',
      { payload: { document_type: 'CC', document_number: '123456789', country_code: 'CO' } },
      ['ID-001'],
    ],
    ['company without owners', { ...legal, payload: { full_name: 'Ejemplo', beneficial_owners: [] } }, ['LEG-001']],
    ['company of quiet owners', { ...legal, relatedParties: [party] }, []],
    ['company of a listed owner', { ...legal, relatedParties: [{ ...party, hits: [hit('OFAC')] }] }, ['LEG-002']],
    ['company of a PEP', { ...legal, relatedParties: [{ ...party, hits: [hit('PEP')] }] }, ['PEP-002']],
    [
      'company of a PEP with 4 %',
      { ...legal, relatedParties: [{ ...party, ownershipPercent: 4, hits: [hit('PEP')] }] },
      [],
    ],
    ['a company is no minor', { ...legal, payload: { ...legal.payload, subject_age: 3, kyc_status: 'rejected' } }, []],
  ])('%s', (_, facts, expected) => {
    expect(fired(factsOf(facts))).toEqual(expected);
  });
});
