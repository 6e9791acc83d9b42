export const FIRST_SCRIPT_LIMIT_KB: number;
export function buildPages(outDir: string): Promise<{ firstScriptKb: Record<string, number> }>;
