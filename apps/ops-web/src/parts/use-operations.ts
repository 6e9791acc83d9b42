import { operations } from '@constancia/operations';
import { type FieldProps, useAnnounce, type Values } from '@constancia/web';
import { useOps } from '../ops.tsx';
import { useText } from '../text/language.ts';

type OperationName =
  | 'replayDelivery'
  | 'resumeEndpoint'
  | 'pauseEndpoint'
  | 'wakeDeliveries'
  | 'suspendTenant'
  | 'resumeTenant'
  | 'grantCredits'
  | 'approveGrant'
  | 'withdrawGrant'
  | 'cancelReplay'
  | 'resumeReplay';

/** What operators do: each asks for a reason, does it, loads the view again and says what was done. */
export function useOperations() {
  const { session, reload, ask, attempt } = useOps();
  const { text, number, clock } = useText();
  const announce = useAnnounce();

  const doAfterAsking = (
    name: OperationName,
    work: (values: Values & { reason: string }) => Promise<string>,
    fields?: readonly FieldProps[],
  ): void =>
    attempt(async () => {
      const values = await ask({ ...text.operations[name], fields });
      if (values === null) return;
      const done = await work({ ...values, reason: values.reason ?? '' });
      reload();
      announce(done);
    });

  const ownersMessage = [{ name: 'message', label: text.ownersMessage, hint: text.ownersMessageHint }];

  return {
    replayDelivery: (id: string) =>
      doAfterAsking('replayDelivery', async ({ reason }) => {
        await session.send(operations.replayDelivery(id, { reason }));
        return text.queuedAgain(id);
      }),
    resumeEndpoint: (id: string) =>
      doAfterAsking('resumeEndpoint', async ({ reason }) => {
        await session.send(operations.resumeEndpoint(id, { reason }));
        return text.endpointResumed(id);
      }),
    pauseEndpoint: (id: string) => {
      const minutes = { type: 'number', min: 1, max: 10_080, defaultValue: 60, required: true };
      const fields = [{ name: 'minutes', label: text.minutes, ...minutes }];
      const pause = async (values: Values & { reason: string }): Promise<string> => {
        const body = { reason: values.reason, minutes: Number(values.minutes) };
        const { paused_until: until } = await session.send(operations.pauseEndpoint(id, body));
        return text.endpointPaused(id, clock(until));
      };
      doAfterAsking('pauseEndpoint', pause, fields);
    },
    wakeDeliveries: () =>
      doAfterAsking('wakeDeliveries', async ({ reason }) => {
        const { hinted } = await session.send(operations.wakeDeliveries({ reason }));
        return text.deliveriesWoken(number(hinted));
      }),
    suspendTenant: (slug: string) =>
      doAfterAsking(
        'suspendTenant',
        async ({ reason, message }) => {
          const { standing_since: since } = await session.send(operations.suspendTenant(slug, { reason, message }));
          return text.tenantSuspended(slug, clock(since));
        },
        ownersMessage,
      ),
    resumeTenant: (slug: string) =>
      doAfterAsking(
        'resumeTenant',
        async ({ reason, message }) => {
          await session.send(operations.resumeTenant(slug, { reason, message }));
          return text.tenantResumed(slug);
        },
        ownersMessage,
      ),
    grantCredits: (slug: string) => {
      const fields = [
        { name: 'credits', label: text.credits, type: 'number', min: 1, max: 10_000_000, required: true },
        { name: 'reference', label: text.reference, hint: text.referenceHint, required: true },
      ];
      const grant = async ({ credits, reference = '', reason }: Values & { reason: string }): Promise<string> => {
        const body = { credits: Number(credits), reference, reason };
        const { pending, balance } = await session.send(operations.grantCredits(slug, body));
        return pending === undefined
          ? text.granted(slug, number(balance.available))
          : text.grantWaits(clock(pending.expires_at));
      };
      doAfterAsking('grantCredits', grant, fields);
    },
    approveGrant: (id: string) =>
      doAfterAsking('approveGrant', async ({ reason }) => {
        const { balance } = await session.send(operations.approveGrant(id, { reason }));
        return text.grantApproved(number(balance.available));
      }),
    withdrawGrant: (id: string) =>
      doAfterAsking('withdrawGrant', async ({ reason }) => {
        await session.send(operations.withdrawGrant(id, { reason }));
        return text.grantWithdrawn;
      }),
    cancelReplay: (id: string) =>
      doAfterAsking('cancelReplay', async ({ reason }) => {
        await session.send(operations.cancelReplay(id, { reason }));
        return text.runCancelled;
      }),
    resumeReplay: (id: string) =>
      doAfterAsking('resumeReplay', async ({ reason }) => {
        await session.send(operations.resumeReplay(id, { reason }));
        return text.runResumed;
      }),
  };
}
