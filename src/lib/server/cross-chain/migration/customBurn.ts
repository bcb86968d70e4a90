/**
 * Builds a burn from selected UTXOs or a pasted transaction: compose, convert, fund, sign. Nothing is broadcast,
 * and the result of each step is reviewed before the next one.
 */
import { formatCoins, type Satoshi, valueOf } from '#lib/chain/amount.ts';
import { IMPORT_FEE, serializePayouts } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/script.ts';
import { type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import { JsonNumber } from '#lib/rpc/json.ts';
import { refusalCode } from '../../chains/daemon/refusalCode.ts';
import type { DaemonClient } from '../../chains/daemon/types.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import {
	changeTo,
	checkOnlyCoins,
	ownAddress,
	readBuilt,
	spentBy
} from '../../wallet/transactions/verifyTransaction.ts';
import {
	checkBurn,
	readHex,
	readPayouts,
	reviewOf,
	type BurnPath,
	type BurnReview
} from './burnParts.ts';
import { composedParts, type Outpoint } from './customRequest.ts';

/** Funding inserts the change at a random position: attempts until the burn is the last output. */
const FUND_TRIES = 16;
/** Satoshi: more than the fee of any funded transaction of this size. */
const MOST_FEE: Satoshi = 100_000n;

/** Bytes of each step. */
export interface CustomSteps {
	/** Unsigned transaction that pays the recipients, hex. */
	composed: string;
	/** The transaction with the burn as its only output. */
	exported: string;
	/** The transaction with inputs and change. */
	funded: string;
	/** The signed transaction. */
	hex: string;
	/** Serialized outputs of the import, hex. */
	payouts: string;
}

const sameInput = (a: Outpoint, b: Outpoint | undefined): boolean =>
	a.txid === b?.txid && a.vout === b.vout;

/** Returns whether `all` begins with exactly the inputs of `first`, in order. */
const beginsWith = (all: readonly Outpoint[], first: readonly Outpoint[]): boolean =>
	first.length <= all.length && first.every((input, index) => sameInput(input, all[index]));

const payoutsText = (payouts: readonly TxOut[]): string => bytesToHex(serializePayouts(payouts));

/**
 * Creates an unsigned transaction that spends these outputs and pays these recipients.
 * @throws {AppError} `review`, `daemon`
 */
export async function compose(
	client: DaemonClient,
	inputs: readonly Outpoint[],
	payouts: readonly TxOut[]
): Promise<string> {
	const hex = await client.call(
		'createrawtransaction',
		inputs.map(({ txid, vout }) => ({ txid, vout: new JsonNumber(String(vout)) })),
		Object.fromEntries(
			payouts.map(({ value, script }) => [
				classify(script).address ?? '',
				new JsonNumber(formatCoins(value))
			])
		)
	);
	const made = readHex(hex, 'composed-transaction');
	const sorted = (list: readonly TxOut[]): string =>
		list
			.map((output) => payoutsText([output]))
			.sort()
			.join(' ');
	const sameInputs = made.vin.length === inputs.length && beginsWith(made.vin, inputs);
	if (!sameInputs || sorted(made.vout) !== sorted(payouts)) {
		throw new AppError('review.composed-other');
	}
	return hex;
}

/** Converts a transaction into a burn of its outputs. @throws {AppError} `review`, `daemon` */
async function convert(
	client: DaemonClient,
	composed: string,
	path: BurnPath
): Promise<{ exported: string; payouts: string }> {
	const wanted = composedParts(composed);
	const { exportTx: exported, payouts } = await client.call(
		'migrate_converttoexport',
		composed,
		path.destination
	);
	const tx = readHex(exported, 'burn');
	if (payouts !== payoutsText(wanted.payouts)) throw new AppError('review.other-payouts');
	checkAmount(checkBurn(tx, path, wanted.payouts), path, wanted.payouts);
	if (tx.vout.length !== 1) throw new AppError('review.converted-more');
	if (tx.vin.length !== wanted.inputs.length || !beginsWith(tx.vin, wanted.inputs)) {
		throw new AppError('review.converted-other-inputs');
	}
	return { exported, payouts };
}

function checkAmount(
	burn: ReturnType<typeof checkBurn>,
	path: BurnPath,
	payouts: readonly TxOut[]
): void {
	const due = valueOf(payouts) + IMPORT_FEE;
	if (burn.tokenCreationTx) throw new AppError('review.burns-token');
	if (burn.value !== due) {
		throw new AppError('review.wrong-burn-amount', {
			amount: burn.value.toString(),
			asked: due.toString(),
			chain: path.source
		});
	}
}

/** @throws {AppError} `review.unfunded`, `daemon` */
async function fundOnce(client: DaemonClient, exported: string, inputs: number): Promise<string> {
	try {
		return (await client.call('fundrawtransaction', exported)).hex;
	} catch (error) {
		// The daemon adds no inputs to a transaction that has some.
		const code = refusalCode(error);
		const isPoor = code === 'transactions.funds' || code === 'transactions.funds-unshielded';
		if (!isPoor || inputs === 0) throw error;
		throw new AppError('review.unfunded', {}, { cause: error });
	}
}

