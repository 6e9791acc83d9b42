export interface ProcessIdentity {
  pid: number;
  started: string | null;
}
export function startTime(pid: number): string | null;
export function identityOf(pid: number): ProcessIdentity;
export function lives(identity: ProcessIdentity | null): boolean;
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): void;
export function gone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean>;
export function end(identity: ProcessIdentity, options: { ask?: NodeJS.Signals; patienceMs: number }): Promise<void>;
export function isFree(port: number): Promise<boolean>;
export function freePort(wanted: number): Promise<number>;
export function listensItself(pid: number, port: number): boolean;
export function holderOf(port: number): string;
