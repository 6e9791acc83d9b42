import { State } from '@constancia/web';
import { useSigningText } from '../text/language.ts';
import type { DocumentRow } from './use-document.ts';

const KINDS = { pending: 'wait', signed: 'good', failed: 'bad' } as const;

export function DocumentStatus({ of: { status } }: { of: Pick<DocumentRow, 'status'> }) {
  const { words } = useSigningText();
  return <State kind={KINDS[status]}>{words.documents.statuses[status]}</State>;
}
