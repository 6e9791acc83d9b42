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
