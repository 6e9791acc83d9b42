export const WORKSPACE: string;
export function bundle(options: {
  entries: Record<string, string>;
  outDir: string;
  external?: (string | RegExp)[];
  lean?: boolean;
}): Promise<unknown>;
