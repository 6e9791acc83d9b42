export type KmsMode = 'ok' | '5xx' | 'throttle' | 'hang' | 'gone';
export interface DevKms {
  url: string;
  port: number;
  keyId: string;
  keyArn: string;
  calls(): number;
  setMode(mode: KmsMode): void;
  close(): Promise<void>;
}
export function startDevKms(options: {
  dir: string;
  port?: number;
  host?: string;
  callsPerSecond?: number;
  mode?: KmsMode;
}): Promise<DevKms>;
