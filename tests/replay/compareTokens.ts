/** Compares the tokens and holders in the product's index with the daemon's token module. */
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY, ccAddress, EVAL, nftScript } from '#lib/chain/cryptocondition.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import type { ProductClient } from '../support/productClient.ts';
import { daemonRefusal } from './daemonClient.ts';
import type { LabDaemon } from './lab.ts';
import type { Report } from './report.ts';

const BURN_KEY = bytesToHex(BURN_PUBKEY);

interface IndexedToken {
	tokenid: string;
	name: string;
	description: string;
	owner: string;
	supply: string;
	burned: string;
	holders: number;
	kind: 'fungible' | 'nft';
	data: string | null;
}
interface IndexedHolder {
	holder: string;
	units: string;
}

/**
 * The units of a key in a list of holders. If no transaction names the key, as after an import, the list has
 * the address of its crypto-condition.
 */
function unitsOf(units: ReadonlyMap<string, bigint>, key: string, data: string | null): bigint {
	const pubkey = hexToBytes(key);
	const module = data === null ? EVAL.tokens : Number.parseInt(data.slice(0, 2), 16);
	const address = ccAddress(nftScript(pubkey, module));
	return (units.get(key) ?? 0n) + (units.get(address) ?? 0n);
}

/** Compares each token with its facts and holders, and asks the daemon about further possible holders. */
export async function compareTokens(
	product: ProductClient,
	daemon: LabDaemon,
	/** Keys that may hold units. */
	known: readonly string[],
	report: Report
): Promise<void> {
	const { chain, client } = daemon;
	const place = `chains/${encodeURIComponent(chain)}`;
	const rows = await product.rows<IndexedToken>(`${place}/tokens`);
	const refusal = await daemonRefusal(() => client.wire('tokenlist'));
	if (refusal !== null) {
		report.impossible(`the tokens of ${chain}, compared`, refusal);
		return;
	}
	const listed = await client.call('tokenlist');
	report.same(
		'lists of tokens',
		chain,
		rows
			.map(({ tokenid }) => tokenid)
			.sort()
			.join(' '),
		[...listed].sort().join(' ')
	);
	for (const row of rows) {
		const { tokenid } = row;
		const info = await client.call('tokeninfo', tokenid);
		const token = `token ${tokenid} of ${chain}`;
		report.same(
			'tokens',
			token,
			[row.name, row.description, row.owner, row.supply, row.data ?? ''].join(' / '),
			[info.name, info.description, info.owner, info.supply, info.data ?? ''].join(' / ')
		);
		const holders = await product.rows<IndexedHolder>(`${place}/holders?tokenid=${tokenid}`);
		report.same('numbers of holders', token, row.holders, holders.length);
		const units = new Map(holders.map(({ holder, units }) => [holder, BigInt(units)]));
		// Units of the key that means "burned" count as burned, whatever a list shows.
		units.delete(BURN_KEY);
		const sum = [...units.values()].reduce((all, one) => all + one, 0n) + BigInt(row.burned);
		report.same('sums of holders', token, sum, info.supply);
		for (const key of new Set([...units.keys(), ...known])) {
			// The daemon returns the units of a single key, but not those of two joined keys or other
			// conditions.
			if (!isValidPubkey(key)) continue;
			const { balance } = await client.call('tokenbalance', tokenid, key);
			report.same('holders', `${key} of ${token}`, unitsOf(units, key, row.data), balance);
		}
	}
}
