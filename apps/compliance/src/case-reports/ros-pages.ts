import { type AppendedPage, type Block, Sheets } from '@constancia/pdf-sealing';
import type { RosDraft } from '../case-records/review-case.ts';
import type { ListFreshnessView } from '../lists/list-freshness-view.ts';
import { listBlocks } from './list-blocks.ts';
import { ALARM, BOLD, clipped, headed, labelled, LETTER, paragraphs, SOFT, stacked, titled } from './report-blocks.ts';
import { type Wording, wordingOf } from './report-facts.ts';

const TEXTS = {
  title: 'Reporte de operación sospechosa',
  draft: 'BORRADOR. No es un reporte presentado: complételo y preséntelo a la UIAF por SIREL.',
  reserved:
    'RESERVADO. Nadie fuera de cumplimiento debe enterarse de este reporte, y menos la persona de quien trata ' +
    '(Estatuto Orgánico del Sistema Financiero, art. 105).',
  number: 'Referencia interna',
  entity: 'Entidad que reporta',
  made: 'Descargado',
  subject: '1. Persona o empresa reportada',
  detection: '2. Cómo se detectó',
  screened: 'Fecha de la alerta',
  screening: 'Consulta',
  score: 'Puntaje',
  decision: 'Resultado',
  rules: 'Reglas activadas',
  matches: '3. Coincidencias confirmadas',
  noMatches: 'Ninguna: el analista calificó la operación como sospechosa.',
  facts: '4. Relato de los hechos',
  analysis: '5. Análisis de la entidad',
  basis: '6. Base legal',
  missing: '7. Falta completar antes de presentarlo',
  blank: '________________________________________',
  file: 'Borrador de ROS',
};

/** What a ROS draft says, and for whom it is drawn. */
export interface RosFacts {
  draft: RosDraft;
  lists: readonly ListFreshnessView[];
  madeBy: string;
  madeAt: Date;
}

/** The ROS draft in Spanish, the language in which the UIAF takes it. */
export function rosPages(facts: RosFacts): [AppendedPage, ...AppendedPage[]] {
  const { draft, lists } = facts;
  const wording = wordingOf('es-CO');
  const sheets = new Sheets(LETTER);
  const { width } = sheets;
  const missing: Readonly<Record<string, string>> = wording.texts.missingFacts;
  const blocks = [
    head(facts, width, wording),
    ...titled(TEXTS.subject, [subject(draft, width, wording)]),
    ...titled(TEXTS.detection, [detection(draft, width, wording)]),
    ...listBlocks({ lists_when_screened: lists, lists_when_decided: null }, width, wording),
    ...titled(TEXTS.matches, matches(draft, width, wording)),
    ...titled(TEXTS.facts, paragraphs(draft.narrative['es-CO'], width)),
    ...titled(TEXTS.analysis, paragraphs(draft.analyst_reason, width)),
    ...titled(
      TEXTS.basis,
      draft.legal_basis.flatMap((basis) => paragraphs(basis, width)),
    ),
    ...titled(
      TEXTS.missing,
      draft.to_complete.map((code) => labelled(missing[code] ?? code, TEXTS.blank, width)),
    ),
  ];
  for (const block of blocks) sheets.put(block);
  const page = (number: number, of: number) => `${wording.texts.page(number, of)} · BORRADOR RESERVADO`;
  return sheets.finished(`${TEXTS.file} · ${draft.reference}`, page) as [AppendedPage, ...AppendedPage[]];
}

function head({ draft, madeBy, madeAt }: RosFacts, width: number, { texts, time }: Wording): Block {
  return headed(TEXTS.title, [
    ...paragraphs(TEXTS.draft, width, ALARM),
    ...paragraphs(TEXTS.reserved, width, BOLD),
    labelled(TEXTS.number, draft.reference, width),
    labelled(TEXTS.entity, draft.reporting_entity, width),
    labelled(texts.case, draft.case_id, width),
    labelled(texts.drafted, texts.by(time(draft.drafted_at), draft.drafted_by), width),
    labelled(TEXTS.made, texts.by(time(madeAt), madeBy), width),
  ]);
}

function subject({ subject: about }: RosDraft, width: number, { texts, money }: Wording): Block {
  const rows: [string, string][] = [
    [texts.name, about.full_name ?? texts.unnamed],
    [texts.type, texts.types[about.type]],
    [texts.document, [about.document_type, about.document_number].filter(Boolean).join(' ')],
    [texts.birth, about.birth_date ?? ''],
    [texts.country, about.country_code ?? ''],
    [texts.amount, money(about)],
    [texts.reference, about.reference],
  ];
  return stacked(rows.filter(([, value]) => value !== '').map(([label, value]) => labelled(label, value, width)));
}

function detection({ detection: found }: RosDraft, width: number, { texts, time }: Wording): Block {
  const severities: Readonly<Record<string, string>> = texts.severities;
  return stacked([
    labelled(TEXTS.screened, time(found.screened_at), width),
    labelled(TEXTS.screening, found.screening_id, width),
    labelled(TEXTS.decision, severities[found.decision] ?? found.decision, width),
    labelled(TEXTS.score, String(found.score), width),
    labelled(TEXTS.rules, found.rules_fired.join(', ') || texts.noRules, width),
  ]);
}

function matches({ matches: found }: RosDraft, width: number, { texts, percent }: Wording): Block[] {
  if (found.length === 0) return paragraphs(TEXTS.noMatches, width);
  return found.map(({ list, entry_id, name, matched_name, score }) =>
    stacked([
      ...paragraphs(
        `${clipped(name)} · ${texts.lists[list]} ${entry_id} · ${texts.score(percent(score))}`,
        width,
        BOLD,
      ),
      ...(matched_name === name ? [] : paragraphs(clipped(matched_name), width, SOFT)),
    ]),
  );
}
