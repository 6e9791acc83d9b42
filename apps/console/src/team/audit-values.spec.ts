import { expect, it } from 'vitest';
import { ENGLISH_AUDIT } from './text/english-audit.ts';
import { SPANISH } from './text/spanish.ts';
import { auditedName, auditFieldName, auditValue, type AuditWords } from './audit-values.ts';

const words: AuditWords = {
  ...SPANISH.audit,
  values: { ...SPANISH.audit.values, status: SPANISH.members.statuses, modules: SPANISH.audit.modules },
  none: 'Ninguno',
  number: (value) => new Intl.NumberFormat('es-CO').format(value),
  money: (amount, currency) => `${currency} ${amount}`,
  dateOrClock: (iso) => `[${iso}]`,
  roleOf: (role) => `<${role}>`,
};

it.each([
  ['publish_four_eyes', true, 'Sí'],
  ['trusted_actor', false, 'No'],
  ['four_eyes', 'onu', 'Con coincidencia en la lista de la ONU'],
  ['retention_days', 1825, '1.825 días'],
  ['grace_seconds', 3600, '3.600 segundos'],
  ['amount_cop', 50_000, 'COP 50000'],
  ['expires_at', '2026-11-21T15:04:05.678Z', '[2026-11-21T15:04:05.678Z]'],
  ['valid_to', '2026-11-21', '[2026-11-21]'],
  ['name', '2026-11-21', '2026-11-21'], // what a tenant calls something is no date
  ['expires_at', null, 'Ninguno'],
  ['allowed_cidrs', [], 'Ninguno'],
  ['domains', ['a.example', 'b.example'], 'a.example, b.example'],
  ['modules', ['seal', 'identity'], 'Firma, Identidad'],
  ['role', 'owner', '<owner>'],
  ['role_map', { name: 'owner' }, 'name: <owner>'],
  [
    'certificates',
    [{ subject: 'CN=Ana', issuer: 'CN=Raíz', valid_to: '2026-11-21' }],
    'Titular: CN=Ana; Emisor: CN=Raíz; Vence: [2026-11-21]',
  ],
  ['status', 'constructor', 'constructor'],
])('%s %j is said in plain words', (field, value, said) => {
  expect(auditValue(field, value, words)).toBe(said);
});

it('an entry names what it is about by its code and version, where it has them', () => {
  expect(auditedName({ before: null, after: { code: 'default', version: 3 } }, words)).toBe('default, versión 3');
  expect(auditedName({ before: { code: 'sale', version: 2 }, after: null }, ENGLISH_AUDIT)).toBe('sale, version 2');
  expect(auditedName({ before: null, after: { code: 'loan' } }, words)).toBe('loan');
  expect(auditedName({ before: { name: 'x' }, after: null }, words)).toBeNull();
  expect(auditedName({ before: null, after: null }, words)).toBeNull();
});

it('what nobody named stays as it is', () => {
  for (const field of ['later_setting', 'toString']) expect(auditFieldName(field, words)).toBe(field);
  expect(auditValue('later_setting', true, words)).toBe('true');
  expect(auditValue('later_setting', 'x', words)).toBe('x');
  expect(auditValue('toString', { a: [1] }, words)).toBe('{"a":[1]}');
});

it('each field and value has a name in both languages, none of them that of the API', () => {
  expect(auditFieldName('publish_four_eyes', words)).toBe('Segunda persona al publicar reglas');
  expect(auditFieldName('publish_four_eyes', ENGLISH_AUDIT)).toBe('Second person to publish rules');
  for (const { fields } of [words, ENGLISH_AUDIT])
    for (const [field, name] of Object.entries(fields))
      expect([field, name]).not.toEqual([field, expect.stringMatching(/_|^$/)]);
  for (const field of Object.keys(words.values)) expect(words.fields).toHaveProperty(field);
});
