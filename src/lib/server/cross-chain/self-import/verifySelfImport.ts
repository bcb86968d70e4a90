/**
 * Reviews the two transactions of a self-import byte by byte against the request: the source, which contains the
 * amount and pays a little to the recipient, and the import, which creates the coins.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesEqual, bytesToHex } from '#lib/chain/bytes.ts';
import { buildImport, looksLikeImport, parseImport } from '#lib/chain/importProof.ts';
import { classify, scriptOfAddress } from '#lib/chain/script.ts';
import { parseSelfImportSource, quasiBurn } from '#lib/chain/selfImport.ts';
import {
	serializeTransaction,
	txidOf,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import { AppError } from '../../platform/errors/appError.ts';
import {
	changeOf,
	payloadOutput,
	readBuilt,
	readCoinSpender,
	reviewBuilt,
	type OwnWallet,
	type Parents,
	type Review
} from '../../wallet/transactions/verifyTransaction.ts';
import type { SelfImportRequest } from '../../wallet/transactions/request.ts';

/** Satoshi that the source pays to the recipient besides its own fee. (Komodo daemon 0.9.0.) */
export const SOURCE_PAYMENT = 10_000n;

export type Asked = Pick<SelfImportRequest, 'address' | 'amount'>;

/** Returns the only output in which a self-import creates coins. */
const payoutOf = ({ address, amount }: Asked): TxOut => ({
	value: amount,
	script: scriptOfAddress(address)
});

const addressOf = (script: Uint8Array): string | null => classify(script).address ?? null;

/**
 * Compares a built source transaction with the request.
 * @param wallet its key is the chain's `ac_pubkey`
 * @throws {AppError} `verification`
 */
export function reviewSource(
	hex: string,
	asked: Asked,
	{ pubkey, chain }: OwnWallet,
	parents: Parents
): Review {
	const built = readCoinSpender(hex, parents);
	const { tx, spent } = built;
	const own = addressOfPubkey(pubkey);
	const issuer = spent[0] ? addressOf(spent[0].script) : null;
	if (issuer !== own) {
		throw new AppError('verification.source-not-issuers', { address: issuer });
	}
	const wanted = payoutOf(asked);
	const [paid] = tx.vout;
	if (!paid || !bytesEqual(paid.script, wanted.script)) {
		throw new AppError('verification.source-other-recipient', {
			paid: paid !== undefined,
			address: paid ? addressOf(paid.script) : null,
			asked: asked.address
		});
	}
	if (paid.value !== SOURCE_PAYMENT) {
		throw new AppError('verification.source-wrong-payment', {
			amount: paid.value.toString(),
			chain
		});
	}
	payloadOutput(tx);
	const amount = parseSelfImportSource(tx);
	if (amount === null) throw new AppError('verification.source-no-amount');
	if (amount !== asked.amount) {
		throw new AppError('verification.source-wrong-amount', {
			amount: amount.toString(),
			asked: asked.amount.toString(),
			chain
		});
	}
	const change = changeOf(tx.vout.slice(1, -1), pubkey, chain);
	return reviewBuilt(built, { paid: paid.value, chain }, [
		{
			value: paid.value,
			address: asked.address,
			meaning: { code: 'self-import.payment', params: {} }
		},
		...change,
		{ value: 0n, address: null, meaning: { code: 'self-import.amount', params: {} } }
	]);
}

/** Builds the import of a source, with the index from the daemon's proof. */
const rebuilt = (source: Transaction, asked: Asked, index: number): Transaction =>
	buildImport(quasiBurn(source, [payoutOf(asked)]), [payoutOf(asked)], {
		kind: 'txproof',
		txid: txidOf(source),
		index,
		branch: []
	});

/**
 * Compares a built import with the request and its source. Known differences get specific errors; finally every
 * byte must equal the import that is built here.
 * @throws {AppError} `verification`
 */
export function reviewImport(hex: string, asked: Asked, sourceHex: string, chain: string): Review {
	const tx = readBuilt(hex);
	const source = readBuilt(sourceHex);
	if (!looksLikeImport(tx)) throw new AppError('verification.no-import');
	const parts = parseImport(tx);
	if (!parts) throw new AppError('verification.import-unreadable');
	const { payouts, proof, burnTx } = parts;
	const wanted = payoutOf(asked);
	const [paid] = payouts;
	if (!paid || payouts.length !== 1) {
		throw new AppError('verification.import-not-one-output', { outputs: payouts.length });
	}
	if (!bytesEqual(paid.script, wanted.script)) {
		throw new AppError('verification.import-other-recipient', {
			address: addressOf(paid.script),
			asked: asked.address
		});
	}
	if (paid.value !== asked.amount) {
		throw new AppError('verification.import-wrong-amount', {
			amount: paid.value.toString(),
			asked: asked.amount.toString(),
			chain
		});
	}
	if (proof.kind !== 'txproof' || proof.txid !== txidOf(source)) {
		throw new AppError('verification.import-other-source');
	}
	const expected = rebuilt(source, asked, proof.index);
	if (bytesToHex(serializeTransaction(expected)) !== hex.toLowerCase()) {
		throw new AppError('verification.import-other-bytes');
	}
	return {
		txid: txidOf(tx),
		size: hex.length / 2,
		// It spends nothing: its input refers to an object that is not an output of any transaction.
		inputs: [],
		outputs: [
			{
				value: paid.value,
				address: asked.address,
				meaning: { code: 'self-import.created', params: {} }
			},
			{
				value: 0n,
				address: null,
				meaning: { code: 'self-import.proof', params: { object: txidOf(burnTx) } }
			}
		],
		fee: 0n,
		cost: 0n,
		payloadBytes: payloadOutput(tx).script.length
	};
}
