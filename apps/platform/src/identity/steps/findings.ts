import type { DocumentStepResult, FaceStepResult } from '@constancia/contracts';
import type { PersonalData } from '../subjects/subject.ts';
import type { SessionColumns } from '../sessions/session-row.ts';
import type { SarlaftResult } from '../compliance/compliance-results.ts';
import type { RunType } from '../sessions/step-run.entity.ts';

/** What a run found, as it is kept: answers for the session's context, what the subject's record learns, columns of the session. */
export interface Findings {
  answers: Record<string, unknown>;
  learned: Partial<PersonalData>;
  columns: SessionColumns;
}

/** Reads the opened result of a run; null when there is none (the engine failed, or the subject was erased). */
export function findingsOf(type: RunType, result: unknown): Findings {
  if (result === null) return { answers: {}, learned: {}, columns: {} };
  switch (type) {
    case 'document':
      return ofDocument(result as DocumentStepResult);
    case 'face':
      return ofFace(result as FaceStepResult);
    case 'sarlaft':
      return ofScreening(result as SarlaftResult);
  }
}

function ofDocument({ kind, fields, name_trusted, reasons }: DocumentStepResult): Findings {
  const { surnames, given_names, birth_date } = fields;
  const names = [given_names?.value, surnames?.value].filter((name) => name !== undefined && name !== '');
  return {
    answers: {
      kind,
      fields: Object.fromEntries(
        Object.entries(fields).map(([name, { value, source, confidence, trusted }]) => [
          name,
          { value, source, confidence, trusted },
        ]),
      ),
      name_trusted,
      reasons,
    },
    learned: {
      ...(names.length > 0 && { fullName: names.join(' ') }),
      ...(birth_date && { birthDate: birth_date.value }),
    },
    columns: {},
  };
}

function ofFace({ score, liveness, reasons }: FaceStepResult): Findings {
  return { answers: { score, liveness, reasons }, learned: {}, columns: {} };
}

function ofScreening({ screening_id, case_id, decision, list_hits }: SarlaftResult): Findings {
  return { answers: { decision, screening_id, case_id }, learned: {}, columns: { screening_id, case_id, list_hits } };
}
