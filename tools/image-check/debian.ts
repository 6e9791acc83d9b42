import fs from 'node:fs';
import { CheckFailed, command } from './command.ts';

/** The Debian that this machine's Node was linked for. */
export function codename(): string {
  const name = /^VERSION_CODENAME=(\w+)$/m.exec(fs.readFileSync('/etc/os-release', 'utf8'))?.[1];
  if (name === undefined) throw new CheckFailed('This is no Debian: /etc/os-release names no VERSION_CODENAME.');
  return name;
}

/**
 * Writes Debian's smallest root file system, with what Node needs, as a tar. No file in it is newer than `epoch` (seconds since 1970):
 * the same packages give the same bytes.
 */
export async function debianRootFs(file: string, epoch: number): Promise<void> {
  const args = [
    '--variant=minbase',
    '--include=libstdc++6,ca-certificates',
    '--dpkgopt=path-exclude=/usr/share/doc/*',
    '--dpkgopt=path-exclude=/usr/share/man/*',
    '--dpkgopt=path-exclude=/usr/share/locale/*',
    codename(),
    file,
  ];
  await command('mmdebstrap', args, { env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } });
}
