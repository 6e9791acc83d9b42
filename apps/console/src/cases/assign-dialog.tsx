import type { components } from '@constancia/sdk/generated/compliance';
import { Button, Dialog, Field, Notice, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useCall } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import type { CaseRow } from './case-parts.tsx';
import { useCaseText } from './text/language.ts';
import { useAssignees } from './use-assignees.ts';

type Answer = components['schemas']['CaseAssignmentView'];

interface AssignDialogProps {
  /** As they were when they were chosen: what somebody changed since is left alone. */
  cases: readonly CaseRow[];
  /** `refused`: those that were not assigned. */
  onDone: (refused: ReadonlySet<string>) => void;
  onClose: () => void;
}

/** Gives the chosen cases to one person, or to nobody; then says why each refused one was refused. */
export function AssignDialog({ cases, onDone, onClose }: AssignDialogProps) {
  const { words, number } = useCaseText();
  const announce = useAnnounce();
  const call = useCall();
  const { options, hint, failed } = useAssignees();
  const [refused, setRefused] = useState<readonly Answer[]>([]);
  if (refused.length > 0) return <Refused {...{ cases, refused, onClose }} />;
  return (
    <FormDialog
      title={words.bulk.title(number(cases.length))}
      lead={words.bulk.lead}
      submit={words.bulk.submit}
      onClose={onClose}
      onSubmit={async (form) => {
        const body = {
          assignee: String(form.get('assignee')) || null,
          case_ids: cases.map(({ id }) => id),
          etags: cases.map(({ etag }) => etag),
        };
        const { data } = await call(({ compliance }) => compliance.POST('/v1/cases/assignments', { body }), ['cases']);
        const left = data.filter(({ problem }) => problem !== null);
        announce(words.bulk.done(data.length - left.length, number(data.length - left.length)));
        onDone(new Set(left.map(({ case_id }) => case_id)));
        if (left.length === 0) return;
        setRefused(left);
        return 'open';
      }}
    >
      {failed !== undefined && <Failure error={failed.error} onAgain={() => void failed.refetch()} />}
      <Field name="assignee" label={words.assignee} hint={hint} options={options} />
    </FormDialog>
  );
}

interface RefusedProps {
  cases: readonly CaseRow[];
  refused: readonly Answer[];
  onClose: () => void;
}

function Refused({ cases, refused, onClose }: RefusedProps) {
  const { words, number } = useCaseText();
  return (
    <Dialog title={words.bulk.refusedTitle} onClose={onClose}>
      <Notice tone="warning">{words.bulk.refused(number(refused.length), number(cases.length))}</Notice>
      <ul className="links">
        {refused.map(({ case_id: id, problem }) => {
          const { subject_name, subject_ref } = cases.find((one) => one.id === id) ?? {};
          return (
            <li key={id}>
              <strong>{subject_name ?? words.unnamed}</strong> <small>{subject_ref}</small>{' '}
              {words.bulk.problems[problem ?? 'conflict']}
            </li>
          );
        })}
      </ul>
      <div className="actions">
        <Button look="primary" onPress={onClose}>
          {words.bulk.close}
        </Button>
      </div>
    </Dialog>
  );
}
