export interface Flags {
  detach: boolean;
  check: boolean;
  fresh: boolean;
  help: boolean;
  portBase: number | null;
}
export const USAGE: string;
export function readFlags(args: string[]): Flags;
