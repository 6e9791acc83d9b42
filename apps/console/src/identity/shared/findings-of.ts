import type { Session } from './use-session.ts';

/** What the API says of a step in the context of a session: findings.ts of the platform. A step that was skipped has none of it. */
export interface Answers {
  consent?: { accepted_at?: string; skipped?: boolean };
  document_upload?: {
    kind?: string | null;
    fields?: Record<string, { value: string; source: string; trusted: boolean }>;
    reasons?: string[];
    skipped?: boolean;
  };
  face_match?: {
    score?: number | null;
    liveness?: {
      passed: boolean | null;
      evidence?: ('selfie' | 'frames' | 'challenge')[];
      passive?: { decision: 'live' | 'suspected' | 'undetermined' } | null;
    };
    reasons?: string[];
    skipped?: boolean;
  };
  sarlaft?: { decision?: 'approve' | 'review' | 'reject'; case_id?: string | null; skipped?: boolean };
}

export const answersOf = ({ context }: Session): Answers => context as Answers;

/** Why a person has to look, as stable words: what document and face were flagged for. */
export function flagsOf(session: Session): string[] {
  const { document_upload, face_match } = answersOf(session);
  return [...(document_upload?.reasons ?? []), ...(face_match?.reasons ?? [])];
}
