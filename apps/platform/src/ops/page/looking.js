/** What views share with the page around them: telling, drawing again, and looking again every second. */

let timer;
let refresh;
let refreshes = false;

/** Says something to the reader, aloud too. */
export function tell(sentence) {
  document.getElementById('told').textContent = sentence;
}

/** Draws the present view again. */
export function again() {
  dispatchEvent(new Event('ops:again'));
}

/** Whether the current drawing is an automatic refresh, which keeps what the reader had open. */
export const isRefresh = () => refreshes;
export const setRefresh = (value) => (refreshes = value);

/** Looks again in a second, unless the view is left meanwhile. */
export function lookAgain(look) {
  timer = setTimeout(look, 1_000);
}

/** Draws the view again after as long, unless it is left, a dialog is open, or the reader writes, selects or looks elsewhere. */
export function refreshEvery(ms) {
  clearTimeout(refresh);
  refresh = setTimeout(() => {
    const busy =
      document.hidden || document.querySelector('dialog[open]') || !getSelection().isCollapsed || isHalfFilled();
    if (busy || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) refreshEvery(ms);
    else dispatchEvent(new Event('ops:refresh'));
  }, ms);
}

/** A form that is no filter and has something written in it. */
function isHalfFilled() {
  const controls = document.querySelectorAll('main form.keeps :is(input, select)');
  return [...controls].some(({ type, value, defaultValue, checked }) =>
    type === 'checkbox' ? checked : defaultValue !== undefined && value !== defaultValue,
  );
}

export function stopLooking() {
  clearTimeout(refresh);
  clearTimeout(timer);
}
