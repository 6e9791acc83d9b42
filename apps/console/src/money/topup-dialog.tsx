import type { components } from '@constancia/sdk/generated/platform';
import { Button, Facts, Field, Notice } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall, useRecord } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useMay, useSignedIn } from '../member/member.tsx';
import { useMoneyText } from './text/language.ts';

type Quote = components['schemas']['QuoteView'];
type Bundle = components['schemas']['BundleView'];

const LEAST_COP = 20_000;
const MOST_COP = 50_000_000;

interface Order {
  amount_cop: number;
  bundle?: string;
}

/** For whom may top up: the dialog that begins a top-up. */
export function TopUpButton() {
  const { words } = useMoneyText();
  const may = useMay();
  const [open, setOpen] = useState(false);
  return (
    may('billing:topup') && (
      <>
        <Button look="primary" onPress={() => setOpen(true)}>
          {words.topups.create}
        </Button>
        {open && <TopUpDialog onClose={() => setOpen(false)} />}
      </>
    )
  );
}

/** First what to pay, then what it buys; the way to the payment is on the page of the top-up. */
function TopUpDialog({ onClose }: { onClose: () => void }) {
  const { words, pesos } = useMoneyText();
  const { environment } = useSignedIn().view.tenant;
  const call = useCall();
  const [order, setOrder] = useState<Order>({ amount_cop: LEAST_COP });
  const [quote, setQuote] = useState<Quote | null>(null);

  const bundles = useRecord(['bundles'], ({ platform }) => platform.GET('/v1/billing/bundles')).data?.data ?? [];
  const least = bundles.find(({ code }) => code === order.bundle)?.min_amount_cop ?? 0;

  if (quote !== null) return <ConfirmDialog {...{ order, quote, onClose }} onBack={() => setQuote(null)} />;
  return (
    <FormDialog
      key="order"
      title={words.topups.createTitle}
      lead={environment === 'sandbox' ? words.topups.sandbox : undefined}
      submit={words.topups.quote}
      faults={order.amount_cop < least ? { out_of_range: words.topups.bundleLeast(pesos(least)) } : undefined}
      onClose={onClose}
      onSubmit={async (form) => {
        const bundle = String(form.get('bundle') ?? '');
        const next = { amount_cop: Number(form.get('amount_cop')), ...(bundle !== '' && { bundle }) };
        const params = { query: next };
        setOrder(next);
        setQuote(await call(({ platform }) => platform.GET('/v1/billing/quote', { params })));
        return 'open';
      }}
    >
      <Field
        name="amount_cop"
        type="number"
        min={LEAST_COP}
        max={MOST_COP}
        label={words.topups.amount}
        hint={words.topups.amountHint}
        defaultValue={order.amount_cop}
        required
      />
      <BundleField of={bundles} chosen={order.bundle} />
    </FormDialog>
  );
}

function BundleField({ of: bundles, chosen }: { of: readonly Bundle[]; chosen: string | undefined }) {
  const { words, number, pesos } = useMoneyText();
  if (bundles.length === 0) return null;
  return (
    <Field
      name="bundle"
      label={words.topups.bundle}
      hint={words.topups.bundleHint}
      defaultValue={chosen ?? ''}
      options={[
        ['', words.topups.noBundle],
        ...bundles.map(({ code, bonus_percent: percent, min_amount_cop: least }) => {
          return [code, words.topups.bundleOf(code, number(percent), pesos(least))] as const;
        }),
      ]}
    />
  );
}

interface ConfirmProps {
  order: Order;
  quote: Quote;
  onClose: () => void;
  onBack: () => void;
}

function ConfirmDialog({ order, quote, onClose, onBack }: ConfirmProps) {
  const { words, number, pesos, period } = useMoneyText();
  const navigate = useNavigate();
  const call = useCall();
  return (
    <FormDialog
      key="confirm"
      title={words.topups.quoteTitle}
      submit={words.topups.pay}
      onClose={onClose}
      onSubmit={async (_form, idempotencyKey) => {
        const params = { header: { 'Idempotency-Key': idempotencyKey } };
        const { id } = await call(
          ({ platform }) => platform.POST('/v1/billing/topup', { params, body: order }),
          ['topups'],
        );
        await navigate({ to: '/money/topups/$id', params: { id } });
      }}
    >
      {quote.trm_source === 'embedded' && <Notice tone="news">{words.topups.embedded}</Notice>}
      <Facts
        pairs={[
          [words.topups.pays, pesos(quote.amount_cop)],
          [words.topups.gets, <strong key="gets">{words.credits(number(quote.amount_credits))}</strong>],
          ...(quote.bonus_credits === 0
            ? []
            : [[words.topups.bonus, words.credits(number(quote.bonus_credits))] as const]),
          [words.topups.rate, words.topups.rateOf(number(Number(quote.trm_used)), period(quote.trm_valid_for))],
        ]}
      />
      <Button look="quiet" onPress={onBack}>
        {words.topups.change}
      </Button>
    </FormDialog>
  );
}
