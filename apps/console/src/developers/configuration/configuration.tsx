import { Button, useAnnounce } from '@constancia/web';
import { useMay } from '../../member/member.tsx';
import { useCall } from '../../member/queries.ts';
import { bogotaDay } from '../../text/bogota-days.ts';
import { Failure } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useAction } from '../../parts/use-action.ts';
import { useDeveloperText } from '../text/language.ts';
import { exportOf, HOSTS, joined, READS, WRITES } from './hosts.ts';
import { ImportCard } from './import-card.tsx';

/** Exports the configuration of the tenant, and imports that of another one. */
export function Configuration() {
  const { words } = useDeveloperText();
  const may = useMay();
  const mayImport = HOSTS.filter((host) => WRITES[host].every(may));
  return (
    <>
      <PageHead title={words.configuration.title} lead={words.configuration.lead} />
      <ExportCard />
      {mayImport.length > 0 && <ImportCard permitted={mayImport} />}
    </>
  );
}

function ExportCard() {
  const { words } = useDeveloperText();
  const { configuration } = words;
  const may = useMay();
  const call = useCall();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const permitted = HOSTS.filter((host) => READS[host].every(may));
  const left = HOSTS.filter((host) => !permitted.includes(host));
  const download = (): Promise<void> =>
    run('export', async () => {
      const archives: Blob[] = [];
      for (const host of permitted) archives.push(await call((apis) => exportOf(host, apis)));
      saveFile(`${configuration.file}-${bogotaDay()}.zip`, await joined(archives));
      announce(configuration.exported);
    });
  return (
    <section className="card">
      <h2>{configuration.exportTitle}</h2>
      <p className="help">{configuration.exportLead}</p>
      {left.length > 0 && <p>{configuration.notExported(left.map((host) => configuration.hosts[host]).join(', '))}</p>}
      {error !== null && <Failure error={error} />}
      <div className="actions small">
        <Button busy={busy !== null} disabled={permitted.length === 0} onPress={() => void download()}>
          {configuration.export}
        </Button>
      </div>
    </section>
  );
}
