/** Whether notaries can approve a burn. */
import { parseBurn } from '#lib/chain/burn.ts';
import { nftDataOf } from '#lib/chain/tokenEffect.ts';
import { readableTransaction } from '#lib/chain/transaction.ts';
import type { MigrationRecord } from './migrationRecord.ts';

/** Returns whether a burn is of a fungible token, which Komodo daemon 0.9.0 does not check for notaries. */
export function isFungibleToken({ steps }: Pick<MigrationRecord, 'steps'>): boolean {
	const burn = readableTransaction(steps.get('burn')?.hex ?? '');
	if (!burn) return false;
	const creation = parseBurn(burn)?.tokenCreationTx;
	return creation !== undefined && nftDataOf(creation) === undefined;
}
