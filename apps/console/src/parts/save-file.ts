/** How long the browser may take to begin with the file. */
const KEPT_MS = 60_000;

/** Saves as the browser saves downloads. The name holds nothing of a person. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
