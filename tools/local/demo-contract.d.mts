export const CONTRACT_PLACEHOLDERS: { key: string; page: number; x: number; y: number; size: number }[];
export const CONTRACT_VALUES: Record<string, string>;
export function demoContract(): Buffer;
