import type { BilingualText } from './rule-template.ts';

/**
 * Why each rule of the catalogue exists. Circular Básica Jurídica: Superintendencia Financiera, re-issued as a whole by
 * Circular Externa 006 of 2025; its SARLAFT chapter came from Circular Externa 027 of 2020 and 011 of 2022. To be
 * confirmed by the tenant's own counsel.
 */
const SARLAFT_CHAPTER = {
  es: 'Circular Básica Jurídica de la SFC (C.E. 006 de 2025), capítulo SARLAFT (C.E. 027 de 2020 y 011 de 2022)',
  en: 'SFC Circular Básica Jurídica (C.E. 006 of 2025), SARLAFT chapter (C.E. 027 of 2020 and 011 of 2022)',
};

const withChapter = (es: string, en: string): BilingualText => ({
  es: `${SARLAFT_CHAPTER.es}: ${es}`,
  en: `${SARLAFT_CHAPTER.en}: ${en}`,
});

export const LEGAL_BASIS = {
  unitedNations: {
    es: 'Ley 1121 de 2006, art. 20: listas vinculantes del Consejo de Seguridad de la ONU; congelar e informar de inmediato a la Fiscalía y a la UIAF. Recomendaciones 6 y 7 del GAFI',
    en: 'Law 1121 of 2006, art. 20: binding lists of the UN Security Council; freeze, and inform the Fiscalía and UIAF at once. FATF Recommendations 6 and 7',
  },
  ofac: {
    es: 'Decisión del Consejo de Seguridad Nacional de 2020: las listas de terroristas de EE. UU. son vinculantes; los demás programas de la lista SDN, por política de la entidad',
    en: "Decision of the National Security Council of 2020: the US lists of terrorists bind; the SDN list's other programmes by the entity's policy",
  },
  europeanUnion: {
    es: 'Decisión del Consejo de Seguridad Nacional de 2020: la lista de terroristas de la UE es vinculante; los demás regímenes, por política de la entidad',
    en: "Decision of the National Security Council of 2020: the EU list of terrorists binds; other regimes by the entity's policy",
  },
  politicallyExposed: {
    es: 'Decreto 830 de 2021 (calidad de PEP hasta dos años después del cargo; familiares y asociados cercanos). Recomendación 12 del GAFI: debida diligencia ampliada, no rechazo',
    en: 'Decree 830 of 2021 (PEP until two years after leaving office; relatives and close associates). FATF Recommendation 12: enhanced due diligence, not rejection',
  },
  highRiskCountries: {
    es: 'Recomendación 19 del GAFI y sus declaraciones sobre jurisdicciones de alto riesgo y bajo monitoreo intensificado',
    en: 'FATF Recommendation 19 and its statements on high-risk jurisdictions and those under increased monitoring',
  },
  minors: {
    es: 'Código Civil, art. 1504, y Ley 27 de 1977: la capacidad plena se adquiere a los 18 años',
    en: 'Civil Code, art. 1504, and Law 27 of 1977: full legal capacity begins at 18',
  },
  cashReport: {
    es: 'Reporte de transacciones en efectivo a la UIAF: individuales desde COP 10.000.000 o USD 5.000; múltiples del mes desde COP 50.000.000 o USD 50.000',
    en: 'Cash transaction report to the UIAF: individual from COP 10,000,000 or USD 5,000; several in a month from COP 50,000,000 or USD 50,000',
  },
  warningSigns: withChapter('señales de alerta', 'warning signs'),
  knowYourCustomer: withChapter('conocimiento del cliente', 'knowledge of the customer'),
  geographicRisk: withChapter('factor de riesgo de jurisdicción', 'risk factor of jurisdiction'),
  beneficialOwners: withChapter(
    'beneficiario final; Estatuto Tributario, art. 631-5. Recomendación 24 del GAFI',
    'beneficial owner; Estatuto Tributario, art. 631-5. FATF Recommendation 24',
  ),
  relatedParties: {
    es: 'Ley 1121 de 2006, art. 20, y decisión del Consejo de Seguridad Nacional de 2020, aplicadas a quien actúa por la persona jurídica o la controla',
    en: 'Law 1121 of 2006, art. 20, and the decision of the National Security Council of 2020, applied to whoever acts for the legal person or controls it',
  },
  partialMatches: withChapter(
    'consulta de listas y análisis de coincidencias',
    'list look-ups and analysis of matches',
  ),
} satisfies Record<string, BilingualText>;
