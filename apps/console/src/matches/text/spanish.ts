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
  freshness: {
    screened: 'Listas con las que se consultó',
    decided: 'Las mismas listas al decidir',
    list: 'Lista',
    version: 'Versión',
    imported: 'Importada',
    published: 'Publicada',
    checked: 'Última revisión',
    age: 'Antigüedad',
    days: (count: string) => `${count} días`,
    stale: 'más de lo permitido',
    unknown: 'No se conserva',
  },
  severity: { approve: 'Aceptar', review: 'Revisar', reject: 'Rechazar' },
};
