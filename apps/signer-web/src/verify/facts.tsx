import { useEffect, useState } from 'react';
import type { Proof } from './answers.ts';
import { fromHex } from './digest.ts';
import type { Words } from './words.ts';

const COMMAND = 'openssl dgst -sha256 -verify key.pem -signature signature.bin document.pdf';

/** What proves a document, for anyone who wants to check it with their own tools. */
export function Facts({ proof, baseSha256, words }: { proof: Proof; baseSha256: string | null; words: Words }) {
  const signature = useFileOf(proof.signature);
  return (
    <details className="facts">
      <summary>{words.details}</summary>
      <dl>
        <Fact name={words.sealedHash} value={proof.document_sha256} />
        <Fact name={words.baseHash} value={baseSha256} />
        <Fact name={words.algorithm} value={proof.signature_algorithm} />
        <Fact name={words.signature} value={proof.signature} />
        <Fact name={words.key} value={proof.kms_key_arn} />
      </dl>
      {proof.public_key_url && signature && (
        <>
          <ul className="downloads">
            <li>
              <a href={new URL(proof.public_key_url).pathname} download="key.pem">
                {words.publicKey} (key.pem)
              </a>
            </li>
            {proof.certificate_url && (
              <li>
                <a href={new URL(proof.certificate_url).pathname} download="certificate.crt">
                  {words.certificate} (certificate.crt)
                </a>
              </li>
            )}
            <li>
              <a href={signature} download="signature.bin">
                {words.signature} (signature.bin)
              </a>
            </li>
          </ul>
          <pre tabIndex={0}>
            <code>{COMMAND}</code>
          </pre>
        </>
      )}
    </details>
  );
}

function Fact({ name, value }: { name: string; value: string | null }) {
  if (value === null) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </div>
  );
}

/** The address of a file with these bytes, for a download link; null until it is made. */
function useFileOf(hexBytes: string | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (hexBytes === null) return;
    const made = URL.createObjectURL(new Blob([fromHex(hexBytes)], { type: 'application/octet-stream' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [hexBytes]);
  return address;
}
