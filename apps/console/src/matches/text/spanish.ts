import { MATCH_WORDS } from '@constancia/reference-data/case-words';

export const SPANISH = {
  ...MATCH_WORDS['es-CO'],
  similar: (percent: string) => `${percent} parecidas`,
  score: (percent: string) => `Coincide en ${percent}`,
  capped: {
    names_only: 'Los nombres solos dan a lo sumo 95 %.',
    birth_date_differs: 'La fecha de nacimiento es distinta.',
    kind_differs: 'Uno es persona y el otro organización.',
    weak_alias: 'Es un alias poco fiable de la lista.',
    short_romanised_name: 'Es un nombre corto escrito en letras latinas.',
    unmatchable_name: 'El nombre casi no se puede comparar.',
  },
  rules: 'Reglas que se cumplieron',
  severity: { approve: 'Aceptar', review: 'Revisar', reject: 'Rechazar' },
};
