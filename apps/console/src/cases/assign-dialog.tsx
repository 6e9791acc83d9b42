import type { components } from '@constancia/sdk/generated/compliance';
import { Button, Dialog, Field, Notice, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import type { Apis } from '../api/apis.ts';
import { useMay, useSignedIn } from '../member/member.tsx';
import { useCall, useRecord } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import type { CaseRow } from './case-parts.tsx';
import { useCaseText } from './text/language.ts';

type Answer = components['schemas']['CaseAssignmentView'];

interface AssignDialogProps {
  /** As they were when they were chosen: what somebody changed since is left alone. */
  cases: readonly CaseRow[];
  /** `refused`: those that were not assigned. */
  onDone: (refused: ReadonlySet<string>) => void;
  onClose: () => void;
}

/** Gives the chosen cases to one person, or takes them from whoever has them; then says what became of each that was refused. */
export function AssignDialog({ cases, onDone, onClose }: AssignDialogProps) {
  const { words, number } = useCaseText();
  const announce = useAnnounce();
  const call = useCall();
  const people = useAssignees();
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
        announce(words.bulk.done(number(data.length - left.length)));
        onDone(new Set(left.map(({ case_id }) => case_id)));
        if (left.length === 0) return;
        setRefused(left);
        return 'open';
      }}
    >
      <Field name="assignee" label={words.assignee} options={people} />
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

/** Oneself first, then nobody, then those who have cases, and all members for whom may list them. */
function useAssignees(): [value: string, text: string][] {
  const { words } = useCaseText();
  const { member } = useSignedIn().view;
  const may = useMay();
  const stats = useRecord(['cases', 'stats'], ({ compliance }) => compliance.GET('/v1/cases/stats')).data;
  const names = new Set([
    ...Object.keys(stats?.by_assignee ?? {}),
    ...useMemberNames(may('members:write') || may('audit:read')),
  ]);
  names.delete(member.name);
  return [
    [member.name, words.bulk.me(member.name)],
    ['', words.nobody],
    ...[...names].sort((one, other) => one.localeCompare(other)).map((name): [string, string] => [name, name]),
  ];
}

const MEMBERS_SHOWN = 100;

function useMemberNames(mayList: boolean): string[] {
  const params = { query: { limit: MEMBERS_SHOWN, status: 'active' } } as const;
  const load = ({ platform }: Apis) => platform.GET('/v1/members', { params });
  const { data } = useRecord(['members', 'active'], load, undefined, mayList);
  return data?.data.map(({ name }) => name) ?? [];
}
