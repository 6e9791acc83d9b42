import { Button, Table } from '@constancia/web';
import { useMay } from '../../member/member.tsx';
import { useSigningText } from '../text/language.ts';
import type { Asked } from './envelope-dialog.tsx';
import { SignerStatus } from './envelope-status.tsx';
import { canRemind, canRotate, type EnvelopeRow, type EnvelopeSigner, isOpen } from './use-envelope.ts';

/** Who signs, how far each is, and what was mailed to them. */
export function Signers({ of: envelope, onAsk }: { of: EnvelopeRow; onAsk: (asked: Asked) => void }) {
  const { words, number, clock, signerRole } = useSigningText();
  const may = useMay();
  const acts = may('signing:write') && isOpen(envelope);
  const lastOf = ({ declined_at, signed_at, authenticated_at, viewed_at, link_opened_at }: EnvelopeSigner): string => {
    const at = declined_at ?? signed_at ?? authenticated_at ?? viewed_at ?? link_opened_at;
    return at === null ? '–' : clock(at);
  };
  return (
    <Table
      caption={words.envelopes.signers}
      rows={envelope.signers}
      keyOf={({ id }) => id}
      columns={[
        {
          title: words.envelopes.person,
          wide: true,
          of: ({ name, email, phone }) => (
            <span>
              {name !== null && <strong>{name}</strong>} {email}
              {phone !== null && ` · ${phone}`}
            </span>
          ),
        },
        {
          title: words.circuits.role,
          of: ({ role, order }) => words.envelopes.roleOf(signerRole(role), number(order)),
        },
        { title: words.envelopes.status, of: (signer) => <SignerStatus of={signer} /> },
        { title: words.envelopes.last, of: lastOf },
        { title: words.envelopes.mail, of: ({ mail }) => (mail === null ? '–' : words.envelopes.mails[mail]) },
        ...(envelope.reminders === null
          ? []
          : [
              {
                title: words.envelopes.nextReminder,
                of: ({ next_reminder_at: at }: EnvelopeSigner) => (at === null ? '–' : clock(at)),
              },
            ]),
        ...(acts
          ? [
              {
                title: words.envelopes.actions,
                of: (signer: EnvelopeSigner) => <SignerActions of={signer} onAsk={onAsk} />,
              },
            ]
          : []),
      ]}
    />
  );
}

function SignerActions({ of: signer, onAsk }: { of: EnvelopeSigner; onAsk: (asked: Asked) => void }) {
  const { words } = useSigningText();
  const who = signer.name ?? signer.email;
  return (
    <div className="row-actions">
      {canRemind(signer) && (
        <Button
          look="quiet"
          label={words.envelopes.remindOf(who)}
          onPress={() => onAsk({ what: 'remind', signer: signer.id })}
        >
          {words.envelopes.remind}
        </Button>
      )}
      {canRotate(signer) && (
        <Button
          look="quiet"
          label={words.envelopes.rotateOf(who)}
          onPress={() => onAsk({ what: 'rotate', signer: signer.id })}
        >
          {words.envelopes.rotate}
        </Button>
      )}
    </div>
  );
}
