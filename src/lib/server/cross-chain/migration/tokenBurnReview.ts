/** Reviews the burn of a token byte by byte. */
import { type Satoshi, valueOf } from '#lib/chain/amount.ts';
import { IMPORT_FEE } from '#lib/chain/burn.ts';
import { bytesEqual, bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY, TOKENS_GLOBAL_PUBKEY, tokenScript } from '#lib/chain/cryptocondition.ts';
import { classify } from '#lib/chain/script.ts';
import { BLOB, blobOf, parseTokenPayload, type TokenCreation } from '#lib/chain/token.ts';
import { nftDataOf, tokenOutputScript, tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import { txidOf, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import { AppError } from '../../platform/errors/appError.ts';
import {
	changeTo,
	isToken,
	ownAddress,
	readBuilt,
	spentBy
} from '../../wallet/transactions/verifyTransaction.ts';
import {
	checkBurn,
	checkFee,
	readPayouts,
	reviewOf,
	type BurnPath,
	type BurnReview
} from './burnParts.ts';

/** The requested burn. */
interface TokenBurnRequest extends BurnPath {
	tokenid: string;
	/** Recipient, a compressed public key in hex. */
	address: string;
	/** Units to arrive. */
	amount: bigint;
}

/** Komodo daemon 0.9.0: the import's marker output has the same value as the fee. */
const MARKER: Satoshi = IMPORT_FEE;

/** Compares the creation that the import will contain with that of the token. */
function checkCreation(payload: TokenCreation, own: TokenCreation, recipient: Uint8Array): void {
	const data = (creation: TokenCreation): string =>
		bytesToHex(blobOf(creation.blobs, BLOB.nonFungible) ?? new Uint8Array());
	if (
		payload.name !== own.name ||
		payload.description !== own.description ||
		data(payload) !== data(own)
	) {
		throw new AppError('review.token-other-facts');
	}
	if (!bytesEqual(payload.owner, own.owner) && !bytesEqual(payload.owner, recipient)) {
		throw new AppError('review.token-other-creator');
	}
	if (payload.blobs.some(({ id }) => id === BLOB.import)) {
		throw new AppError('review.token-imported');
	}
}

/** Checks the three outputs of a token's import: marker, units, creation. */
function checkPayouts(
	payouts: readonly TxOut[],
	request: TokenBurnRequest,
	creation: Transaction
): void {
	const recipient = hexToBytes(request.address);
	const [marker, units, last, ...others] = payouts;
	if (!marker || !units || !last || others.length > 0) {
		throw new AppError('review.token-no-outputs');
	}
	if (marker.value !== MARKER || !bytesEqual(marker.script, tokenScript(TOKENS_GLOBAL_PUBKEY))) {
		throw new AppError('review.token-unlisted');
	}
	if (units.value !== request.amount) {
		throw new AppError('review.token-wrong-amount', {
			amount: units.value.toString(),
			asked: request.amount.toString()
		});
	}
	if (!bytesEqual(units.script, tokenOutputScript(recipient, nftDataOf(creation)))) {
		throw new AppError('review.token-wrong-recipient');
	}
	const made = parseTokenPayload(last.script);
	const own = tokenPayloadOf(creation);
	if (last.value !== 0n || made?.kind !== 'create' || own?.kind !== 'create') {
		throw new AppError('review.token-not-created');
	}
	checkCreation(made, own, recipient);
}

/** Whether the units in a transaction are of this token: it created the token, or transferred units of it. */
function carries(tx: Transaction, tokenid: string): boolean {
	if (txidOf(tx) === tokenid) return true;
	const payload = tokenPayloadOf(tx);
	return payload?.kind === 'transfer' && payload.tokenid === tokenid;
}

/**
 * Parses a built burn of a token and compares it with the request.
 *
 * @param parents the transactions that the inputs spend, by txid
 * @throws {AppError} `review`, `verification` or `transaction.unsigned` when anything differs
 */
export function reviewTokenBurn(
	built: { hex: string; payouts: string },
	request: TokenBurnRequest,
	parents: ReadonlyMap<string, Transaction>
): BurnReview {
	const tx = readBuilt(built.hex);
	const payouts = readPayouts(built.payouts);
	const burn = checkBurn(tx, request, payouts);
	const creation = burn.tokenCreationTx;
	if (!creation) throw new AppError('review.burns-coins');
	const payload = tokenPayloadOf(tx);
	const [named, ...more] = payload?.kind === 'transfer' ? payload.destPubkeys : [];
	const names = payload?.kind === 'transfer' ? payload.tokenid : '';
	if (txidOf(creation) !== request.tokenid || names !== request.tokenid) {
		throw new AppError('review.other-token');
	}
	if (!named || more.length > 0 || !bytesEqual(named, BURN_PUBKEY)) {
		throw new AppError('review.not-to-burn-key');
	}
	if (burn.value !== IMPORT_FEE) {
		throw new AppError('review.token-wrong-fee', {
			amount: burn.value.toString(),
			usual: IMPORT_FEE.toString(),
			chain: request.source
		});
	}
	checkPayouts(payouts, request, creation);

	const data = nftDataOf(creation);
	const burnKey = tokenOutputScript(BURN_PUBKEY, data);
	const ownUnits = tokenOutputScript(hexToBytes(request.pubkey), data);
	const outputs = tx.vout.slice(0, -1);
	const gone = outputs.filter(({ script }) => bytesEqual(script, burnKey));
	const back = outputs.filter(({ script }) => bytesEqual(script, ownUnits));
	if (valueOf(gone) !== request.amount) {
		throw new AppError('review.token-wrong-burn-amount', {
			amount: valueOf(gone).toString(),
			asked: request.amount.toString()
		});
	}
	const rest = outputs.filter((output) => !gone.includes(output) && !back.includes(output));
	const change = valueOf(changeTo(rest, ownAddress(request.pubkey), request.source));

	const spent = spentBy(tx, parents);
	tx.vin.forEach(({ txid }, index) => {
		const output = spent[index]!;
		if (!isToken(output)) return;
		const parent = parents.get(txid);
		if (!bytesEqual(output.script, ownUnits) || !parent || !carries(parent, request.tokenid)) {
			throw new AppError('review.spends-other-token');
		}
	});
	const unitsIn = valueOf(spent.filter(isToken));
	if (unitsIn !== valueOf(gone) + valueOf(back)) {
		throw new AppError('review.token-unbalanced', {
			spent: unitsIn.toString(),
			accounted: (valueOf(gone) + valueOf(back)).toString()
		});
	}
	const paid = valueOf(spent.filter((output) => !isToken(output)));
	const fee = checkFee({
		paid,
		change,
		burned: burn.value,
		most: 3n * IMPORT_FEE,
		chain: request.source
	});
	return reviewOf(tx, spent, {
		size: built.hex.length / 2,
		change,
		unitsBack: valueOf(back),
		burned: burn.value,
		amount: request.amount,
		fee,
		payouts: payouts
			.slice(1, 2)
			.map(({ value, script }) => ({ value, address: classify(script).address ?? null }))
	});
}
