/** The acceptance test against three daemons, from the first token to the last comparison. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn, type ProductClient } from '../support/productClient.ts';
import { startProduct } from '../support/product.ts';
import type { Arguments } from './arguments.ts';
import { compareIndex } from './compareIndex.ts';
import { compareMethods } from './compareMethods.ts';
import { compareNotarizations } from './compareNotarizations.ts';
import { compareTokens } from './compareTokens.ts';
import type { Lab, LabDaemon } from './lab.ts';
import { checkArrival, migrate, type Arrived } from './migrations.ts';
import { devnetMiner, NOBODY, regtestMiner, type Miner } from './miner.ts';
import { reportMismatches } from './misfits.ts';
import type { Report } from './report.ts';
import { makeTokens } from './tokens.ts';
import { waitFor, type Waiting } from './waiting.ts';

function minerOf(lab: Lab, { mines }: Arguments): Miner {
	if (lab.control !== null) return devnetMiner(lab.control, lab);
	return mines ? regtestMiner(lab) : NOBODY;
}

/** The configuration of the product with these daemons. */
function writeConfiguration(folder: string, { daemons }: Lab): string {
	const file = join(folder, 'komodeck.json');
	const entries = daemons.map(({ chain, client: { access } }) => {
		const { url, user, password, dataCarrierSize } = access;
		return { chain, url, user, password, ...(dataCarrierSize === null ? {} : { dataCarrierSize }) };
	});
	writeFileSync(file, JSON.stringify({ daemons: entries }), { mode: 0o600 });
	return file;
}

interface Progress {
	name: string;
	height: number;
	hash: string | null;
	problem: string | null;
}

/**
 * Waits until the index has the tip of each chain.
 * @returns the heights, or null on timeout
 */
async function indexed(
	product: ProductClient,
	{ daemons }: Lab,
	timeout: number,
	report: Report
): Promise<Map<string, number> | null> {
	let behind: string[] = [];
	const found = await waitFor({ miner: { ...NOBODY, pause: 200 }, timeout }, async () => {
		const rows = await product.rows<Progress>('chains');
		const heights = new Map<string, number>();
		behind = [];
		for (const { chain, client } of daemons) {
			const row = rows.find(({ name }) => name === chain);
			if (row?.hash && row.hash === (await client.wire('getbestblockhash'))) {
				heights.set(chain, row.height);
			} else {
				behind.push(`${chain} is at ${row?.height ?? -1}${row?.problem ? `: ${row.problem}` : ''}`);
			}
		}
		return behind.length === 0 ? heights : null;
	});
	if (found === null) {
		report.mismatch(
			'index',
			`It does not reach the tips within ${timeout / 1000} s: ${behind.join('; ')}.`
		);
	}
	return found;
}

/** Maximum time for the index to read existing blocks; test chains are short. */
const INDEX_TIMEOUT_MS = 120_000;

/** A transaction of the daemon's own wallet. */
async function walletTransaction({ client }: LabDaemon): Promise<string> {
	const unspent = await client.call('listunspent');
	return unspent[0]?.txid ?? '';
}

/** Runs everything with a separate server and folder, which are removed afterwards. */
export async function replay(lab: Lab, args: Arguments, report: Report): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-replay-'));
	const miner = minerOf(lab, args);
	const waiting: Waiting = { miner, timeout: args.timeout * 1000 };
	const config = writeConfiguration(folder, lab);
	const server = await startProduct({ dataDir: join(folder, 'data'), config });
	try {
		const product = await signIn(server.url);
		const { kmd, source, destination, daemons } = lab;
		report.note(
			`${daemons.map(({ chain }) => chain).join(', ')} of ${lab.kind}; blocks are made by ${miner.name}.`
		);
		if ((await indexed(product, lab, INDEX_TIMEOUT_MS, report)) === null) return;

		const [ofSource, ofDestination] = await Promise.all([
			makeTokens(product, source, destination.pubkey, waiting, report),
			makeTokens(product, destination, source.pubkey, waiting, report)
		]);
		let arrived: Arrived[] = [];
		if (args.migrates) {
			const tokens = new Map([
				[source.chain, ofSource.nonFungible],
				[destination.chain, ofDestination.nonFungible]
			]);
			arrived = await migrate(product, lab, tokens, waiting, report);
		}

		const heights = await indexed(product, lab, INDEX_TIMEOUT_MS, report);
		if (heights === null) return;
		for (const one of arrived) await checkArrival(product, one, report);
		for (const daemon of daemons) {
			await compareIndex(product, daemon, heights.get(daemon.chain)!, report);
			if (daemon.ccid === 0) continue;
			await compareTokens(
				product,
				daemon,
				daemons.map(({ pubkey }) => pubkey),
				report
			);
		}
		await compareNotarizations(product, lab, report);
		for (const [daemon, tokenid] of [
			[kmd, null],
			[source, ofSource.fungible],
			[destination, ofDestination.fungible]
		] as const) {
			const txid = await walletTransaction(daemon);
			if (txid === '') {
				report.unfinished('methods', `The wallet of ${daemon.chain} holds nothing to ask about.`);
				continue;
			}
			const about = { symbol: source.chain, ccid: source.ccid, txid, tokenid: tokenid ?? txid };
			await compareMethods(product, daemon, about, report);
		}
		reportMismatches(await product.metrics(), daemons.length, report);
	} finally {
		await server.stop();
		if (/"level":(?:50|60)|uncaught/.test(server.log())) {
			const line = server
				.log()
				.split('\n')
				.find((one) => /"level":(?:50|60)|uncaught/.test(one));
			report.mismatch('log', (line ?? '').slice(0, 500));
		}
		rmSync(folder, { recursive: true, force: true });
	}
}