/**
 * Adds change, and inputs when there are none. A chain recognizes a burn only in the last output, so funding is
 * repeated when it put the change after it.
 * @throws {AppError} `review.…` (`burn-not-last` when no attempt succeeds), `daemon`
 */
async function fund(
	client: DaemonClient,
	exported: string,
	path: BurnPath,
	payouts: string
): Promise<string> {
	const outputs = readPayouts(payouts);
	const before = readHex(exported, 'burn');
	for (let attempt = 1; ; attempt++) {
		const hex = await fundOnce(client, exported, before.vin.length);
		const tx = readHex(hex, 'funded-burn');
		if (!beginsWith(tx.vin, before.vin)) throw new AppError('review.funded-other-inputs');
		try {
			checkAmount(checkBurn(tx, path, outputs), path, outputs);
			return hex;
		} catch (error) {
			const again = isAppError(error, 'review.burn-not-last');
			if (!again || attempt === FUND_TRIES) throw error;
		}
	}
}

/** Signs the funded transaction. @throws {AppError} `review`, `verification`, `transaction.unsigned`, `daemon` */
async function sign(client: DaemonClient, funded: string): Promise<string> {
	let signed: { hex: string; complete: boolean };
	try {
		// Read here, where a missing member fails.
		const { hex, complete } = await client.call('signrawtransaction', funded);
		signed = { hex, complete };
	} catch (error) {
		// The daemon answered without a transaction: nothing was signed.
		const nothing = isAppError(error, 'daemon.validation-mismatch');
		if (!nothing) throw error;
		signed = { hex: '', complete: false };
	}
	const tx = readBuilt(signed.complete ? signed.hex : '');
	const asked = readHex(funded, 'funded-burn');
	const same =
		tx.vin.length === asked.vin.length &&
		beginsWith(tx.vin, asked.vin) &&
		payoutsText(tx.vout) === payoutsText(asked.vout);
	if (!same) throw new AppError('review.signed-other');
	return signed.hex;
}

/**
 * Runs all steps from a composed transaction to a signed burn.
 * @throws {AppError} `review`, `verification` or `transaction.unsigned` when the result of a step differs from the
 * request
 * @throws {AppError} `daemon` when the daemon refuses a step
 */
export async function makeCustomBurn(
	client: DaemonClient,
	composed: string,
	path: BurnPath
): Promise<CustomSteps> {
	const { exported, payouts } = await convert(client, composed, path);
	const funded = await fund(client, exported, path, payouts);
	return { composed, exported, funded, payouts, hex: await sign(client, funded) };
}

/** Returns the addresses of the wallet among the outputs of a burn. @throws {AppError} `daemon` */
export async function ownAddresses(
	client: DaemonClient,
	hex: string,
	pubkey: string
): Promise<ReadonlySet<string>> {
	const own = new Set(ownAddress(pubkey));
	for (const { script } of readHex(hex, 'burn').vout.slice(0, -1)) {
		const { address } = classify(script);
		if (address === undefined || own.has(address)) continue;
		const known = await client.call('validateaddress', address);
		if (known.isvalid && 'ismine' in known && known.ismine) own.add(address);
	}
	return own;
}

/**
 * Reviews a signed burn against the transaction that it was made from.
 *
 * @param own addresses of the wallet
 * @param parents the transactions that the inputs spend, by txid
 * @throws {AppError} `review`, `verification` or `transaction.unsigned` when anything differs
 */
export function reviewCustomBurn(
	built: { hex: string; payouts: string },
	composed: string,
	path: BurnPath,
	own: ReadonlySet<string>,
	parents: ReadonlyMap<string, Transaction>
): BurnReview {
	const wanted = composedParts(composed);
	const tx = readBuilt(built.hex);
	if (built.payouts !== payoutsText(wanted.payouts)) throw new AppError('review.other-payouts');
	const burn = checkBurn(tx, path, wanted.payouts);
	checkAmount(burn, path, wanted.payouts);
	if (!beginsWith(tx.vin, wanted.inputs)) throw new AppError('review.other-inputs');
	const change = valueOf(changeTo(tx.vout.slice(0, -1), own, path.source));
	const spent = spentBy(tx, parents);
	checkOnlyCoins(spent);
	const paid = valueOf(spent);
	const fee = paid - change - burn.value;
	if (fee < 0n || fee > MOST_FEE) {
		throw new AppError('review.fee-too-high', {
			spent: paid.toString(),
			accounted: (change + burn.value).toString(),
			fee: fee.toString(),
			chain: path.source
		});
	}
	return reviewOf(tx, spent, {
		size: built.hex.length / 2,
		change,
		unitsBack: null,
		burned: burn.value,
		amount: valueOf(wanted.payouts),
		fee,
		payouts: wanted.payouts.map(({ value, script }) => ({
			value,
			address: classify(script).address ?? null
		}))
	});
}
