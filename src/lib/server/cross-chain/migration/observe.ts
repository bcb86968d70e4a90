/** Looks at the chains for what the next decision about a migration needs. It changes nothing there. */
import { displayHash } from '#lib/chain/bytes.ts';
import { IMPORT_INDEX } from '#lib/chain/importProof.ts';
import { readableTransaction } from '#lib/chain/transaction.ts';
import { recordedError } from '#lib/messages/errors/recorded.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { Rights } from '../../access/policy/limits/rights.ts';
import {
	daemonClientOf,
	findAnywhere,
	findImport,
	findTransaction,
	firstBlockSince,
	notarizationsDown,
	WINDOW,
	type DaemonClient,
	syncing,
	type NotarizationAt,
	type Whereabouts
} from '../../chains/daemon/lookup.ts';
import type { FinalityRule } from '../../platform/config/finality.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { outlookOf } from '../../wallet/transactions/refusedOutlook.ts';
import { isEnough, type Book } from '../notary-approvals/book.ts';
import type { ProofWindow } from './decisions/proofWindow.ts';
import type { Approvals, BurnPlace, Candidate, StepEvent, Try } from './decisions/stepEvent.ts';
import { reviewApprovedImport, reviewImport } from './importReview.ts';
import { readBuildRefusal, readCompletionRefusal, type Refusal } from './refusals.ts';
import { MAIN_CHAIN } from './request.ts';
import { refusalOfBurn } from './decisions/burn.ts';
import { isKept } from './resume.ts';
import type { MigrationRecord, MigrationRow } from './migrationRecord.ts';
import type { MigrationState } from './states.ts';
import { checkTokenArrival } from './tokenArrival.ts';

/** A proof reaches up to the sixth notarization of the destination after the source's. */
const OFFSET_ATTEMPTS = 7;

/** A daemon is not the one that the migration was begun with. */
const WRONG_DAEMON = ['engine.wrong-chain', 'engine.no-sapling'] as const;

/**
 * Makes sure that a daemon still runs the chain that the record names, with Sapling active.
 * @throws {AppError} {@link WRONG_DAEMON}
 */
async function checkDaemon(
	client: DaemonClient,
	chain: string,
	ccid: number | null
): Promise<{ blocks: number; notarized: number }> {
	const info = await client.call('getinfo');
	if (info.name !== chain || (ccid !== null && info.CCid !== ccid)) {
		const params = { chain, daemon: client.daemon, name: info.name, ccid: info.CCid ?? null };
		throw new AppError('engine.wrong-chain', params);
	}
	// A chain before Sapling rebuilds transactions in a format that the others refuse.
	if (info.sapling < 0 || info.sapling > info.blocks) {
		throw new AppError('engine.no-sapling', { chain });
	}
	return { blocks: info.blocks, notarized: info.notarized };
}

const requestOf = (row: MigrationRow) => ({
	burnTxid: row.burn_txid ?? '',
	payouts: row.payouts ?? '',
	destination: row.destination,
	ccid: Number(row.ccid)
});

/** What a look may ask besides daemons. */
export interface Looking {
	gateway: Gateway;
	/** The approvals of published burns. */
	book: Recheck;
	/** When a block of a chain is final. */
	ruleOf: (chain: string) => FinalityRule;
	/** Txid of the import of a burn that the index has of a chain; null for none. Only a hint: the daemon is asked. */
	indexedImport: (chain: string, burnTxid: string) => Promise<string | null>;
	/** Why what this person confirmed may not go out from the wallet of a daemon now. */
	sendRefusal: Rights['sendRefusal'];
}

/**
 * Who confirmed a burn that no daemon has shown yet, where it may not go out any more: it may have waited long for its
 * daemon, and they may have lost the account, the role or the wallet in that time. Null: it may go out.
 */
export async function keptBurn(
	{ sendRefusal }: Pick<Looking, 'sendRefusal'>,
	{ row, steps }: MigrationRecord
): Promise<string | null> {
	const burn = steps.get('burn');
	// What was out already goes out again as it is; of a burn that was made elsewhere nobody here confirmed anything.
	if (!burn || burn.doneAt !== null || row.pubkey === null) return null;
	const { confirmedBy = row.created_by } = burn.evidence;
	if (confirmedBy === null) return null;
	const no = await sendRefusal(confirmedBy, row.source_daemon, 'migration burn');
	return no === null ? null : confirmedBy;
}

