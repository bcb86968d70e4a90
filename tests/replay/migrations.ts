/** Migrates coins and tokens through the product's forms, and asks the daemons whether they have arrived. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { formatCoins, parseCoins } from '#lib/chain/amount.ts';
import { isJsonObject, JsonNumber, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import {
	ARRIVED,
	hasArrived,
	type MigrationState
} from '#lib/server/cross-chain/migration/states.ts';
import type { ProductClient } from '../support/productClient.ts';
import { daemonRefusal } from './daemonClient.ts';
import type { Lab, LabDaemon } from './lab.ts';
import type { Report } from './report.ts';
import { waitFor, type Waiting } from './waiting.ts';

/** An amount that no other migration of these chains has, so that it can be found again. */
const coinsOf = (n: number): string =>
	formatCoins(1_000_000n + BigInt((Date.now() + n) % 1_000_000));

/** Number of the destination's notarizations that a proof on KMD needs (Komodo daemon 0.9.0). */
const NEEDED = 7;

interface Started {
	what: string;
	id: string;
	from: LabDaemon;
	to: LabDaemon;
	tokenid: string | null;
	/** The amount in the form's format. */
	amount: string;
}

/** A migration that the product reports as done. */
export interface Arrived extends Started {
	/** The token's id on the destination. */
	arrivedToken: string | null;
}

/** Whether KMD has the notarizations that proofs of these chains need. */
async function isNotarized({ kmd, source, destination }: Lab): Promise<boolean> {
	for (const { chain } of [source, destination]) {
		let height = 0;
		for (let n = 0; n < NEEDED; n++) {
			const found = await kmd.client
				.wire('scanNotarisationsDB', String(height), chain, '1440')
				.catch(() => null);
			const at = isJsonObject(found) ? found['height'] : undefined;
			if (!(at instanceof JsonNumber) || at.toNumber() <= 1) return false;
			height = at.toNumber() - 1;
		}
	}
	return true;
}

/**
 * The error with which the source's daemon itself refuses to build this burn, or the destination's daemon refuses
 * token methods; null when neither does.
 */
async function refusalOf({
	from,
	to,
	tokenid,
	amount
}: Omit<Started, 'what' | 'id'>): Promise<string | null> {
	const method = 'migrate_createburntransaction';
	if (tokenid === null) {
		const address = addressOfPubkey(to.pubkey);
		return daemonRefusal(() => from.client.wire(method, to.chain, address, amount));
	}
	return (
		(await daemonRefusal(() => from.client.wire(method, to.chain, to.pubkey, '1', tokenid))) ??
		(await daemonRefusal(() => to.client.wire('tokenlist')))
	);
}

async function start(
	product: ProductClient,
	wanted: Omit<Started, 'what' | 'id'>,
	report: Report
): Promise<Started | null> {
	const { from, to, tokenid, amount } = wanted;
	const what = `${tokenid === null ? 'coins' : 'token'} from ${from.chain} to ${to.chain}`;
	const route = { source: from.chain, destination: to.chain, policy: 'automatic' };
	const drafted =
		tokenid === null
			? await product.submit('/migrations/new', {
					...route,
					address: addressOfPubkey(to.pubkey),
					amount,
					proof: 'notarizations'
				})
			: await product.submit('/migrations/new/token', {
					...route,
					tokenid,
					address: to.pubkey,
					amount
				});
	report.count('migrations');
	if (drafted.kind === 'refused') {
		const refusal = await refusalOf(wanted);
		if (refusal !== null) report.impossible(what, refusal);
		else report.mismatch('migrations', `${what}: the form was refused: ${drafted.shown}`);
		return null;
	}
	const id = drafted.location.slice('/migrations/'.length);
	const confirmed = await product.submit(`${drafted.location}?/confirm`, {});
	if (confirmed.kind === 'refused') {
		report.mismatch('migrations', `${what}: it was not confirmed: ${confirmed.shown}`);
		return null;
	}
	return { what, id, ...wanted };
}

/** States in which the replay stops waiting. */
const ENDS: ReadonlySet<string> = new Set<string>([
	...ARRIVED,
	'stuck',
	'discarded',
	'needs-approval',
	'preflight-failed'
]);

interface Status {
	state: MigrationState;
	words: string;
	reason: string | null;
	arrivedToken: string | null;
}

/** The import of a migration in the product's list of transfers. */
interface Transfer {
	burn: { chain: string };
	to: string;
	value: string | null;
	import: { txid: string } | null;
}

