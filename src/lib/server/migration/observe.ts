/** Looks at the chains for what the next decision about a migration needs. It changes nothing there. */
import { displayHash } from '#lib/chain/bytes.ts';
import type { Gateway } from '#lib/server/gateway/types.ts';
import { UpstreamError } from '#lib/server/gateway/types.ts';
import { isEnough, type Book } from '../backup/book.ts';
import { ReviewError } from './burnReview.ts';
import type { Candidate, Observation, Try } from './decide.ts';
import { reviewApprovedImport, reviewImport } from './importReview.ts';
import {
	askerOf,
	findImport,
	findTransaction,
	firstBlockSince,
	notarizationsDown,
	WINDOW,
	type Asker,
	type NotarizationAt
} from '../gateway/lookup.ts';
import { checkTokenArrival } from './tokenArrival.ts';
import { readBuildRefusal, readCompletionRefusal } from './refusals.ts';
import { MAIN_CHAIN } from './request.ts';
import type { Loaded, MigrationRow } from './store.ts';

/** A proof reaches up to the sixth notarization of the destination after the source's. */
const LADDER = 7;

/** A daemon is not the one that the migration was begun with. */
class WrongDaemonError extends Error {
	override readonly name = 'WrongDaemonError';
	readonly code = 'wrong-daemon';
	readonly chain: string;

	constructor(chain: string, message: string) {
		super(message);
		this.chain = chain;
	}
}

/**
 * Makes sure that a daemon still runs the chain that the record names, with Sapling active.
 * @throws {WrongDaemonError}
 */
async function checkDaemon(ask: Asker, chain: string, ccid: number | null): Promise<void> {
	const info = await ask.call('getinfo');
	if (info.name !== chain || (ccid !== null && info.CCid !== ccid)) {
		throw new WrongDaemonError(
			chain,
			`the daemon ${ask.daemon} now runs ${info.name} with the id ${info.CCid ?? 'none'}.`
		);
	}
	// A chain before Sapling rebuilds transactions in a format that the others refuse.
	if (info.sapling < 0 || info.sapling > info.blocks) {
		throw new WrongDaemonError(chain, 'Sapling is not active on it.');
	}
}

const requestOf = (row: MigrationRow) => ({
	burnTxid: row.burn_txid ?? '',
	payouts: row.payouts ?? '',
	destination: row.destination,
	ccid: Number(row.ccid)
});

async function lookAtBurn(source: Asker, row: MigrationRow): Promise<Observation> {
	await checkDaemon(source, row.source, Number(row.ccid));
	return { about: 'burn', found: await findTransaction(source, row.burn_txid ?? '') };
}

async function build(source: Asker, { row, steps }: Loaded): Promise<Observation> {
	await checkDaemon(source, row.source, Number(row.ccid));
	let hex: string;
	try {
		const burn = steps.get('burn')?.hex ?? '';
		({ ImportTxHex: hex } = await source.call(
			'migrate_createimporttransaction',
			burn,
			row.payouts ?? ''
		));
	} catch (error) {
		return { about: 'build-refused', refusal: readBuildRefusal(error) };
	}
	return { about: 'build', hex, review: reviewImport(hex, requestOf(row)) };
}

/**
 * The destination's notarizations on KMD at or above a height there, oldest first. The window hangs
 * on that height and not on the tip: a burn may be older than a window when it is carried on.
 */
async function targetsSince(
	kmd: Asker,
	destination: string,
	from: number
): Promise<NotarizationAt[]> {
	const { blocks } = await kmd.call('getinfo');
	const list = await notarizationsDown(
		kmd,
		destination,
		'kmd',
		// The daemon leaves the newest block out of its searches.
		Math.min(blocks - 1, from + WINDOW - 1),
		(found) => (found.at(-1)?.height ?? 0) < from
	);
	return list.filter(({ height }) => height >= from).sort((a, b) => a.height - b.height);
}

/** Where to look for roots that the destination recorded. */
interface RootSearch {
	destination: string;
	wanted: readonly string[];
	/** Records of notarizations below this height of the destination are older than any proof here. */
	since: number;
}

