export const WORKSPACE: string;
export const FROM_NODE_MODULES: RegExp;
export function bundle(options: {
  entries: Record<string, string>;
  outDir: string;
  external?: (string | RegExp)[];
  lean?: boolean;
  compact?: boolean;
}): Promise<unknown>;
