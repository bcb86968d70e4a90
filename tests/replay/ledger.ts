/** Blocks, transactions and balances from the daemon's own decoding, for comparison with the index. */
import { parseCoins } from '#lib/chain/amount.ts';
import { isJsonObject, JsonNumber, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import type { DaemonClient } from './daemonClient.ts';

export interface LedgerBlock {
	height: number;
	hash: string;
	/** Unix seconds. */
	time: number;
	size: number;
	transactions: LedgerTransaction[];
}

interface LedgerTransaction {
	txid: string;
	isCoinbase: boolean;
	/** Number of outputs that it spends or names; 0 for a coinbase. */
	inputs: number;
	outputs: number;
	/** Satoshi of all outputs. */
	value: bigint;
}

export interface AddressTotals {
	balance: bigint;
	received: bigint;
}

export interface Ledger {
	height: number;
	blocks: LedgerBlock[];
	/**
	 * Without the outputs of the first block: they cannot be spent, and the daemon leaves them out (ConnectBlock of
	 * release 0.9.0).
	 */
	addresses: Map<string, AddressTotals>;
}

/** A block without the expected members; the message names the place. */
class LedgerError extends Error {
	override readonly name = 'LedgerError';
	readonly code = 'ledger';
}

type JsonObject = { readonly [name: string]: JsonValue };

/** Number of blocks in one batch. */
const BATCH = 50;

function objectAt(value: JsonValue | undefined, place: string): JsonObject {
	if (!isJsonObject(value)) throw new LedgerError(`${place} is no object.`);
	return value;
}

function listAt(value: JsonValue | undefined, place: string): readonly JsonValue[] {
	if (!Array.isArray(value)) throw new LedgerError(`${place} is no list.`);
	return value as readonly JsonValue[];
}

function numberAt(value: JsonValue | undefined, place: string): number {
	if (!(value instanceof JsonNumber)) throw new LedgerError(`${place} is no number.`);
	return value.toNumber();
}

function textAt(value: JsonValue | undefined, place: string): string {
	if (typeof value !== 'string') throw new LedgerError(`${place} is no text.`);
	return value;
}

/** The one address of an output; several keys of a bare multisig script own nothing alone. */
function addressOf(output: JsonObject): string | null {
	const script = output['scriptPubKey'];
	const addresses = isJsonObject(script) ? script['addresses'] : undefined;
	const [address, ...more] = Array.isArray(addresses) ? (addresses as JsonValue[]) : [];
	return typeof address === 'string' && more.length === 0 ? address : null;
}

class Builder implements Ledger {
	height = -1;
	readonly blocks: LedgerBlock[] = [];
	readonly addresses = new Map<string, AddressTotals>();
	/** Outputs by `txid:n`. */
	readonly #outputs = new Map<string, { address: string; value: bigint }>();

	#totals(address: string): AddressTotals {
		const known = this.addresses.get(address);
		if (known) return known;
		const made = { balance: 0n, received: 0n };
		this.addresses.set(address, made);
		return made;
	}

	#transaction(value: JsonValue, place: string, isSpendable: boolean): LedgerTransaction {
		const tx = objectAt(value, place);
		const txid = textAt(tx['txid'], `${place}.txid`);
		const inputs = listAt(tx['vin'], `${place}.vin`);
		const outputs = listAt(tx['vout'], `${place}.vout`);
		let isCoinbase = false;
		for (const [n, one] of inputs.entries()) {
			const input = objectAt(one, `${place}.vin.${n}`);
			if (input['coinbase'] !== undefined) {
				isCoinbase = true;
				continue;
			}
			// An import names an output of another chain, which is not in this map.
			const spent = this.#outputs.get(
				`${String(input['txid'])}:${stringifyJson(input['vout'] ?? null)}`
			);
			if (spent) this.#totals(spent.address).balance -= spent.value;
		}
		let sum = 0n;
		for (const [n, one] of outputs.entries()) {
			const output = objectAt(one, `${place}.vout.${n}`);
			const amount = output['value'];
			if (!(amount instanceof JsonNumber))
				throw new LedgerError(`${place}.vout.${n}.value is no number.`);
			const satoshi = parseCoins(amount.source);
			sum += satoshi;
			const address = addressOf(output);
			if (address === null || !isSpendable) continue;
			const totals = this.#totals(address);
			totals.balance += satoshi;
			totals.received += satoshi;
			this.#outputs.set(`${txid}:${n}`, { address, value: satoshi });
		}
		return {
			txid,
			isCoinbase,
			inputs: isCoinbase ? 0 : inputs.length,
			outputs: outputs.length,
			value: sum
		};
	}

	add(value: JsonValue, height: number): void {
		const place = `block ${height}`;
		const block = objectAt(value, place);
		this.blocks.push({
			height,
			hash: textAt(block['hash'], `${place}.hash`),
			time: numberAt(block['time'], `${place}.time`),
			size: numberAt(block['size'], `${place}.size`),
			transactions: listAt(block['tx'], `${place}.tx`).map((tx, n) =>
				this.#transaction(tx, `${place}.tx.${n}`, height > 0)
			)
		});
		this.height = height;
	}
}

/** Reads the whole chain up to a height. @throws {LedgerError} @throws {DaemonRefusal} */
export async function readReconciliation(client: DaemonClient, height: number): Promise<Ledger> {
	const ledger = new Builder();
	for (let from = 0; from <= height; from += BATCH) {
		const heights = Array.from({ length: Math.min(BATCH, height - from + 1) }, (_, n) => from + n);
		const blocks = await client.batch(
			heights.map((at) => ({ method: 'getblock', params: [String(at), new JsonNumber('2')] }))
		);
		for (const [n, block] of blocks.entries()) ledger.add(block, from + n);
	}
	return ledger;
}
