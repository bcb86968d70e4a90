/** Compares an imported token, fact by fact, with the one that was burned. */
import { parseBurn } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { nftDataOf, tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import type { DaemonClient } from '../../chains/daemon/types.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { readHex } from './burnParts.ts';
import type { MigrationRecord } from './migrationRecord.ts';

/** The daemon's text for a value of an import that it cannot decode. */
const UNDECODABLE = "can't decode";

/**
 * Checks an imported token.
 * @param importTxid the confirmed import, which is the token's id on the destination
 * @throws {AppError} `review.…` for the first fact that differs
 * @throws {AppError} `daemon` when the destination cannot be asked
 */
export async function checkTokenArrival(
	target: DaemonClient,
	{ row, steps }: MigrationRecord,
	importTxid: string
): Promise<void> {
	const burn = parseBurn(readHex(steps.get('burn')?.hex ?? '', 'burn'));
	const creation = burn?.tokenCreationTx;
	const made = creation && tokenPayloadOf(creation);
	if (!creation || made?.kind !== 'create') throw new AppError('review.arrived-burn-unreadable');
	const info = await target.call('tokeninfo', importTxid);
	const facts: readonly (readonly [what: string, is: string, was: string])[] = [
		['id', info.tokenid, importTxid],
		['name', info.name, made.name],
		['description', info.description, made.description],
		['supply', info.supply.toString(), row.amount.toString()],
		['data', info.data ?? '', bytesToHex(nftDataOf(creation) ?? new Uint8Array())],
		['import-mark', info.IsImported ?? 'none', 'yes'],
		['source-chain', known(info.sourceChain, row.source), row.source],
		['source-id', known(info.sourceTokenId, row.tokenid ?? ''), row.tokenid ?? '']
	];
	const wrong = facts.find(([, is, was]) => is !== was);
	if (wrong) {
		const [what, is, was] = wrong;
		throw new AppError('review.arrived-other', {
			chain: row.destination,
			fact: what,
			found: is,
			burned: was
		});
	}
}

/** Returns a fact of an import; `otherwise` when the daemon cannot decode it, which proves nothing. */
const known = (text: string | undefined, otherwise: string): string =>
	text === UNDECODABLE ? otherwise : (text ?? 'none');
