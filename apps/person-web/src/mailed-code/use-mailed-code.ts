import { useAnnounce, useFocus } from '@constancia/web';
import { type ComponentProps, type SyntheticEvent, useState } from 'react';
import { Refused } from '../api/capture-api.ts';
import type { Requests } from '../session/use-request.ts';
import { type AddressEntry, isAddress } from './address-entry.tsx';
import type { CodeForm } from './code-form.tsx';

interface MailedCodeOptions<Sent> {
  /** The ids of the inputs begin with it. */
  page: string;
  requests: Requests;
  texts: { addressFault: string; sent: string };
  /** False: the server has the address. */
  asksAddress?: boolean;
  /** Asks for a code. */
  send: (address: string) => Promise<Sent>;
  /** Rejects with Refused of the status `wrong` for a wrong code. */
  verify: (sent: Sent, code: string) => Promise<void>;
  wrong: number;
}

interface MailedCode {
  entry: Omit<ComponentProps<typeof AddressEntry>, 'label'>;
  submit: (event: SyntheticEvent) => void;
  /** Null until a code was asked for. */
  form: Omit<ComponentProps<typeof CodeForm>, 'texts'> | null;
}

/** A code that is mailed to an address, which is asked for first, and its check. */
export function useMailedCode<Sent>({
  page,
  requests: { busy, run },
  texts,
  asksAddress = true,
  send,
  verify,
  wrong,
}: MailedCodeOptions<Sent>): MailedCode {
  const focus = useFocus();
  const announce = useAnnounce();
  const [address, setAddress] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [sent, setSent] = useState<{ answer: Sent; at: number } | null>(null);
  const [addressId, codeId] = [`${page}-email`, `${page}-code`];

  const ask = (name: 'send' | 'again'): Promise<void> =>
    run(name, async () => {
      setFault(null);
      setSent({ answer: await send(address.trim()), at: Date.now() });
      announce(texts.sent);
      focus(codeId);
    });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!asksAddress || isAddress(address)) return void ask('send');
    setFault(texts.addressFault);
    focus(addressId);
  };
  const check = async (answer: Sent, code: string): Promise<boolean> => {
    let right = true;
    await run('verify', async () => {
      try {
        await verify(answer, code);
      } catch (failure) {
        if (!(failure instanceof Refused) || failure.status !== wrong) throw failure;
        right = false;
      }
    });
    return right;
  };
  const goBack = (): void => {
    setSent(null);
    setFault(null);
    focus(addressId);
  };
  return {
    entry: { id: addressId, fault, address, onChange: setAddress },
    submit,
    form: sent && {
      id: codeId,
      sentAt: sent.at,
      busy: busy === 'verify' || busy === 'again' ? busy : null,
      onCode: (code) => check(sent.answer, code),
      onAgain: () => void ask('again'),
      onOther: goBack,
    },
  };
}
