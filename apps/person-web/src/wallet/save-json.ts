/** Browsers read the bytes after the click. */
const KEPT_MS = 60_000;

/** Saves it as a file, from memory. */
export function saveJson(value: object, name: string): void {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}
