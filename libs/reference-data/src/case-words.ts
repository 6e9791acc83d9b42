const SPANISH = {
  statuses: {
    open: 'Abierto',
    in_review: 'En revisión',
    escalated: 'Escalado',
    pending_approval: 'Espera aprobación',
    resolved: 'Resuelto',
  },
  priorities: { low: 'Baja', medium: 'Media', high: 'Alta', critical: 'Crítica' },
};

const SPANISH_MATCH = {
  lists: {
    OFAC: 'OFAC',
    ONU: 'ONU',
    PEP: 'PEP',
    EU_SANCTIONS: 'Unión Europea',
    FATF: 'GAFI',
    INTERNAL: 'Lista interna',
  },
  words: 'Nombres, palabra por palabra',
  missing: 'falta',
  birth: 'Nacimiento',
  country: 'País',
  document: 'Documento',
  verdicts: {
    same: 'igual',
    same_day: 'igual',
    same_year: 'mismo año',
    close: 'cercano',
    different: 'distinto',
    unknown: 'sin dato para comparar',
  },
  programmes: 'Programas',
  role: 'Cargo',
  legalBasis: 'Base legal',
  party: (where: string) => `De una parte relacionada: ${where}`,
};

const ENGLISH: typeof SPANISH = {
  statuses: {
    open: 'Open',
    in_review: 'In review',
    escalated: 'Escalated',
    pending_approval: 'Waits for approval',
    resolved: 'Resolved',
  },
  priorities: { low: 'Low', medium: 'Medium', high: 'High', critical: 'Critical' },
};

const ENGLISH_MATCH: typeof SPANISH_MATCH = {
  lists: {
    OFAC: 'OFAC',
    ONU: 'United Nations',
    PEP: 'PEP',
    EU_SANCTIONS: 'European Union',
    FATF: 'FATF',
    INTERNAL: 'Internal list',
  },
  words: 'Names, word by word',
  missing: 'missing',
  birth: 'Birth',
  country: 'Country',
  document: 'Document',
  verdicts: {
    same: 'the same',
    same_day: 'the same',
    same_year: 'same year',
    close: 'close',
    different: 'different',
    unknown: 'nothing to compare',
  },
  programmes: 'Programmes',
  role: 'Office',
  legalBasis: 'Legal basis',
  party: (where) => `Of a related party: ${where}`,
};

/** What the console and the PDF of a case call the states of a case. */
export const CASE_WORDS = { 'es-CO': SPANISH, en: ENGLISH } as const;

/** What they call a match with a list, and what was compared. */
export const MATCH_WORDS = { 'es-CO': SPANISH_MATCH, en: ENGLISH_MATCH } as const;
