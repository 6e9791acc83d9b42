import { beforeId, type OrderedPageQuery, page, type Principal } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { MemberSession } from './member-session.entity.ts';
import { type MemberSessionPage, MemberSessionView } from './member-view.ts';

/** A page of the sessions of a member that have not ended. */
export async function sessionsOf(
  tx: Tx,
  principal: Principal,
  memberId: string,
  query: OrderedPageQuery,
): Promise<MemberSessionPage> {
  const rows = await tx.query<MemberSession>(
    `select * from platform.member_session
      where tenant_id = $1 and member_id = $2 and ($3::uuid is null or id ${query.order === 'asc' ? '>' : '<'} $3)
        and expires_at > now() and last_used_at > now() - interval '30 minutes'
      order by id ${query.order} limit $4`,
    [principal.tenant.id, memberId, beforeId(query) ?? null, query.limit + 1],
  );
  const { data, next_cursor } = page(rows, query.limit, ({ id }) => [id]);
  return { data: data.map((row) => MemberSessionView.of(row, principal.sessionId)), next_cursor };
}

/** Ends a session of a member. Throws NotFound, for another member's too. */
export async function endSession(tx: Tx, memberId: string, sessionId: string): Promise<void> {
  const uuid = uuidOf('mss', sessionId);
  const { affected } =
    uuid === null ? { affected: 0 } : await tx.manager.delete(MemberSession, { id: uuid, member_id: memberId });
  if (affected !== 1) throw new NotFound('No such session.');
}
