/**
 * The two transactions of a self-import are read here, byte by byte, and compared with what was asked for:
 * the source, which names the amount and pays a little to the recipient, and the import, which creates it.
 */
import { addressOfPubkey, decodeAddress } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { bytesEqual, bytesToHex } from '#lib/chain/bytes.ts';
import { buildImport, looksLikeImport, parseImport } from '#lib/chain/importProof.ts';
import { classify, p2pkh } from '#lib/chain/script.ts';
import { parseSelfImportSource, quasiBurn } from '#lib/chain/selfImport.ts';
import {
	serializeTransaction,
	txidOf,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import {
	balance,
	changeOf,
	describeInputs,
	isToken,
	mismatch,
	payloadOutput,
	readBuilt,
	spentOutputs,
	type Parents,
	type Review
} from '../../wallet/transactions/compare.ts';
import type { SelfImportRequest } from '../../wallet/transactions/request.ts';

/** What the source pays to the recipient beside its own fee. (Komodo daemon 0.9.0.) */
export const SOURCE_PAYMENT = 10_000n;

export type Asked = Pick<SelfImportRequest, 'address' | 'amount'>;

/** The only output that a self-import creates coins in. */
const payoutOf = ({ address, amount }: Asked): TxOut => ({
	value: amount,
	script: p2pkh(decodeAddress(address).hash)
});

const nameOf = (script: Uint8Array): string =>
	classify(script).address ?? 'a script without an address';

/**
 * Compares a built source transaction with what was asked for.
 * @param pubkey key of the wallet, which is the chain's `ac_pubkey`, hex
 * @throws {SendingError}
 */
export function reviewSource(hex: string, asked: Asked, pubkey: string, parents: Parents): Review {
	const tx = readBuilt(hex);
	const spent = spentOutputs(tx, parents);
	if (spent.some(isToken)) throw mismatch('it would spend units of a token');
	const own = addressOfPubkey(pubkey);
	const issuer = spent[0] && nameOf(spent[0].script);
	if (issuer !== own) {
		throw mismatch(
			`its first input spends coins of ${issuer}, and only coins of the chain's ac_pubkey count`
		);
	}
	const wanted = payoutOf(asked);
	const [paid] = tx.vout;
	if (!paid || !bytesEqual(paid.script, wanted.script)) {
		throw mismatch(
			`its first output pays to ${paid ? nameOf(paid.script) : 'nobody'}, not to ${asked.address}`
		);
	}
	if (paid.value !== SOURCE_PAYMENT) {
		throw mismatch(`it pays ${formatCoins(paid.value)} coins with the source transaction`);
	}
	const last = payloadOutput(tx);
	const amount = parseSelfImportSource(tx);
	if (amount === null) throw mismatch('it does not name an amount to create');
	if (amount !== asked.amount) {
		throw mismatch(
			`it names ${formatCoins(amount)} coins, and ${formatCoins(asked.amount)} were asked for`
		);
	}
	const change = changeOf(tx.vout.slice(1, -1), pubkey);
	const fee = balance(tx, spent);
	return {
		txid: txidOf(tx),
		size: hex.length / 2,
		inputs: describeInputs(tx, spent),
		outputs: [
			{ value: paid.value, address: asked.address, meaning: 'to the recipient, from the wallet' },
			...change,
			{ value: 0n, address: null, meaning: 'names the amount that the import creates' }
		],
		fee,
		cost: paid.value + fee,
		payloadBytes: last.script.length
	};
}

/** The import of a source, written with the index that the daemon left in its proof. */
const rebuilt = (source: Transaction, asked: Asked, index: number): Transaction =>
	buildImport(quasiBurn(source, [payoutOf(asked)]), [payoutOf(asked)], {
		kind: 'txproof',
		txid: txidOf(source),
		index,
		branch: []
	});

/**
 * Compares a built import with what was asked for and with the source that it stands on. Differences that
 * have a name are named; in the end every byte has to be the one that is written here.
 * @throws {SendingError}
 */
export function reviewImport(hex: string, asked: Asked, sourceHex: string): Review {
	const tx = readBuilt(hex);
	const source = readBuilt(sourceHex);
	if (!looksLikeImport(tx)) throw mismatch('its second transaction is not an import');
	const parts = parseImport(tx);
	if (!parts) throw mismatch('its import cannot be read');
	const { payouts, proof, burnTx } = parts;
	const wanted = payoutOf(asked);
	const [paid] = payouts;
	if (!paid || payouts.length !== 1) {
		throw mismatch(`its import pays ${payouts.length} outputs, and one was asked for`);
	}
	if (!bytesEqual(paid.script, wanted.script)) {
		throw mismatch(`its import pays to ${nameOf(paid.script)}, not to ${asked.address}`);
	}
	if (paid.value !== asked.amount) {
		throw mismatch(
			`its import creates ${formatCoins(paid.value)} coins, and ${formatCoins(asked.amount)} were asked for`
		);
	}
	if (proof.kind !== 'txproof' || proof.txid !== txidOf(source)) {
		throw mismatch('its import stands on another source transaction');
	}
	const expected = rebuilt(source, asked, proof.index);
	if (bytesToHex(serializeTransaction(expected)) !== hex.toLowerCase()) {
		throw mismatch('its import holds more or something else than the source says');
	}
	return {
		txid: txidOf(tx),
		size: hex.length / 2,
		// It spends nothing: the object that it names is no output of any transaction.
		inputs: [],
		outputs: [
			{ value: paid.value, address: asked.address, meaning: 'created, to the recipient' },
			{
				value: 0n,
				address: null,
				meaning: `proof: the source transaction, and the object ${txidOf(burnTx).slice(0, 10)}… that stands for a burn`
			}
		],
		fee: 0n,
		cost: 0n,
		payloadBytes: payloadOutput(tx).script.length
	};
}
