import type { ReplayRunRow } from '@constancia/operations';
import { State } from '@constancia/web';
import { useText } from '../text/language.ts';

const KINDS = { running: 'wait', completed: 'good', cancelled: 'bad' } as const;

export function RunStatus({ run }: { run: ReplayRunRow }) {
  const { text } = useText();
  return <State kind={KINDS[run.status]}>{run.dry_run ? text.dryRun : text.runStatuses[run.status]}</State>;
}
