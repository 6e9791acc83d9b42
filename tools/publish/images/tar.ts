import { execFileSync } from 'node:child_process';

/**
 * Writes what lies in a folder as a tar that depends on names, contents and executable bits alone: sorted, of nobody in particular,
 * every time `epoch` (seconds since 1970). Needs GNU tar.
 */
export function packTar(folder: string, file: string, epoch: number, names: readonly string[]): void {
  const equal = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  execFileSync('tar', ['--create', '--file', file, '--format=ustar', ...equal, '--directory', folder, ...names]);
}

/** Compresses a file, without its name and time, into `<file>.gz`; the file goes away. */
export function gzip(file: string): string {
  execFileSync('gzip', ['--no-name', '-6', '--force', file]);
  return `${file}.gz`;
}

/** Unpacks a tar into a folder. */
export function unpackTar(file: string, folder: string): void {
  execFileSync('tar', ['--extract', '--file', file, '--directory', folder]);
}
