export function rolePassword(secret: string, role: string): string;
