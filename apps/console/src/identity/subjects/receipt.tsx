import type { components } from '@constancia/sdk/generated/platform';
import { Facts, Notice, State } from '@constancia/web';
import { getRouteApi } from '@tanstack/react-router';
import { useRecord } from '../../member/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useIdentityText } from '../text/language.ts';

type ErasureReceipt = components['schemas']['ErasureReceiptView'];

const route = getRouteApi('/identity/erasures/$id');

const isPending = ({ modules }: ErasureReceipt): boolean => modules.some(({ status }) => status === 'pending');

/** What each module erased and kept. Modules that have not answered are asked about again for two minutes. */
export function Receipt() {
  const { words, clock } = useIdentityText();
  const { id } = route.useParams();
  const query = useRecord(
    ['erasures', id],
    ({ platform }) => platform.GET('/v1/erasures/{receipt_id}', { params: { path: { receipt_id: id } } }),
    { while: isPending, everyMs: 3_000, times: 40 },
  );
  return (
    <>
      <PageHead title={words.erasure.title} of={id} />
      <Loaded query={query}>
        {(receipt) => (
          <>
            <Facts
              pairs={[
                [words.erasure.at, clock(receipt.erased_at)],
                [words.erasure.hold, receipt.legal_hold ? words.erasure.holds : words.erasure.noHold],
                [words.erasure.receipt, <code key="id">{receipt.receipt_id}</code>],
                [words.subject.one, <code key="subject">{receipt.subject_id}</code>],
              ]}
            />
            {isPending(receipt) && <Notice tone="news">{words.erasure.pending}</Notice>}
            {receipt.modules.map((module) => (
              <ModuleErasure key={module.module} of={module} />
            ))}
            <p className="help">{words.erasure.notCovered}</p>
          </>
        )}
      </Loaded>
    </>
  );
}

function ModuleErasure({
  of: { module, status, erased, kept, legal_basis, kept_until },
}: {
  of: ErasureReceipt['modules'][number];
}) {
  const { words, clock } = useIdentityText();
  const basis = module === 'identity' && kept_until !== null ? 'held' : module;
  const listed = (codes: readonly string[]): string =>
    codes.map((code) => words.erasable[code] ?? code).join(', ') || words.erasure.nothing;
  return (
    <section className="card">
      <h2>
        {words.erasure.modules[module]}{' '}
        <State kind={status === 'done' ? 'good' : 'wait'}>{words.erasure.statuses[status]}</State>
      </h2>
      {status === 'done' && (
        <Facts
          pairs={[
            [words.erasure.erased, listed(erased)],
            [words.erasure.kept, listed(kept)],
            ...(legal_basis === null ? [] : [[words.erasure.basis, words.bases[basis]] as const]),
            ...(kept_until === null ? [] : [[words.erasure.until, clock(kept_until)] as const]),
          ]}
        />
      )}
    </section>
  );
}
