import { expect, it } from 'vitest';
import { ruleText } from './rule-text.ts';
import { catalogue } from './sarlaft-catalogue.ts';

it('says in the language of the reader what a default rule says, and leaves alone what a tenant wrote', () => {
  for (const { code, description } of catalogue()) {
    expect(ruleText(code, description.es, 'en')).toBe(description.en);
    expect(ruleText(code, description.en, 'es-CO')).toBe(description.es);
    expect(ruleText(code, 'Nuestra regla', 'en')).toBe('Nuestra regla');
  }
  expect(ruleText('OWN-001', 'Nuestra regla', 'en')).toBe('Nuestra regla');
});
