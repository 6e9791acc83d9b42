/** Whether a text has a number by itself: times, ids and durations have any few digits within them by chance. */
export function containsNumber(text: string, digits: string): boolean {
  return new RegExp(`(?<!\\w|\\d\\.)${digits}(?!\\w|\\.\\d)`).test(text);
}
