import { useId } from 'react';
import type { OtpChannel } from '../api/sign-state.ts';
import { useLanguage } from '../text/language.ts';

interface ChannelChoiceProps {
  channels: readonly OtpChannel[];
  chosen: OtpChannel['method'];
  onChoose: (method: OtpChannel['method']) => void;
}

/** How the signer wants to get the code; nothing where there is one way only. */
export function ChannelChoice({ channels, chosen, onChoose }: ChannelChoiceProps) {
  const { text } = useLanguage();
  const name = useId();
  if (channels.length < 2) return null;
  return (
    <fieldset>
      <legend>{text.otp.how}</legend>
      <div className="ways">
        {channels.map(({ method }) => (
          <label key={method} className={method === chosen ? 'way chosen' : 'way'}>
            <input type="radio" name={name} checked={method === chosen} onChange={() => onChoose(method)} />
            {text.otp.by[method]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
