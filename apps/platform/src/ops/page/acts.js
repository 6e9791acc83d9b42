/** What is done to a delivery or an endpoint: asked for with a reason, carried out, drawn and told. */
import { post } from './api.js';
import { ask } from './elements.js';
import { again, tell } from './looking.js';
import { clock, figure, t } from './words.js';

/** Asks why; null when the reader thinks better of it. `fields` stand before the reason. */
function askWhy(act, fields = []) {
  return ask({
    title: t(act),
    text: t(`${act}About`),
    fields: [...fields, { name: 'reason', label: t('reason'), hint: t('reasonHint'), required: true }],
    confirm: t(act),
    cancel: t('cancel'),
  });
}

/** Draws the view again, then says what was done. */
function afterwards(sentence) {
  again();
  tell(sentence);
}

export async function replayOne(id) {
  const values = await askWhy('replayOne');
  if (values === null) return;
  await post(`/ops/deliveries/${id}/replay`, values);
  afterwards(t('inLine', { id }));
}

/** Ends the pause or the disabling of an endpoint. */
export async function resumeEndpoint(id) {
  const values = await askWhy('resume');
  if (values === null) return;
  await post(`/ops/endpoints/${id}/resume`, values);
  afterwards(t('resumed', { id }));
}

/** Wakes all due deliveries. */
export async function kickOutbox() {
  const values = await askWhy('kick');
  if (values === null) return;
  const { hinted } = await post('/ops/outbox/kick', values);
  tell(t('kicked', { count: figure(hinted) }));
}

/** Gives credits to a tenant; many of them wait for a second operator. */
export async function grantCredits(slug) {
  const fields = [
    { name: 'credits', label: t('credits'), type: 'number', min: 1, max: 10_000_000, required: true },
    { name: 'reference', label: t('reference'), hint: t('referenceHint'), required: true },
  ];
  const values = await askWhy('grant', fields);
  if (values === null) return;
  const path = `/ops/tenants/${encodeURIComponent(slug)}/grants`;
  const { pending, balance } = await post(path, { ...values, credits: Number(values.credits) });
  const sentence = pending
    ? t('grantWaits', { until: clock(pending.expires_at) })
    : t('granted', { slug, credits: figure(balance.available) });
  afterwards(sentence);
}

export async function approveGrant(id) {
  const values = await askWhy('approveGrant');
  if (values === null) return;
  const { balance } = await post(`/ops/grants/${id}/approve`, values);
  afterwards(t('approved', { credits: figure(balance.available) }));
}

export async function withdrawGrant(id) {
  const values = await askWhy('withdrawGrant');
  if (values === null) return;
  await post(`/ops/grants/${id}/withdraw`, values);
  afterwards(t('withdrawn'));
}

/** Cancels a replay run, or lets it go on. */
export async function turnRun(path, what) {
  const values = await askWhy(what === 'cancel' ? 'cancelRun' : 'resumeRun');
  if (values === null) return;
  await post(`${path}/${what}`, values);
  again();
}

export async function pauseEndpoint(id) {
  const minutes = {
    name: 'minutes',
    label: t('minutes'),
    type: 'number',
    min: 1,
    max: 10_080,
    value: 60,
    required: true,
  };
  const values = await askWhy('pause', [minutes]);
  if (values === null) return;
  const paused = await post(`/ops/endpoints/${id}/pause`, { ...values, minutes: Number(values.minutes) });
  afterwards(t('paused', { id, until: clock(paused.paused_until) }));
}
