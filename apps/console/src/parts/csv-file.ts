/** The text of a file in UTF-8; null when it is in another encoding, as Excel's older CSV files are, or cannot be read. */
export async function csvText(file: File): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

/** Whether letters of a text were lost before it came here: it was read in a wrong encoding. */
export const hasLostLetters = (text: string): boolean => text.includes('\uFFFD');
