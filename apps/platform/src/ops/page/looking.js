/** What views share with the page around them: telling, drawing again, and looking again every second. */

let timer;

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

export function stopLooking() {
  clearTimeout(timer);
}
