import {
  type ComplianceClient, createComplianceClient, createPlatformClient, createSigningClient, type PlatformClient,
  type SigningClient,
} from '@constancia/sdk'; // prettier-ignore

/** What stack.json says of the running stack, as far as the month needs it. */
export interface StackFile {
  base_url: string;
  compliance_url: string;
  signing_url: string;
  console_url: string;
  payments_url?: string;
  receiver_url: string;
  tenant: { tenant_id: string; slug: string; api_key: string };
}

/** The demo tenant as its systems see it. */
export interface Shop {
  stack: StackFile;
  platform: PlatformClient;
  compliance: ComplianceClient;
  signing: SigningClient;
}

export function openShop(stack: StackFile): Shop {
  const { api_key: apiKey } = stack.tenant;
  return {
    stack,
    platform: createPlatformClient({ baseUrl: stack.base_url, apiKey }),
    compliance: createComplianceClient({ baseUrl: stack.compliance_url, apiKey }),
    signing: createSigningClient({ baseUrl: stack.signing_url, apiKey }),
  };
}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** What was answered. @throws Error with the answer's own sentence when it was refused */
export async function answered<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (response.ok) return data as Data;
  const problem = error as { title?: string; detail?: string; errors?: unknown } | undefined;
  const path = new URL(response.url).pathname;
  throw new Error(`${path} answered ${response.status}: ${problem?.detail ?? problem?.title ?? 'no problem document'}`);
}

/** Asks until there is an answer. @throws Error when there is none in time */
export async function until<Found>(what: string, find: () => Promise<Found | undefined>, timeoutMs = 20_000) {
  for (const deadline = Date.now() + timeoutMs; ; await new Promise((resolve) => setTimeout(resolve, 150))) {
    const found = await find();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`${what} takes longer than ${timeoutMs / 1000} s`);
  }
}