/** The amount that a transaction pays to an address, in the daemon's decoding. */
function paid(tx: JsonValue, address: string): bigint {
	const outputs = isJsonObject(tx) ? tx['vout'] : [];
	if (!Array.isArray(outputs)) return 0n;
	return (outputs as JsonValue[]).reduce<bigint>((sum, output) => {
		if (!isJsonObject(output)) return sum;
		const { scriptPubKey, value } = output;
		const addresses = isJsonObject(scriptPubKey) ? scriptPubKey['addresses'] : null;
		const isTheirs = stringifyJson(addresses ?? null) === stringifyJson([address]);
		return isTheirs && value instanceof JsonNumber ? sum + parseCoins(value.source) : sum;
	}, 0n);
}

/** Checks with the destination's daemon, and with the index, that a migration has arrived. */
export async function checkArrival(
	product: ProductClient,
	{ what, from, to, tokenid, amount, arrivedToken }: Arrived,
	report: Report
): Promise<void> {
	if (tokenid !== null) {
		if (arrivedToken === null) {
			report.mismatch('migrations', `${what}: the page does not name the token that arrived.`);
			return;
		}
		const { balance } = await to.client.call('tokenbalance', arrivedToken, to.pubkey);
		report.same('arrivals', what, 1n, balance);
		return;
	}
	const address = addressOfPubkey(to.pubkey);
	const transfers = await product.rows<Transfer>(
		`transfers?from=${encodeURIComponent(from.chain)}&to=${encodeURIComponent(to.chain)}&what=coins&state=done`
	);
	const amounts: string[] = [];
	for (const { import: arrived } of transfers) {
		if (arrived === null) continue;
		const tx = await to.client.wire('getrawtransaction', arrived.txid, 1);
		amounts.push(formatCoins(paid(tx, address)));
	}
	report.same('arrivals', what, amounts.includes(amount) ? amount : amounts.join(', '), amount);
}

/**
 * Migrates coins and a non-fungible token in both directions.
 * @returns the migrations that the product reports as done
 */
export async function migrate(
	product: ProductClient,
	lab: Lab,
	tokens: ReadonlyMap<string, string | null>,
	waiting: Waiting,
	report: Report
): Promise<Arrived[]> {
	const { source, destination } = lab;
	const seconds = waiting.timeout / 1000;
	if ((await waitFor(waiting, async () => ((await isNotarized(lab)) ? true : null))) === null) {
		report.unfinished(
			'migrations',
			`KMD has no ${NEEDED} notarizations each of ${source.chain} and ${destination.chain} after ${seconds} s. Nothing was burned: migrations need notaries of these daemons, and mining makes none.`
		);
		return [];
	}
	const wanted = [
		{ from: source, to: destination },
		{ from: destination, to: source }
	].flatMap(({ from, to }, n) => {
		const tokenid = tokens.get(from.chain) ?? null;
		const coins = { from, to, tokenid: null, amount: coinsOf(n) };
		return tokenid === null ? [coins] : [coins, { from, to, tokenid, amount: '1' }];
	});
	const started: Started[] = [];
	for (const one of wanted) {
		const migration = await start(product, one, report);
		if (migration !== null) started.push(migration);
		// The next migration must not use the change of this one before it is confirmed.
		await waiting.miner.round();
	}
	const open = new Map(started.map((one) => [one.id, one]));
	const last = new Map<string, Status>();
	await waitFor(waiting, async () => {
		for (const [id, one] of open) {
			const standing = (await product.page(`/migrations/${id}`)) as unknown as Status;
			last.set(id, standing);
			if (!ENDS.has(standing.state)) continue;
			open.delete(id);
			if (hasArrived(standing.state)) report.note(`arrived: ${one.what}`);
			else {
				report.mismatch('migrations', `${one.what}: ${standing.words}. ${standing.reason ?? ''}`);
			}
		}
		return open.size === 0 ? true : null;
	});
	for (const [id, { what }] of open) {
		const { words, reason } = last.get(id)!;
		report.unfinished(
			what,
			`After ${seconds} s: ${words}. ${reason ?? ''} The replay ends here; repeat it with a longer --timeout while its chains are mined and notarized.`
		);
	}
	return started
		.filter(({ id }) => hasArrived(last.get(id)!.state))
		.map((one) => ({ ...one, arrivedToken: last.get(one.id)!.arrivedToken }));
}