/** Roots recorded in the window below a block, newest first, down to the first that is wanted. */
async function rootsBelow(target: Asker, top: number, search: RootSearch): Promise<string[]> {
	const rootOf = ({ data }: NotarizationAt): string[] =>
		data?.momom ? [displayHash(data.momom)] : [];
	const records = await notarizationsDown(target, search.destination, 'back', top, (found) => {
		const last = found.at(-1);
		if (!last) return false;
		const isOlder = last.data !== null && last.data.height < search.since;
		return isOlder || rootOf(last).some((root) => search.wanted.includes(root));
	});
	return records.flatMap(rootOf);
}

/**
 * Says of each candidate whether the destination's own records hold its root: first the newest window,
 * then the one that begins where the burn was made. Between them nothing is read, so a root that is in
 * neither is an open question then, as it is where the destination keeps no records.
 */
async function markKnown(
	candidates: readonly Candidate[],
	{ source, target }: { source: Asker; target: Asker },
	row: MigrationRow,
	since: number
): Promise<void> {
	const wanted = candidates.map(({ review }) => review.root);
	const search: RootSearch = { destination: row.destination, wanted, since };
	const mark = (roots: readonly string[], otherwise: false | null): boolean => {
		for (const candidate of candidates) {
			candidate.known = roots.includes(candidate.review.root) || otherwise;
		}
		return candidates.some(({ known }) => known === true);
	};
	try {
		const { blocks } = await target.call('getinfo');
		const newest = await rootsBelow(target, blocks, search);
		if (mark(newest, false) || blocks <= WINDOW) return;
		const burn = await findTransaction(source, row.burn_txid ?? '');
		if (burn.where !== 'mined') return;
		const first = await firstBlockSince(source, burn.blockhash, target);
		const oldest = Math.min(blocks, first + WINDOW - 1);
		const early = first > blocks - WINDOW ? [] : await rootsBelow(target, oldest, search);
		const allRead = oldest >= blocks - WINDOW;
		mark([...newest, ...early], allRead ? false : null);
	} catch (error) {
		if (!(error instanceof UpstreamError) || error.code !== 'rpc') throw error;
		mark([], null);
	}
}

/** Climbs the ladder of offsets: first none, then one for each later notarization of the destination. */
async function complete(
	kmd: Asker,
	ends: { source: Asker; target: Asker },
	{ row, steps }: Loaded
): Promise<Observation> {
	await checkDaemon(kmd, MAIN_CHAIN, null);
	const first = steps.get('import-built')?.hex ?? '';
	const request = requestOf(row);
	const { notarization } = reviewImport(first, request);
	const recorded = await findTransaction(kmd, notarization);
	if (recorded.where !== 'mined') {
		const words = 'Notarisation not found';
		return { about: 'completion-refused', refusal: { verdict: 'wait', words } };
	}
	const targets = await targetsSince(kmd, row.destination, recorded.height);
	const heights = targets.map(({ height }) => height);
	const [base = 0] = heights;
	const candidates: Candidate[] = [];
	const tried: Try[] = [];
	// The daemon is asked without an offset even when no notarization is seen here: its word counts.
	for (const height of heights.length === 0 ? [0] : heights.slice(0, LADDER)) {
		const offset = height - base;
		try {
			const { ImportTxHex: hex } =
				offset === 0
					? await kmd.call('migrate_completeimporttransaction', first)
					: await kmd.call('migrate_completeimporttransaction', first, offset);
			candidates.push({ offset, hex, review: reviewImport(hex, request), known: null });
			tried.push({ offset, outcome: 'completed' });
		} catch (error) {
			const refusal = readCompletionRefusal(error);
			if (refusal.verdict === 'unreachable' || refusal.verdict === 'final') {
				return { about: 'completion-refused', refusal };
			}
			tried.push({ offset, outcome: refusal.words });
		}
	}
	if (candidates.length === 0) {
		const words = tried.at(-1)?.outcome ?? '';
		return { about: 'completion-refused', refusal: { verdict: 'wait', words } };
	}
	await markKnown(candidates, ends, row, targets[0]?.data?.height ?? 0);
	return { about: 'completion', candidates, tried };
}

/**
 * Whether a block of the source still holds the burn; while that does not matter yet, a source that does
 * not answer is taken for yes.
 * @throws {UpstreamError} {WrongDaemonError}
 */
