export class PostgresProblem extends Error {}
export function reachableDataFolder(wanted: string): string;
export function stopOrphan(dataDir: string): Promise<boolean>;
export interface PostgresServer {
  url: string;
  pid: number;
  exited: Promise<number | null>;
  stop(): Promise<void>;
}
export function startPostgres(options: {
  dataDir: string;
  port: number;
  password: string;
  logFile: string;
  durable?: boolean;
  maxConnections?: number;
  native?: string;
}): Promise<PostgresServer>;