async function lookAtBurn(
	source: DaemonClient,
	migration: MigrationRecord,
	{ sendRefusal, ruleOf }: Looking
): Promise<StepEvent> {
	const { row, steps } = migration;
	const { blocks: tip, notarized } = await checkDaemon(source, row.source, Number(row.ccid));
	// What waited is not lost while the daemon reads its chain anew: it may stand in a block that is left to read.
	const find = row.state === 'burn-pending' ? findAnywhere : findTransaction;
	const found = await find(source, row.burn_txid ?? '');
	const burn = steps.get('burn');
	if (found.where !== 'absent' || !burn?.hex) return { about: 'burn', found, outlook: null };
	if (refusalOfBurn(migration) === null && !isKept(row)) {
		const kept = row.state === 'burn-unknown' ? await keptBurn({ sendRefusal }, migration) : null;
		return { about: 'burn', found, outlook: null, ...(kept === null ? {} : { kept }) };
	}
	const rule = ruleOf(row.source);
	const { spentSince = null } = burn.evidence;
	const outlook = await outlookOf(source, burn.hex, { tip, notarized, rule }, spentSince);
	return { about: 'burn', found, outlook };
}

/** Whether a block of the source holds the burn: without one, a daemon must not be asked to build. */
async function lookBeforeBuild(
	source: DaemonClient,
	migration: MigrationRecord
): Promise<StepEvent> {
	const burn = await burnStatus(source, migration, true);
	if (!burn.stands) return { about: 'burn-gone' };
	const { at, tip } = burn;
	return { about: 'burn-stands', approvals: null, burnAt: at, ...(tip === null ? {} : { tip }) };
}

/** Builds the import, from the proof of notarizations or from approvals; the look before it was taken. */
export async function build(
	source: DaemonClient,
	{ row, steps }: MigrationRecord,
	approvals: Approvals | null
): Promise<StepEvent> {
	const burn = steps.get('burn')?.hex ?? '';
	const txids = approvals?.txids ?? [];
	let hex: string;
	try {
		({ ImportTxHex: hex } = await source.call(
			'migrate_createimporttransaction',
			burn,
			row.payouts ?? '',
			...txids
		));
	} catch (error) {
		return { about: 'build-refused', refusal: readBuildRefusal(error) };
	}
	try {
		if (approvals === null)
			return { about: 'build', hex, review: reviewImport(hex, requestOf(row)) };
		const { txid } = reviewApprovedImport(hex, requestOf(row), txids);
		return { about: 'approved-build', hex, txid, approvals };
	} catch (error) {
		if (isAppError(error, 'review')) return { about: 'review', error: recordedError(error) };
		throw error;
	}
}

/**
 * The destination's notarizations on KMD at or above a height there, oldest first. The window hangs
 * on that height and not on the tip: a burn may be older than a window when it is carried on.
 */