async function stands(source: Asker, row: MigrationRow, matters: boolean): Promise<boolean> {
	try {
		await checkDaemon(source, row.source, Number(row.ccid));
		return (await findTransaction(source, row.burn_txid ?? '')).where === 'mined';
	} catch (error) {
		const passing = error instanceof UpstreamError || error instanceof WrongDaemonError;
		if (matters || !passing) throw error;
		return true;
	}
}

/** How the approvals of a burn are asked for. */
export type Recheck = Pick<Book, 'recheck'>;

/**
 * Looks the approvals up again, and builds the import when they are enough and the burn still stands. Its
 * source has to answer for that only: how many approvals there are is told without it.
 */
async function collect(
	ends: { source: Asker; target: Asker },
	{ row, steps }: Loaded,
	book: Recheck
): Promise<Observation> {
	const { source, target } = ends;
	await checkDaemon(target, row.destination, Number(row.ccid));
	const { blocks: height } = await target.call('getinfo');
	const burnTxid = row.burn_txid ?? '';
	const counted = await book.recheck({ burnTxid, daemon: row.destination_daemon });
	const enough = isEnough(counted);
	if (!(await stands(source, row, enough))) {
		return { about: 'build-refused', refusal: { verdict: 'back-to-burn', words: '' } };
	}
	if (!enough) {
		const { mined, pending, unknown } = counted;
		return { about: 'approvals', count: { counted: mined.length, pending, unknown } };
	}
	const txids = counted.mined.map(({ txid }) => txid);
	let hex: string;
	try {
		({ ImportTxHex: hex } = await source.call(
			'migrate_createimporttransaction',
			steps.get('burn')?.hex ?? '',
			row.payouts ?? '',
			...txids
		));
	} catch (error) {
		return { about: 'build-refused', refusal: readBuildRefusal(error) };
	}
	const { txid } = reviewApprovedImport(hex, requestOf(row), txids);
	const notaries = counted.mined.map(({ notary }) => notary);
	return { about: 'approved-build', hex, txid, approvals: { txids, notaries, height } };
}

async function lookAtImport(target: Asker, loaded: Loaded): Promise<Observation> {
	const { row, steps } = loaded;
	await checkDaemon(target, row.destination, Number(row.ccid));
	const own = steps.get('import-sent')?.txid ?? '';
	const found = await findTransaction(target, own);
	const search =
		found.where === 'absent'
			? await findImport(target, row.burn_txid ?? '', row.import_scan_from)
			: null;
	const mined =
		found.where === 'mined' ? own : search?.found?.where === 'mined' ? search.found.txid : null;
	if (mined !== null && row.tokenid !== null) await checkTokenArrival(target, loaded, mined);
	return { about: 'import', found, search };
}

async function look(gateway: Gateway, loaded: Loaded, book: Recheck): Promise<Observation | null> {
	const { row } = loaded;
	const source = askerOf(gateway, row.source_daemon);
	const target = askerOf(gateway, row.destination_daemon);
	switch (row.state) {
		case 'burn-unknown':
		case 'burn-pending':
			return lookAtBurn(source, row);
		case 'burn-confirmed':
		case 'waiting-back-notarization':
			if (row.route === 'backup') return collect({ source, target }, loaded, book);
			return build(source, loaded);
		case 'backup-collecting':
			return collect({ source, target }, loaded, book);
		case 'import-built':
		case 'waiting-target-notarization':
			return complete(askerOf(gateway, row.kmd_daemon), { source, target }, loaded);
		case 'import-unknown':
		case 'import-pending':
			return lookAtImport(target, loaded);
		default:
			return null;
	}
}

/** What the next decision needs to know; a daemon that does not answer is an observation, too. */
export async function observe(
	gateway: Gateway,
	loaded: Loaded,
	book: Recheck
): Promise<Observation | null> {
	try {
		return await look(gateway, loaded, book);
	} catch (error) {
		if (error instanceof UpstreamError) {
			return { about: 'no-answer', chain: error.daemon, words: error.message };
		}
		if (error instanceof WrongDaemonError) {
			return { about: 'no-answer', chain: error.chain, words: error.message };
		}
		if (error instanceof ReviewError) return { about: 'review', words: error.message };
		throw error;
	}
}
