import { embedPath, embedTokenIn } from '@constancia/contracts';
import type { Answer } from '@constancia/testing/calls';
import type { FlowCaller } from '../running-identity.fixture.ts';

/** The page of the tenant in these tests. */
export const SHOP = 'https://shop.example';

export interface CreatedEmbed {
  id: string;
  kind: string;
  target_id: string;
  state: string;
  expires_at: string;
  token: string;
  embed_url: string;
  errors?: { pointer: string; detail: string }[];
}

/** Creates an embed session of a flow session; without one, of a session that it opens. */
export async function createEmbed(
  flows: FlowCaller,
  body: Record<string, unknown> = {},
): Promise<Answer<CreatedEmbed>> {
  const target_id = body.target_id ?? (await flows.open()).id;
  return flows.platform.call('/v1/embed/sessions', {
    key: flows.tenant.apiKey,
    body: { kind: 'flow', target_id, allowed_origins: [SHOP], ...body },
  });
}

/** Registers the origins that may hold frames of a tenant. */
export function registerOrigins(flows: FlowCaller, origins: string[] = [SHOP]): Promise<Answer<{ origins: string[] }>> {
  const { id, apiKey: key } = flows.tenant;
  return flows.platform.call(`/tenants/${id}/embed-origins`, { method: 'PUT', key, body: { origins } });
}

/** The path of everything that a token reaches. */
export const pathIn = (embedUrl: string): string => embedPath(embedTokenIn(new URL(embedUrl).pathname) ?? '');
