import { LEGAL_BASIS } from './legal-basis.ts';
import type { CatalogueFilter, RuleTemplate } from './rule-template.ts';
import { chain, eitherAfter, type Question } from './written-graphs.ts';

type Row = Omit<RuleTemplate, 'group'>;

/** UIAF: individual cash transactions from COP 10 million or USD 5,000; several in a month from COP 50 million. */
const IN_PESOS: Question = ['currency_in', ['COP']];
const IN_DOLLARS_OR_EUROS: Question = ['currency_in', ['USD', 'EUR']];
const CASH_PESOS: Question = ['amount_gte', 10_000_000];
const CASH_DOLLARS: Question = ['amount_gte', 5_000];
const MONTHLY_PESOS: Question = ['amount_gte', 50_000_000];

/** The canonical SARLAFT rules. Actions take the rule's severity and score, so changing those changes the outcome. */
const SARLAFT: readonly Row[] = [
  {
    code: 'SARLAFT-ONU-001',
    subject_type: 'both',
    severity: 'reject',
    score: 100,
    description: {
      es: 'El sujeto figura en la lista consolidada del Consejo de Seguridad de la ONU.',
      en: 'The subject is on the consolidated list of the UN Security Council.',
    },
    legal_basis: LEGAL_BASIS.unitedNations,
    definition: chain(['on_restrictive_list', 'ONU']),
  },
  {
    code: 'SARLAFT-OFAC-001',
    subject_type: 'both',
    severity: 'reject',
    score: 100,
    description: {
      es: 'El sujeto figura en la lista de nacionales especialmente designados de OFAC, en cualquier programa.',
      en: "The subject is on OFAC's list of specially designated nationals, under any programme.",
    },
    legal_basis: LEGAL_BASIS.ofac,
    definition: chain(['on_restrictive_list', 'OFAC']),
  },
  {
    code: 'SARLAFT-EU-001',
    subject_type: 'both',
    severity: 'review',
    score: 80,
    description: {
      es: 'El sujeto figura en la lista de sanciones financieras de la Unión Europea.',
      en: 'The subject is on the list of financial sanctions of the European Union.',
    },
    legal_basis: LEGAL_BASIS.europeanUnion,
    definition: chain(['on_restrictive_list', 'EU_SANCTIONS']),
  },
  {
    code: 'SARLAFT-PEP-001',
    subject_type: 'natural',
    severity: 'review',
    score: 50,
    description: {
      es: 'La persona es, o fue en los últimos dos años, expuesta políticamente: debida diligencia ampliada.',
      en: 'The person is, or within two years was, politically exposed: enhanced due diligence.',
    },
    legal_basis: LEGAL_BASIS.politicallyExposed,
    definition: chain(['on_restrictive_list', 'PEP']),
  },
  {
    code: 'SARLAFT-PEP-002',
    subject_type: 'legal',
    severity: 'review',
    score: 50,
    description: {
      es: 'El representante legal, o un beneficiario final con el 5 % o más, es persona expuesta políticamente.',
      en: 'The legal representative, or a beneficial owner of 5 % or more, is politically exposed.',
    },
    legal_basis: LEGAL_BASIS.politicallyExposed,
    definition: chain([
      'related_party_on_list',
      { lists: ['PEP'], roles: ['legal_representative', 'beneficial_owner'], min_ownership_percent: 5 },
    ]),
  },
  {
    code: 'SARLAFT-FATF-001',
    subject_type: 'both',
    severity: 'reject',
    score: 90,
    description: {
      es: 'País con llamado a la acción del GAFI y contramedidas: Corea del Norte o Irán.',
      en: 'Country under an FATF call for action with countermeasures: North Korea or Iran.',
    },
    legal_basis: LEGAL_BASIS.highRiskCountries,
    definition: chain(['country_in', ['KP', 'IR']]),
  },
  {
    code: 'SARLAFT-FATF-002',
    subject_type: 'both',
    severity: 'review',
    score: 60,
    description: {
      es: 'País con llamado a la acción del GAFI y debida diligencia ampliada: Myanmar.',
      en: 'Country under an FATF call for action with enhanced due diligence: Myanmar.',
    },
    legal_basis: LEGAL_BASIS.highRiskCountries,
    definition: chain(['country_in', ['MM']]),
  },
  {
    code: 'SARLAFT-FATF-003',
    subject_type: 'both',
    severity: 'review',
    score: 30,
    description: {
      es: 'País en alguna de las listas del GAFI. El monitoreo intensificado pesa en la revisión; no es motivo de rechazo.',
      en: 'Country on one of the FATF lists. Increased monitoring weighs in a review; it is no ground for rejection.',
    },
    legal_basis: LEGAL_BASIS.highRiskCountries,
    definition: chain(['on_restrictive_list', 'FATF']),
  },
  {
    code: 'SARLAFT-AGE-001',
    subject_type: 'natural',
    severity: 'reject',
    score: 100,
    description: {
      es: 'Menor de 18 años: debe actuar por medio de su representante legal.',
      en: 'Under 18: has to act through a legal representative.',
    },
    legal_basis: LEGAL_BASIS.minors,
    definition: chain(['subject_age_lt', 18]),
  },
  {
    code: 'SARLAFT-AGE-002',
    subject_type: 'natural',
    severity: 'review',
    score: 10,
    description: {
      es: 'Persona de 85 años o más: señal de alerta de instrumentalización por terceros.',
      en: '85 or older: a warning sign that others may be using the person.',
    },
    legal_basis: LEGAL_BASIS.warningSigns,
    definition: chain(['subject_age_gte', 85]),
  },
  {
    code: 'SARLAFT-AMT-001',
    subject_type: 'both',
    severity: 'review',
    score: 35,
    description: {
      es: 'Monto en pesos igual o superior a 10 millones: umbral de transacción individual en efectivo.',
      en: 'Amount in pesos of 10 million or more: the threshold for an individual cash transaction.',
    },
    legal_basis: LEGAL_BASIS.cashReport,
    definition: chain(IN_PESOS, CASH_PESOS),
  },
  {
    code: 'SARLAFT-AMT-002',
    subject_type: 'both',
    severity: 'review',
    score: 35,
    description: {
      es: 'Monto en dólares o euros igual o superior a 5.000: umbral de transacción individual en efectivo.',
      en: 'Amount in dollars or euros of 5,000 or more: the threshold for an individual cash transaction.',
    },
    legal_basis: LEGAL_BASIS.cashReport,
    definition: chain(IN_DOLLARS_OR_EUROS, CASH_DOLLARS),
  },
  {
    code: 'SARLAFT-AMT-003',
    subject_type: 'both',
    severity: 'review',
    score: 60,
    description: {
      es: 'Monto en pesos igual o superior a 50 millones: umbral de transacciones múltiples del mes.',
      en: 'Amount in pesos of 50 million or more: the threshold for several transactions in a month.',
    },
    legal_basis: LEGAL_BASIS.cashReport,
    definition: chain(IN_PESOS, MONTHLY_PESOS),
  },
  {
    code: 'SARLAFT-KYC-001',
    subject_type: 'natural',
    severity: 'review',
    score: 30,
    description: {
      es: 'La verificación de identidad no ha terminado o venció.',
      en: 'The identity verification is unfinished or has expired.',
    },
    legal_basis: LEGAL_BASIS.knowYourCustomer,
    definition: chain(['kyc_status_in', ['pending', 'in_progress', 'manual_review', 'expired']]),
  },
  {
    code: 'SARLAFT-KYC-002',
    subject_type: 'natural',
    severity: 'reject',
    score: 80,
    description: {
      es: 'La verificación de identidad fue rechazada o falló.',
      en: 'The identity verification was rejected or failed.',
    },
    legal_basis: LEGAL_BASIS.knowYourCustomer,
    definition: chain(['kyc_status_in', ['rejected', 'failed']]),
  },
  {
    code: 'SARLAFT-GEO-001',
    subject_type: 'both',
    severity: 'review',
    score: 15,
    description: {
      es: 'Sujeto de otro país con un monto que alcanza el umbral de efectivo de su moneda.',
      en: 'Subject of another country with an amount that reaches the cash threshold of its currency.',
    },
    legal_basis: LEGAL_BASIS.geographicRisk,
    definition: eitherAfter(['country_not_in', ['CO']], [IN_PESOS, CASH_PESOS], [IN_DOLLARS_OR_EUROS, CASH_DOLLARS]),
  },
  {
    code: 'SARLAFT-LEG-001',
    subject_type: 'legal',
    severity: 'review',
    score: 40,
    description: {
      es: 'La persona jurídica no informa sus beneficiarios finales.',
      en: 'The legal person does not name its beneficial owners.',
    },
    legal_basis: LEGAL_BASIS.beneficialOwners,
    definition: chain(['field_missing', 'beneficial_owners']),
  },
  {
    code: 'SARLAFT-LEG-002',
    subject_type: 'legal',
    severity: 'reject',
    score: 100,
    description: {
      es: 'Una parte relacionada (representante, beneficiario final u otra) figura en la lista de la ONU o de OFAC.',
      en: 'A related party (representative, beneficial owner or other) is on the UN or the OFAC list.',
    },
    legal_basis: LEGAL_BASIS.relatedParties,
    definition: chain(['related_party_on_list', ['ONU', 'OFAC']]),
  },
  {
    code: 'SARLAFT-ID-001',
    subject_type: 'natural',
    severity: 'review',
    score: 40,
    description: {
      es: 'El número de documento es imposible para su tipo y país.',
      en: 'The document number is impossible for its type and country.',
    },
    legal_basis: LEGAL_BASIS.knowYourCustomer,
    definition: chain(['document_check_failed']),
  },
  {
    code: 'SARLAFT-MATCH-001',
    subject_type: 'both',
    severity: 'review',
    score: 20,
    description: {
      es: 'Coincidencia parcial con una lista, por debajo del umbral de aceptación.',
      en: 'Partial match with a list, below the threshold of a hit.',
    },
    legal_basis: LEGAL_BASIS.partialMatches,
    definition: chain(['list_match_score_between', { min: 0.75, max: 'hit_threshold' }]),
  },
];

/** The templates of a group for a kind of subject, in the order of the catalogue. Each call answers fresh copies. */
export function catalogue({ subjectType = 'both', group = 'sarlaft' }: CatalogueFilter = {}): RuleTemplate[] {
  if (group !== 'sarlaft') return [];
  const wanted = SARLAFT.filter(
    ({ subject_type: of }) => subjectType === 'both' || of === 'both' || of === subjectType,
  );
  return wanted.map((row) => ({ ...structuredClone(row), group }));
}
