export function childProgramsFromSources(): void;
export function childProgramFile(name: string): Promise<string>;
