/** Compares the product's index with the daemon: blocks, transactions, addresses. */
import { formatCoins, parseCoins } from '#lib/chain/amount.ts';
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import type { ProductClient } from '../support/productClient.ts';
import type { LabDaemon } from './lab.ts';
import { readReconciliation, type Ledger } from './ledger.ts';
import type { Report } from './report.ts';

interface IndexedBlock {
	height: number;
	hash: string;
	time: string;
	size: number;
	transactions: number;
}
interface IndexedTransaction {
	height: number;
	place: number;
	txid: string;
	kind: string;
	inputs: number;
	outputs: number;
	value: string;
}
interface IndexedAddress {
	address: string;
	balance: string;
	received: string;
}

/** Maximum number of addresses whose totals are compared with the daemon's address index. */
const MOST_ASKED = 500;

function compareBlocks(
	chain: string,
	rows: readonly IndexedBlock[],
	ledger: Ledger,
	report: Report
): void {
	const indexed = new Map(rows.map((row) => [row.height, row]));
	for (const { height, hash, time, size, transactions } of ledger.blocks) {
		const row = indexed.get(height);
		const place = `block ${height} of ${chain}`;
		report.same(
			'blocks',
			place,
			row && describe(row),
			describe({
				height,
				hash,
				time: new Date(time * 1000).toISOString(),
				size,
				transactions: transactions.length
			})
		);
	}
	report.same('heights', chain, rows.length, ledger.blocks.length);
}

const describe = ({ hash, time, size, transactions }: IndexedBlock): string =>
	`${hash} of ${time}, ${size} bytes, ${transactions} transactions`;

function compareTransactions(
	chain: string,
	rows: readonly IndexedTransaction[],
	ledger: Ledger,
	report: Report
): void {
	const indexed = new Map(rows.map((row) => [`${row.height}/${row.place}`, row]));
	for (const { height, transactions } of ledger.blocks) {
		for (const [place, tx] of transactions.entries()) {
			const row = indexed.get(`${height}/${place}`);
			const said = (
				txid: string,
				inputs: number,
				outputs: number,
				value: string,
				isCoinbase: boolean
			) => `${txid}, ${inputs} in, ${outputs} out, ${value}${isCoinbase ? ', coinbase' : ''}`;
			report.same(
				'transactions',
				`transaction ${place} of block ${height} of ${chain}`,
				row && said(row.txid, row.inputs, row.outputs, row.value, row.kind === 'coinbase'),
				said(tx.txid, tx.inputs, tx.outputs, formatCoins(tx.value), tx.isCoinbase)
			);
		}
	}
	const all = ledger.blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);
	report.same('transactions in all', chain, rows.length, all);
}

function compareAddresses(
	chain: string,
	rows: readonly IndexedAddress[],
	ledger: Ledger,
	report: Report
): void {
	const indexed = new Map(rows.map((row) => [row.address, row]));
	for (const [address, { balance, received }] of ledger.addresses) {
		const row = indexed.get(address);
		indexed.delete(address);
		// The list contains only addresses with a balance.
		if (balance === 0n && row === undefined) continue;
		report.same(
			'addresses',
			`${address} on ${chain}`,
			row && `${row.balance} of ${row.received}`,
			`${formatCoins(balance)} of ${formatCoins(received)}`
		);
	}
	for (const address of indexed.keys()) {
		report.mismatch('addresses', `${address} on ${chain}: the daemon's blocks do not name it.`);
	}
}

/** Compares with the daemon's own address index, if it has one. */
async function askAddresses(
	{ chain, client }: LabDaemon,
	rows: readonly IndexedAddress[],
	report: Report
): Promise<void> {
	const asked = rows.slice(0, MOST_ASKED);
	const balances = async (...more: JsonValue[]): Promise<JsonValue[]> =>
		client.batch(
			asked.map(({ address }) => ({
				method: 'getaddressbalance',
				params: [{ addresses: [address] }, ...more]
			}))
		);
	// A second parameter requests only crypto-condition outputs (Komodo daemon 0.9.0).
	const [plain, conditions] = [await balances(), await balances(new JsonNumber('1'))];
	if (plain.every((answer) => answer === null)) {
		report.impossible('balances by address', `${chain} keeps no index of addresses.`);
		return;
	}
	const balanceOf = (answer: JsonValue | undefined): bigint => {
		const balance = isJsonObject(answer) ? answer['balance'] : null;
		return balance instanceof JsonNumber ? BigInt(balance.source) : 0n;
	};
	for (const [n, { address, balance }] of asked.entries()) {
		report.same(
			'balances by the index of addresses',
			`${address} on ${chain}`,
			parseCoins(balance),
			balanceOf(plain[n]) + balanceOf(conditions[n])
		);
	}
}

/** Compares everything of one chain; its index must have reached the height. */
export async function compareIndex(
	product: ProductClient,
	daemon: LabDaemon,
	height: number,
	report: Report
): Promise<void> {
	const { chain, client } = daemon;
	const place = `chains/${encodeURIComponent(chain)}`;
	const ledger = await readReconciliation(client, height);
	compareBlocks(chain, await product.rows(`${place}/blocks?to=${height}`), ledger, report);
	compareTransactions(chain, await product.rows(`${place}/transactions`), ledger, report);
	const addresses = await product.rows<IndexedAddress>(`${place}/addresses`);
	compareAddresses(chain, addresses, ledger, report);
	await askAddresses(daemon, addresses, report);
}
