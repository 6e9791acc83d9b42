import { STATUS } from '@constancia/status-list';
import type { Tx } from '@constancia/persistence';
import { In } from 'typeorm';
import { setStatuses } from '../../status-lists/status-indexes.ts';
import { CredentialOffer } from './credential-offer.entity.ts';
import { WalletCredentialCopy } from './wallet-credential-copy.entity.ts';
import { WalletCredential } from './wallet-credential.entity.ts';

/** The statuses that a credential ends with. */
type Ended = typeof STATUS.revoked | typeof STATUS.superseded;

/** Ends the credentials of a wallet, or one of them, in the transaction of what ends them. What is revoked stays revoked. */
export async function endCredentials(
  tx: Tx,
  { wallet_id, id }: Pick<WalletCredential, 'wallet_id'> & { id?: string },
  status: Ended,
): Promise<number> {
  const from = status === STATUS.revoked ? [STATUS.valid, STATUS.superseded] : [STATUS.valid];
  const mine = { wallet_id, ...(id !== undefined && { id }), status: In(from) };
  const found = await tx.manager.find(WalletCredential, { where: mine, select: { id: true } });
  if (found.length === 0) return 0;
  const ids = In(found.map((each) => each.id));
  await tx.manager.update(WalletCredential, { ...mine, id: ids }, { status, ended_at: new Date() });
  await setStatuses(tx, await tx.manager.findBy(WalletCredentialCopy, { wallet_id, credential_id: ids }), status);
  return found.length;
}

/** The same when all that could present or get them is lost: none is valid any more, and no offer of one. */
export async function revokeCredentials(tx: Tx, walletId: string): Promise<number> {
  await tx.manager.delete(CredentialOffer, { wallet_id: walletId });
  return endCredentials(tx, { wallet_id: walletId }, STATUS.revoked);
}

/** The same when the wallet is erased: nothing but the statuses, which name nobody, is left of them. */
export async function eraseCredentials(tx: Tx, walletId: string): Promise<number> {
  const revoked = await revokeCredentials(tx, walletId);
  await tx.manager.delete(WalletCredential, { wallet_id: walletId });
  return revoked;
}
