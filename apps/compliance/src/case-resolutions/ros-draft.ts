import { createHash } from 'node:crypto';
import { bogotaDay, canonicalJson, typeId } from '@constancia/kernel';
import { moneyText } from '@constancia/reference-data/money-text';
import type { CaseHit } from '../case-records/noticed-screening.ts';
import type { Resolution, RosDraft } from '../case-records/review-case.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';

export interface RosFacts {
  actor: string;
  reportingEntity: string;
  resolution: Resolution;
  confirmed: CaseHit[];
  at: Date;
}

const LEGAL_BASIS = [
  'Estatuto Orgánico del Sistema Financiero, arts. 102 a 107',
  'Ley 526 de 1999, arts. 3, 4 y 9',
  'Ley 1121 de 2006, art. 20',
  'Circular Básica Jurídica de la Superintendencia Financiera, Parte I, Título IV, Capítulo IV (SARLAFT)',
];

/** Names in the account of the facts; all of them stand in `matches`. */
const MOST_NAMES = 100;

/** What only the reporting entity knows. */
const TO_COMPLETE = [
  'products',
  'period_of_the_operation',
  'city_and_department',
  'economic_activity',
  'related_persons',
  'supporting_documents',
];

/** The draft of a case whose match was confirmed. A case that was reopened keeps its reference. */
export function rosDraft(found: ReviewCase, facts: RosFacts): RosDraft {
  const reference = found.ros_reference ?? referenceOf(found.id, facts.at);
  return {
    reference,
    case_id: typeId('cas', found.id),
    drafted_at: facts.at.toISOString(),
    drafted_by: facts.actor,
    reporting_entity: facts.reportingEntity,
    subject: { ...found.subject, type: found.subject_type, reference: found.subject_ref },
    detection: {
      screening_id: typeId('scr', found.screening_id),
      screened_at: found.opened_at.toISOString(),
      decision: found.screening_decision,
      score: found.screening_score,
      rules_fired: found.rules_fired,
      list_versions: found.list_versions,
    },
    matches: facts.confirmed.map(({ list, entry_id, name, matched_name, score }) => {
      return { list, entry_id, name, matched_name, score };
    }),
    analyst_reason: facts.resolution.reason,
    narrative: narrativeOf(found, facts),
    legal_basis: LEGAL_BASIS,
    to_complete: TO_COMPLETE,
  };
}

/** SHA-256 of a draft's canonical JSON: what the timeline keeps of it. */
export function rosDraftHash(draft: RosDraft): string {
  return createHash('sha256').update(canonicalJson(draft)).digest('hex');
}

function referenceOf(caseId: string, at: Date): string {
  return `ROS-${bogotaDay(at).slice(0, 4)}-${typeId('cas', caseId).slice(-12).toUpperCase()}`;
}

function narrativeOf(found: ReviewCase, { confirmed, resolution, at }: RosFacts): RosDraft['narrative'] {
  const who = found.subject.full_name ?? found.subject_ref;
  const day = bogotaDay(found.opened_at);
  const more = confirmed.length > MOST_NAMES ? '; …' : '';
  const names =
    confirmed
      .slice(0, MOST_NAMES)
      .map(({ list, name }) => `${name} (${list})`)
      .join('; ') + more;
  const { amount, currency } = found.subject;
  const money = (language: string) => moneyText(amount ?? 0, currency, language);
  return {
    'es-CO':
      `El ${day} el sistema de control de listas y reglas SARLAFT alertó sobre ${who}. ` +
      (names ? `Se confirmó la coincidencia con: ${names}. ` : 'La operación se calificó como sospechosa. ') +
      (amount === undefined ? '' : `Valor de la operación: ${money('es-CO')}. `) +
      `Reglas activadas: ${found.rules_fired.join(', ') || 'ninguna'}. Análisis (${bogotaDay(at)}): ${resolution.reason}`,
    en:
      `On ${day} the SARLAFT list and rule controls raised an alert on ${who}. ` +
      (names ? `The match was confirmed with: ${names}. ` : 'The operation was found suspicious. ') +
      (amount === undefined ? '' : `Amount of the operation: ${money('en')}. `) +
      `Rules fired: ${found.rules_fired.join(', ') || 'none'}. Analysis (${bogotaDay(at)}): ${resolution.reason}`,
  };
}
