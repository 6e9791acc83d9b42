import { Button, Notice, useAnnounce, useRefusalShown } from '@constancia/web';
import type { FormEvent } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useCall } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { FileField } from '../../parts/file-field.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useFormResult } from '../../parts/use-form-result.ts';
import { useDeveloperText } from '../text/language.ts';
import { type Host, hostsOf, type ImportAnswer, importInto, importRest } from './hosts.ts';
import { Review } from './review.tsx';

interface Reviewed {
  file: Blob;
  hosts: Host[];
  /** Those that the member may not import. */
  left: Host[];
  answers: ImportAnswer[];
}

/** Shows what an archive would change, then imports it. `permitted`: the hosts that the member may import into. */
export function ImportCard({ permitted }: { permitted: readonly Host[] }) {
  const { words } = useDeveloperText();
  const { configuration } = words;
  const call = useCall();
  const announce = useAnnounce();
  const { busy, error, run, clear: clearError } = useAction();
  const { result, clear, begin, replace } = useFormResult<Reviewed | 'foreign'>();
  const isForeign = result === 'foreign';
  const reviewed = result === 'foreign' ? null : result;
  const card = useRefusalShown<HTMLElement>(isForeign ? result : error);

  const sent = (host: Host, file: Blob, dryRun: boolean): Promise<ImportAnswer> =>
    call((apis) => importInto(host, apis, file, dryRun), ...(dryRun ? [] : [[]]));
  const check = (file: Blob): Promise<void> =>
    run('check', async () => {
      const show = begin();
      const found = await hostsOf(file);
      if (found === null) return show('foreign');
      const hosts = found.filter((host) => permitted.includes(host));
      const left = found.filter((host) => !permitted.includes(host));
      const answers: ImportAnswer[] = [];
      for (const host of hosts) answers.push(await sent(host, file, true));
      show({ file, hosts, left, answers });
    });
  const apply = ({ file, hosts, left, answers }: Reviewed): Promise<void> =>
    run('apply', async () => {
      await importRest(
        hosts,
        answers,
        (host) => sent(host, file, false),
        (known) => replace({ file, hosts, left, answers: known }),
      );
      announce(configuration.imported);
    });
  const isDone = reviewed !== null && reviewed.answers.every(({ dry_run }) => !dry_run);
  const changes = reviewed?.answers.flatMap((answer) => answer.changes) ?? [];
  const isWork = changes.some(({ action }) => action === 'create' || action === 'update');
  return (
    <section ref={card} className="card">
      <h2>{configuration.importTitle}</h2>
      <p className="help">{configuration.importLead}</p>
      <form
        onChange={() => {
          clear();
          clearError();
        }}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault();
          void check(new FormData(event.currentTarget).get('file') as File);
        }}
      >
        <FileField
          name="file"
          label={configuration.archive}
          hint={configuration.archiveHint}
          accept=".zip,application/zip"
          required
        />
        <div className="actions small">
          <Button submit look={isWork ? 'secondary' : 'primary'} busy={busy === 'check'}>
            {configuration.check}
          </Button>
        </div>
      </form>
      {isForeign && <Notice tone="error">{configuration.foreign}</Notice>}
      {error !== null && <Failure error={error} problems={configuration.problems} />}
      {error instanceof ApiError && <Faults of={error} />}
      {reviewed !== null && (
        <>
          {reviewed.left.length > 0 && (
            <Notice tone="warning">
              {configuration.notImported(reviewed.left.map((host) => configuration.hosts[host]).join(', '))}
            </Notice>
          )}
          <Review answers={reviewed.answers} />
          {!isDone && isWork && (
            <div className="actions">
              <Button look="primary" busy={busy === 'apply'} onPress={() => void apply(reviewed)}>
                {configuration.apply}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

/** What is wrong with which file: in English, as the API says it. */
function Faults({ of: { faults } }: { of: ApiError }) {
  return (
    <ul className="links">
      {faults.map(({ pointer, code, detail }) => (
        <li key={`${pointer} ${code}`}>
          <code>{pointer}</code> <span lang="en">{detail}</span>
        </li>
      ))}
    </ul>
  );
}
