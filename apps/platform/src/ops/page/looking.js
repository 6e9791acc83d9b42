/** What views share with the page around them: telling, drawing again, and looking again every second. */

let timer;
let refresh;

/** Says something to the reader, aloud too. */
export function tell(sentence) {
  document.getElementById('told').textContent = sentence;
}

/** Draws the present view again. */
export function again() {
  dispatchEvent(new Event('ops:again'));
}

/** Looks again in a second, unless the view is left meanwhile. */
export function lookAgain(look) {
  timer = setTimeout(look, 1_000);
}

/** Draws the view again after as long, unless it is left, a dialog is open, or the reader writes, selects or looks elsewhere. */
export function refreshEvery(ms) {
  clearTimeout(refresh);
  refresh = setTimeout(() => {
    const busy = document.hidden || document.querySelector('dialog[open]') || !getSelection().isCollapsed;
    if (busy || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) refreshEvery(ms);
    else dispatchEvent(new Event('ops:refresh'));
  }, ms);
}

export function stopLooking() {
  clearTimeout(refresh);
  clearTimeout(timer);
}
