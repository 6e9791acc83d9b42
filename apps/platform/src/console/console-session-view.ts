import { typeId } from '@constancia/kernel';
import { type ConsoleSession, SESSION } from './console-sessions.ts';

/** A session as the console's page sees it: who is signed in, where, how and for how long. */
export function consoleSessionView(session: ConsoleSession): object {
  return {
    member: { id: typeId('mbr', session.member_id), name: session.name, email: session.email, role: session.role },
    tenant: {
      id: session.tenant_id,
      slug: session.slug,
      name: session.display_name,
      environment: session.environment,
    },
    session: {
      id: typeId('mss', session.id),
      method: session.method,
      access: session.access,
      created_at: session.created_at.toISOString(),
      expires_at: session.expires_at.toISOString(),
      idle_expires_at: new Date(
        Math.min(session.last_used_at.getTime() + SESSION.idleSeconds * 1000, session.expires_at.getTime()),
      ).toISOString(),
    },
  };
}
