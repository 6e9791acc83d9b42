import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { sleep } from '@constancia/kernel';
import { freePort } from '@constancia/testing';
import type { HeldPayment } from '../oracle/topups.ts';

const PROGRAM = path.join(WORKSPACE, 'libs/dev-servers/src/payment-simulator/payment-simulator.mjs');
/** Of a callback that was not answered 2xx: what a provider stretches over four days. */
const SCHEDULE_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
const STARTS_WITHIN_MS = 20_000;

/** What goes wrong with callbacks; what is left out stays as it is. */
export interface CallbackFaults {
  duplicates: number;
  reorder: boolean;
  delay_ms: number;
  lose: boolean;
  forge: boolean;
  unit: 's' | 'ms';
  letter_case: 'received' | 'lower' | 'upper';
}

export const NO_FAULTS: CallbackFaults = { duplicates: 0, reorder: false, delay_ms: 0, lose: false, forge: false, unit: 's', letter_case: 'received' }; // prettier-ignore

export type Outcome = 'approve' | 'pending' | 'reject';
export type Action = 'confirm' | 'cancel' | 'dispute' | 'lose' | 'win' | 'refund';

/** The payment simulator as a process of the stage. It keeps what was paid in a file, so a kill costs it the callbacks that waited. */
export class PaymentProcess {
  private child: ChildProcess | undefined;
  private readonly secrets = {
    PAYMENT_ACCESS_TOKEN: randomBytes(16).toString('hex'),
    PAYMENT_WEBHOOK_SECRETS: randomBytes(16).toString('hex'),
  };

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<PaymentProcess> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-payments-'));
    const simulator = new PaymentProcess(folder, await freePort());
    await simulator.start();
    return simulator;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get running(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** What the platform has to know. @param url where it finds the simulator */
  environment(url: string): Record<string, string> {
    return { ...this.secrets, PAYMENT_PROVIDER_URL: url };
  }

  /** Every payment, as it is now: what the provider would show in its own accounts. */
  get payments(): HeldPayment[] {
    const text = fs.existsSync(this.file) ? fs.readFileSync(this.file, 'utf8') : '{"payments":[]}';
    return (JSON.parse(text) as { payments: HeldPayment[] }).payments;
  }

  /** How often callbacks had which outcome since the process began: a status, `lost`, or `forged: <status>`. */
  async outcomes(): Promise<Record<string, number>> {
    return (await (await fetch(`${this.url}/__callbacks`)).json()) as Record<string, number>;
  }

  async setFaults(faults: Partial<CallbackFaults>): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${this.url}/__faults`, { method: 'POST', headers, body: JSON.stringify(faults) });
    if (!response.ok) throw new Error(`the simulator answered ${response.status}: ${await response.text()}`);
  }

  /** A payer ends a checkout; answers the payment's id. An answer that was lost is asked for again: then it is paid twice. */
  async pay(preferenceId: string, outcome: Outcome, amount?: number): Promise<string | undefined> {
    const back = await this.post(`/checkout/${preferenceId}/${outcome}`, amount);
    return back === undefined ? undefined : (new URL(back).searchParams.get('payment_id') ?? undefined);
  }

  /** Changes a payment; what its state does not allow changes nothing. */
  async act(paymentId: string, action: Action, amount?: number): Promise<void> {
    await this.post(`/payments/${paymentId}/${action}`, amount);
  }

  async killAndRestart(): Promise<void> {
    await this.end('SIGKILL');
    await this.start();
  }

  async close(): Promise<void> {
    await this.end('SIGKILL');
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  private get file(): string {
    return path.join(this.folder, 'payments.json');
  }

  private async start(): Promise<void> {
    const args = ['--port', String(this.port), '--file', this.file, '--schedule', SCHEDULE_MS.join(',')];
    this.child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { PATH: process.env.PATH ?? '', ...this.secrets },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    for (const deadline = Date.now() + STARTS_WITHIN_MS; ; await sleep(50)) {
      const health = await fetch(`${this.url}/__health`).catch(() => undefined);
      if (health?.ok) return;
      if (!this.running || Date.now() > deadline) throw new Error('the payment simulator did not start');
    }
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.child || !this.running) return;
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    await exit;
  }

  /** As the form of a page does; answers where the browser is sent, undefined when the step is not possible. */
  private async post(where: string, amount?: number): Promise<string | undefined> {
    for (const deadline = Date.now() + STARTS_WITHIN_MS; ; await sleep(100)) {
      try {
        const response = await fetch(`${this.url}${where}`, {
          method: 'POST',
          redirect: 'manual',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(amount === undefined ? {} : { amount }),
        });
        await response.arrayBuffer();
        return response.headers.get('location') ?? undefined;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  }
}
