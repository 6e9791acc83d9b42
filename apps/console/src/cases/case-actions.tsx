import { Button, Field, Notice, useAnnounce, useFocusKept } from '@constancia/web';
import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { Failure } from '../parts/failure.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { textIn } from '../parts/text-in.ts';
import { useAction } from '../parts/use-action.ts';
import { useSecondPerson } from '../member/compliance-settings.ts';
import { useSignedIn } from '../member/member.tsx';
import { type ReadCase, useCaseChange } from './use-case.ts';
import { ResolveFields, resolutionOf } from './resolve-fields.tsx';
import { useCaseText } from './text/language.ts';
import { CaseEvents } from './timeline.tsx';

/** Assigning is done at once; everything else asks first. Files are attached beside those that are there. */
type Action = ReadCase['dossier']['allowed_actions'][number];

/** The buttons for what the case and the role of the reader allow now. */
export function CaseActions({ read }: { read: ReadCase }) {
  const { words } = useCaseText();
  const announce = useAnnounce();
  const { member } = useSignedIn().view;
  const change = useCaseChange();
  const [asked, setAsked] = useState<Action | null>(null);
  const { busy, error, run } = useAction();
  const { allowed_actions: allowed, assignee } = read.dossier;
  const isMine = assignee === member.name;
  const taking = assignee === null ? words.actions.assign : words.takeOver(assignee);
  const assigning = isMine ? words.actions.release : taking;
  const waits = useSecondPerson(read.dossier.list_hits);
  useFocusKept(allowed.join());

  const assign = (): Promise<void> =>
    run('assign', async () => {
      const body = { assignee: isMine ? null : member.name };
      await change(read, (compliance, params) => compliance.POST('/v1/cases/{id}/assign', { params, body }));
      announce(words.done);
    });

  return (
    <>
      {allowed
        .filter((action) => action !== 'attach')
        .map((action) => (
          <Button
            key={action}
            look={action === 'resolve' || action === 'confirm' ? 'primary' : 'secondary'}
            busy={busy === action}
            onPress={() => (action === 'assign' ? void assign() : setAsked(action))}
          >
            {action === 'assign' ? assigning : words.actions[action]}
          </Button>
        ))}
      {error !== null && <Failure error={error} />}
      {asked !== null && (
        <ActionDialog
          action={asked}
          read={read}
          waits={waits}
          onClose={() => setAsked(null)}
          onDone={() => announce(words.done)}
        />
      )}
    </>
  );
}

interface ActionDialogProps {
  action: Action;
  read: ReadCase;
  /** A decision has to be confirmed by a second person. */
  waits: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** The words of the button: with a second person a decision is a proposal. */
const submitOf = (action: Action, waits: boolean) => (action === 'resolve' && waits ? 'propose' : action);

/** Those that ask why. */
const REASONED: ReadonlySet<Action> = new Set<Action>(['escalate', 'return', 'reopen', 'withdraw']);

/** Is about the case as it was when it was opened. When somebody was faster it shows what is new, and the next press is about that. */
function ActionDialog({ action, read, waits, onClose, onDone }: ActionDialogProps) {
  const { words } = useCaseText();
  const change = useCaseChange();
  const [decidedOn, setDecidedOn] = useState(read);
  const [stale, setStale] = useState(false);
  const { proposal } = (stale ? read : decidedOn).dossier;
  const lastSeen = decidedOn.dossier.timeline.at(-1)?.seq ?? 0;
  const news = stale ? read.dossier.timeline.filter(({ seq }) => seq > lastSeen) : [];
  const send = async (form: FormData): Promise<void> => {
    const reason = textIn(form, 'reason');
    const basis = stale ? read : decidedOn;
    setDecidedOn(basis);
    setStale(false);
    await change(basis, (compliance, params) => {
      switch (action) {
        case 'comment':
          return compliance.POST('/v1/cases/{id}/comment', { params, body: { body: textIn(form, 'body') } });
        case 'escalate':
          return compliance.POST('/v1/cases/{id}/escalate', { params, body: { reason } });
        case 'resolve':
          return compliance.POST('/v1/cases/{id}/resolve', { params, body: resolutionOf(form) });
        case 'confirm':
          return compliance.POST('/v1/cases/{id}/confirm', { params });
        case 'return':
          return compliance.POST('/v1/cases/{id}/return', { params, body: { reason } });
        case 'withdraw':
          return compliance.POST('/v1/cases/{id}/withdraw', { params, body: reason === '' ? {} : { reason } });
        case 'reopen':
          return compliance.POST('/v1/cases/{id}/reopen', { params, body: { reason } });
        case 'assign':
        case 'attach':
          throw new Error(`${action} is not asked here`);
      }
    }).catch((failure: unknown) => {
      setStale(failure instanceof ApiError && failure.status === 409);
      throw failure;
    });
    onDone();
  };
  const lead =
    action === 'confirm' && proposal !== null
      ? [
          `${words.decisions[proposal.decision]}.`,
          words.confirmLead(proposal.proposed_by),
          proposal.decision === 'true_match' && words.trueMatchLead,
        ]
          .filter(Boolean)
          .join(' ')
      : undefined;
  return (
    <FormDialog
      title={words.actions[action]}
      lead={lead}
      submit={words.actions[submitOf(action, waits)]}
      onClose={onClose}
      onSubmit={(form) => send(form)}
    >
      {news.length > 0 && (
        <>
          <h3>{words.news}</h3>
          <CaseEvents events={news} />
        </>
      )}
      {action === 'comment' && <Field name="body" label={words.comment} lines={4} maxLength={4000} required />}
      {action === 'resolve' && (
        <>
          {waits && (
            <Notice tone="news">
              <p>{words.secondPerson}</p>
            </Notice>
          )}
          <ResolveFields hits={read.dossier.list_hits} />
        </>
      )}
      {REASONED.has(action) && (
        <Field
          name="reason"
          label={words.reason}
          hint={action === 'withdraw' ? words.withdrawHint : words.reasonHint}
          lines={4}
          maxLength={2000}
          required={action !== 'withdraw'}
        />
      )}
    </FormDialog>
  );
}
