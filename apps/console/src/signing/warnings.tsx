import { Notice } from '@constancia/web';
import { useSigningText } from './text/language.ts';

type Code = keyof ReturnType<typeof useSigningText>['words']['warnings'];

/** What was found in a PDF that stands in the way of signing or sealing it. */
export function Warnings({ of: warnings }: { of: readonly { code: Code; detail: string }[] }) {
  const { words } = useSigningText();
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warning">
      <p>{words.warned}</p>
      <ul>
        {warnings.map(({ code, detail }) => (
          <li key={detail}>{words.warnings[code] ?? detail}</li>
        ))}
      </ul>
    </Notice>
  );
}
