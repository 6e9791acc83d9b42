import { Field, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useCall } from '../member/queries.ts';
import { momentsOf } from '../text/bogota-days.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { typeOptions } from './delivery-filter.tsx';
import { useEndpointOptions } from './endpoint-names.tsx';
import { useDeveloperText } from './text/language.ts';

interface ReplayDialogProps {
  /** Of the list behind the dialog. */
  filter: { status?: string; event_type?: string; endpoint_id?: string };
  /** Called with the id of the replay run. */
  onReplay: (runId: string) => void;
  onClose: () => void;
}

interface Selection {
  status: [Replayed];
  event_type?: string;
  endpoint_id?: string;
  from?: string;
  to?: string;
}

type Replayed = 'failed' | 'pending';

/** Sends deliveries again that failed, or that wait for their next attempt: first it counts them, then it asks. */
export function ReplayDialog({ filter, onReplay, onClose }: ReplayDialogProps) {
  const { text, words, number } = useDeveloperText();
  const announce = useAnnounce();
  const call = useCall();
  const endpoints = useEndpointOptions(text.all, filter.endpoint_id);
  const [counted, setCounted] = useState<{ selection: Selection; matched: number } | null>(null);

  const run = (selection: Selection, dry_run: boolean) =>
    call(
      ({ platform }) => platform.POST('/webhook-deliveries/replays', { body: { ...selection, dry_run } }),
      ['deliveries'],
    );

  if (counted === null || counted.matched === 0) {
    return (
      <FormDialog
        key="count"
        technical
        title={words.deliveries.replayMany}
        lead={counted === null ? words.deliveries.replayManyLead : words.deliveries.nothingMatches}
        submit={words.deliveries.count}
        onClose={onClose}
        onSubmit={async (form) => {
          const selection = selectionOf(form);
          const { matched } = await run(selection, true);
          setCounted({ selection, matched });
          return 'open';
        }}
      >
        <Field
          name="status"
          label={words.deliveries.which}
          options={Object.entries(words.deliveries.replayable)}
          defaultValue={filter.status === 'pending' ? 'pending' : 'failed'}
        />
        <Field
          name="event_type"
          label={words.deliveries.event}
          options={typeOptions(text.all)}
          defaultValue={filter.event_type}
        />
        <Field
          name="endpoint_id"
          label={words.deliveries.endpoint}
          options={endpoints}
          defaultValue={filter.endpoint_id}
        />
        <Field name="from" type="date" label={words.deliveries.from} />
        <Field name="to" type="date" label={words.deliveries.to} />
      </FormDialog>
    );
  }
  return (
    <FormDialog
      key="replay"
      technical
      title={words.deliveries.replayMany}
      lead={words.deliveries.matched(number(counted.matched))}
      submit={words.deliveries.replayNow(number(counted.matched))}
      onClose={onClose}
      onSubmit={async () => {
        const { id, matched } = await run(counted.selection, false);
        onReplay(id);
        announce(words.deliveries.replaying(number(matched)));
      }}
    />
  );
}

function selectionOf(form: FormData): Selection {
  const given = [...form].map(([name, value]) => [name, String(value).trim()] as const);
  const { status, ...selection } = Object.fromEntries(given.filter(([, value]) => value !== ''));
  return { ...selection, status: [status as Replayed], ...momentsOf(selection) };
}
