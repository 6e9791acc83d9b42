import { MATCH_WORDS } from '@constancia/reference-data/case-words';
import type { SPANISH } from './spanish.ts';

export const ENGLISH: typeof SPANISH = {
  ...MATCH_WORDS.en,
  similar: (percent) => `${percent} alike`,
  score: (percent) => `${percent} match`,
  capped: {
    names_only: 'Names alone give at most 95%.',
    birth_date_differs: 'The date of birth differs.',
    kind_differs: 'One is a person and the other an organization.',
    weak_alias: 'It is a weak alias of the list.',
    short_romanised_name: 'It is a short name written in Latin letters.',
    unmatchable_name: 'The name can hardly be compared.',
  },
  rules: 'Rules that fired',
  freshness: {
    screened: 'Lists that were screened against',
    decided: 'The same lists at the decision',
    list: 'List',
    version: 'Version',
    imported: 'Imported',
    published: 'Published',
    checked: 'Last checked',
    age: 'Age',
    days: (count) => `${count} days`,
    stale: 'more than allowed',
    unknown: 'Not kept',
  },
  severity: { approve: 'Accept', review: 'Review', reject: 'Reject' },
};