async function targetsSince(
	kmd: DaemonClient,
	destination: string,
	{ from, tip }: ProofWindow
): Promise<NotarizationAt[]> {
	const list = await notarizationsDown(
		kmd,
		destination,
		'kmd',
		// The daemon leaves the newest block out of its searches.
		Math.min(tip - 1, from + WINDOW - 1),
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

/** Notarizations of older blocks after which nothing newer is looked for: one alone may have come late. */
const OLDER_IN_A_ROW = 4;

/**
 * Roots recorded in the window below a block, newest first, until all that are wanted are found: the newest alone may
 * belong to a notarization that the destination never recorded, and then it is refused.
 */
async function rootsBelow(
	target: DaemonClient,
	top: number,
	search: RootSearch
): Promise<string[]> {
	const rootOf = ({ data }: NotarizationAt): string[] =>
		data?.momom ? [displayHash(data.momom)] : [];
	const missing = new Set(search.wanted);
	let older = 0;
	const records = await notarizationsDown(target, search.destination, 'back', top, (found) => {
		const last = found.at(-1);
		if (!last) return false;
		for (const root of rootOf(last)) missing.delete(root);
		older = last.data !== null && last.data.height < search.since ? older + 1 : 0;
		return older >= OLDER_IN_A_ROW || missing.size === 0;
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
	{ source, target }: { source: DaemonClient; target: DaemonClient },
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
		if (!isAppError(error, 'daemon.rpc-error')) throw error;
		mark([], null);
	}
}

/** Completes the proof of a burn that still stands. */
async function complete(
	kmd: DaemonClient,
	ends: { source: DaemonClient; target: DaemonClient },
	migration: MigrationRecord
): Promise<StepEvent> {
	const burn = await burnStatus(ends.source, migration, false);
	if (!burn.stands) return { about: 'burn-gone' };
	return { ...(await tryOffsets(kmd, ends, migration)), burnAt: burn.at };
}

/** Completes the proof without an offset first, then with that of each later notarization of the destination. */
async function tryOffsets(
	kmd: DaemonClient,
	ends: { source: DaemonClient; target: DaemonClient },
	{ row, steps }: MigrationRecord
): Promise<StepEvent> {
	const { blocks: tip } = await checkDaemon(kmd, MAIN_CHAIN, null);
	const first = steps.get('import-built')?.hex ?? '';
	const request = requestOf(row);
	const { notarization } = reviewImport(first, request);
	const recorded = await findAnywhere(kmd, notarization);
	if (recorded.where !== 'mined') {
		const refusal = { verdict: 'no-notarization', response: '' } as const;
		return { about: 'completion-refused', refusal };
	}
	const searched = { from: recorded.height, tip };
	const targets = await targetsSince(kmd, row.destination, searched);
	const heights = targets.map(({ height }) => height);
	const [base = 0] = heights;
	const candidates: Candidate[] = [];
	const tried: Try[] = [];
	let last: Refusal = { verdict: 'wait', response: '' };
	// The daemon is asked without an offset even when no notarization is seen here: its word counts.
	for (const height of heights.length === 0 ? [0] : heights.slice(0, OFFSET_ATTEMPTS)) {
		const offset = height - base;
		try {
			const { ImportTxHex: hex } =
				offset === 0
					? await kmd.call('migrate_completeimporttransaction', first)
					: await kmd.call('migrate_completeimporttransaction', first, offset);
			candidates.push({ offset, hex, review: reviewImport(hex, request), known: null });
			tried.push({ offset, refusal: null });
		} catch (error) {
			const refusal = readCompletionRefusal(error);
			tried.push({ offset, refusal });
			last = refusal;
			// Proofs that were completed before are good all the same.
			if (['unreachable', 'passing', 'final'].includes(refusal.verdict)) break;
		}
	}
	if (candidates.length === 0) return { about: 'completion-refused', refusal: last, searched };
	await markKnown(candidates, ends, row, targets[0]?.data?.height ?? 0);
	return { about: 'completion', candidates, tried };
}

/**
 * Whether a block of the source still holds the burn, and which, below which tip; while that does not matter yet, a
 * source that does not answer is taken for yes.
 * @throws {AppError} `daemon` {@link WRONG_DAEMON}
 */
async function burnStatus(
	source: DaemonClient,
	{ row, steps }: MigrationRecord,
	matters: boolean
): Promise<{ stands: false } | { stands: true; at: BurnPlace | null; tip: number | null }> {
	try {
		const { blocks } = await checkDaemon(source, row.source, Number(row.ccid));
		const found = await findTransaction(source, row.burn_txid ?? '');
		const height = steps.get('burn-confirmed')?.evidence.height ?? 0;
		// It reads its chain anew and has not come to the block of the burn: that is no answer.
		if (found.where === 'absent' && blocks < height) {
			throw syncing(source, 'getrawtransaction', blocks, height);
		}
		if (found.where !== 'mined') return { stands: false };
		const at = { height: found.height, blockhash: found.blockhash };
		return { stands: true, at, tip: blocks };
	} catch (error) {
		const passing = isAppError(error, 'daemon', ...WRONG_DAEMON);
		if (matters || !passing) throw error;
		return { stands: true, at: null, tip: null };
	}
}

/** How the approvals of a burn are asked for. */
export type Recheck = Pick<Book, 'recheck'>;

/**
 * Looks the approvals up again, and builds the import when they are enough and the burn still stands. Its
 * source has to answer for that only: how many approvals there are is told without it.
 */
async function collect(
	ends: { source: DaemonClient; target: DaemonClient },
	migration: MigrationRecord,
	book: Recheck
): Promise<StepEvent> {
	const { row } = migration;
	const { source, target } = ends;
	await checkDaemon(target, row.destination, Number(row.ccid));
	const { blocks: height } = await target.call('getinfo');
	const burnTxid = row.burn_txid ?? '';
	const counted = await book.recheck({ burnTxid, daemon: row.destination_daemon });
	const enough = isEnough(counted);
	const burn = await burnStatus(source, migration, enough);
	if (!burn.stands) return { about: 'burn-gone' };
	if (!enough) {
		const { mined, pending, unknown } = counted;
		const count = { counted: mined.length, pending, unknown };
		return { about: 'approvals', count, burnAt: burn.at };
	}
	const txids = counted.mined.map(({ txid }) => txid);
	const notaries = counted.mined.map(({ notary }) => notary);
	return { about: 'burn-stands', approvals: { txids, notaries, height }, burnAt: burn.at };
}

async function lookAtImport(
	{ source, target }: { source: DaemonClient; target: DaemonClient },
	migration: MigrationRecord,
	rule: FinalityRule
): Promise<StepEvent> {
	const { row, steps } = migration;
	const { blocks: tip, notarized } = await checkDaemon(target, row.destination, Number(row.ccid));
	const own = steps.get('import-sent')?.txid ?? null;
	const found: Whereabouts =
		own === null ? { where: 'absent' } : await findTransaction(target, own);
	const search =
		found.where === 'absent'
			? await findImport(target, row.burn_txid ?? '', row.import_scan_from)
			: null;
	const mined =
		found.where === 'mined' ? own : search?.found?.where === 'mined' ? search.found.txid : null;
	if (mined !== null && row.tokenid !== null) await checkTokenArrival(target, migration, mined);
	// Before an import goes out its burn has to stand. The source of a proven burn may be away: a notarization
	// holds it.
	const goesOut = row.state === 'import-unknown' && search?.complete === true && !search.found;
	if (goesOut && !(await burnStatus(source, migration, row.path === 'backup')).stands) {
		return { about: 'burn-gone' };
	}
	return { about: 'import', found, search, chain: { tip, notarized, rule } };
}

/** States in which a proof, approvals or a word for the import are waited for, and somebody else may have sent one. */
const AWAITING: readonly MigrationState[] = [
	'burn-confirmed',
	'waiting-back-notarization',
	'import-built',
	'waiting-target-notarization',
	'backup-collecting',
	'needs-approval'
];

/** The import that somebody else has brought into a block; null where the index has none, or the daemon not any more. */
async function importedElsewhere(
	{ indexedImport, ruleOf }: Looking,
	target: DaemonClient,
	migration: MigrationRecord
): Promise<StepEvent | null> {
	const { row } = migration;
	const burnTxid = row.burn_txid ?? '';
	const txid = await indexedImport(row.destination, burnTxid);
	if (txid === null) return null;
	const { blocks: tip, notarized } = await checkDaemon(target, row.destination, Number(row.ccid));
	const found = await findTransaction(target, txid);
	if (found.where !== 'mined') return null;
	const [input] = readableTransaction(found.hex)?.vin ?? [];
	if (input?.vout !== IMPORT_INDEX || input.txid !== burnTxid) return null;
	if (row.tokenid !== null) await checkTokenArrival(target, migration, txid);
	return {
		about: 'import',
		found: { where: 'absent' },
		search: {
			found: { txid, where: 'mined', height: found.height },
			from: row.import_scan_from,
			complete: true
		},
		chain: { tip, notarized, rule: ruleOf(row.destination) }
	};
}

async function look(looking: Looking, migration: MigrationRecord): Promise<StepEvent | null> {
	const { row, steps } = migration;
	const { gateway, book, ruleOf } = looking;
	const source = daemonClientOf(gateway, row.source_daemon);
	const target = daemonClientOf(gateway, row.destination_daemon);
	if (AWAITING.includes(row.state)) {
		const imported = await importedElsewhere(looking, target, migration);
		if (imported !== null) return imported;
	}
	switch (row.state) {
		case 'burn-unknown':
		case 'burn-pending':
			return lookAtBurn(source, migration, looking);
		case 'burn-confirmed':
		case 'waiting-back-notarization':
			if (row.path === 'backup') return collect({ source, target }, migration, book);
			return lookBeforeBuild(source, migration);
		case 'backup-collecting':
			return collect({ source, target }, migration, book);
		case 'import-built':
		case 'waiting-target-notarization':
			return complete(daemonClientOf(gateway, row.kmd_daemon), { source, target }, migration);
		case 'needs-approval': {
			const burn = await burnStatus(source, migration, true);
			return burn.stands ? { about: 'approval-awaited', burnAt: burn.at } : { about: 'burn-gone' };
		}
		case 'import-unknown':
		case 'import-pending':
		case 'done':
			return lookAtImport({ source, target }, migration, ruleOf(row.destination));
		case 'stuck': {
			const isBurnOpen = !steps.get('burn-confirmed')?.doneAt || refusalOfBurn(migration) !== null;
			return isBurnOpen
				? lookAtBurn(source, migration, looking)
				: lookAtImport({ source, target }, migration, ruleOf(row.destination));
		}
		default:
			return null;
	}
}

/** The next event of a migration; a daemon that does not answer is one, too. */
export async function observe(
	looking: Looking,
	migration: MigrationRecord
): Promise<StepEvent | null> {
	try {
		return await look(looking, migration);
	} catch (error) {
		if (isAppError(error, 'daemon')) {
			const { coded, params } = error;
			const unreadable = isAppError(
				error,
				'daemon.validation-mismatch',
				'daemon.not-rpc',
				'daemon.too-large'
			);
			return {
				about: 'no-answer',
				reason: {
					code: unreadable ? 'daemon.unreadable' : 'daemon.no-answer',
					params: { chain: params.daemon, error: coded }
				}
			};
		}
		if (isAppError(error, 'engine.wrong-chain')) {
			return { about: 'no-answer', reason: { code: 'daemon.wrong-chain', params: error.params } };
		}
		if (isAppError(error, 'engine.no-sapling')) {
			return { about: 'no-answer', reason: { code: 'daemon.no-sapling', params: error.params } };
		}
		if (isAppError(error, 'review')) return { about: 'review', error: recordedError(error) };
		throw error;
	}
}
