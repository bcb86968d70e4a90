/** Checks the chains for what the next decision about a migration needs. Changes nothing on them. */
import { APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import { MAIN_CHAIN } from '#lib/chain/mainChain.ts';
import { NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import { displayHash } from '#lib/chain/bytes.ts';
import { IMPORT_INDEX } from '#lib/chain/importProof.ts';
import { readableTransaction } from '#lib/chain/transaction.ts';
import { recordedError } from '#lib/messages/errors/recorded.ts';
import type { DaemonClient, Gateway } from '#lib/server/chains/daemon/types.ts';
import type { Rights } from '../../access/policy/limits/rights.ts';
import {
	daemonClientOf,
	findAnywhere,
	findImport,
	findSeen,
	findTransaction,
	firstBlockSince,
	notarizationsDown,
	type FoundImport,
	syncing,
	type NotarizationAt,
	type Whereabouts
} from '../../chains/daemon/lookup.ts';
import type { FinalityRule } from '../../platform/config/finality.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { outlookOf } from '../../wallet/transactions/refusedOutlook.ts';
import type { ProofWindow } from './decisions/proofWindow.ts';
import type { Approvals, BurnPlace, Candidate, StepEvent, Try } from './decisions/stepEvent.ts';
import { reviewApprovedImport, reviewImport } from './importReview.ts';
import { readBuildRefusal, readCompletionRefusal, type Refusal } from './refusals.ts';
import { refusalOfBurn } from './decisions/burn.ts';
import { isKept } from './resume.ts';
import type { MigrationRecord, MigrationRow } from './migrationRecord.ts';
import type { MigrationState } from './states.ts';
import { checkTokenArrival } from './tokenArrival.ts';

/** A proof can reach up to the sixth notarization of the destination after that of the source. */
const OFFSET_ATTEMPTS = 7;

/** Errors of a daemon that is not the one that the migration began with. */
const WRONG_DAEMON = ['engine.wrong-chain', 'engine.no-sapling'] as const;

/** Checks that a daemon runs the chain in the record, with Sapling active. @throws {AppError} {@link WRONG_DAEMON} */
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
	// Before Sapling, a chain rebuilds transactions in a format that the others refuse.
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

/** Dependencies of the checks. */
export interface Looking {
	gateway: Gateway;
	/** Looks up the approvals of a published burn. */
	recheckApprovals: RecheckApprovals;
	/** When a block of a chain is final. */
	ruleOf: (chain: string) => FinalityRule;
	/** Returns the import of a burn by the index; null for none. Only a hint, which the daemon confirms. */
	indexedImport: (chain: string, burnTxid: string) => Promise<string | null>;
	/** Returns why a member may not send from the wallet of a daemon now. */
	sendRefusal: Rights['sendRefusal'];
}

/**
 * Returns the member who confirmed a burn that no daemon has listed yet, if they may no longer send it: the daemon
 * may have been away for long, and the member may have lost the account, the role or the wallet. Null when the burn
 * may be sent.
 */
export async function keptBurn(
	{ sendRefusal }: Pick<Looking, 'sendRefusal'>,
	{ row, steps }: MigrationRecord
): Promise<string | null> {
	const burn = steps.get('burn');
	// A burn that was on the network is sent again unchanged, and one made elsewhere was not confirmed here.
	if (!burn || burn.doneAt !== null || row.pubkey === null) return null;
	const { confirmedBy = row.created_by } = burn.evidence;
	if (confirmedBy === null) return null;
	const no = await sendRefusal(confirmedBy, row.source_daemon, 'migration burn');
	return no === null ? null : confirmedBy;
}

/** Height of the block that contained the burn; null before that. */
const confirmedAt = ({ steps }: MigrationRecord): number | null =>
	steps.get('burn-confirmed')?.evidence.height ?? null;

/** Looks the burn up, also in the block that contained it. */
const findBurn = (source: DaemonClient, migration: MigrationRecord): Promise<Whereabouts> =>
	findSeen(source, {
		txid: migration.row.burn_txid ?? '',
		hex: migration.steps.get('burn')?.hex ?? '',
		height: confirmedAt(migration)
	});

async function lookAtBurn(
	source: DaemonClient,
	migration: MigrationRecord,
	{ sendRefusal, ruleOf }: Looking
): Promise<StepEvent> {
	const { row, steps } = migration;
	const { blocks: tip, notarized } = await checkDaemon(source, row.source, Number(row.ccid));
	// While the daemon reads its chain again, the burn may be in a block that it has not read yet.
	const burn = steps.get('burn');
	const found =
		row.state === 'burn-pending'
			? await findAnywhere(source, row.burn_txid ?? '', { mayBeOld: false })
			: await findBurn(source, migration);
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

/** Checks that a block of the source contains the burn: otherwise the daemon must not be asked to build. */
async function lookBeforeBuild(
	source: DaemonClient,
	migration: MigrationRecord
): Promise<StepEvent> {
	const burn = await burnStatus(source, migration, true);
	if (!burn.stands) return { about: 'burn-gone' };
	const { at, tip } = burn;
	return { about: 'burn-stands', approvals: null, burnAt: at, ...(tip === null ? {} : { tip }) };
}

/** Builds the import, by a proof of notarizations or with approvals. The burn has been checked before. */
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
 * Returns the destination's notarizations on KMD at or above a height there, oldest first. The window starts at
 * that height instead of ending at the tip, because a burn may be older than a window when its migration continues.
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
		// The daemon leaves the tip out of its searches.
		Math.min(tip - 1, from + NOTARIZATION_WINDOW - 1),
		(found) => (found.at(-1)?.height ?? 0) < from
	);
	return list.filter(({ height }) => height >= from).sort((a, b) => a.height - b.height);
}

/** A search for roots that the destination has recorded. */
interface RootSearch {
	destination: string;
	wanted: readonly string[];
	/** Notarizations below this height of the destination are older than any proof here. */
	since: number;
}

/** Consecutive older notarizations after which the search ends: a single one may only be late. */
const OLDER_IN_A_ROW = 4;

/**
 * Returns the recorded roots in the window below a block, newest first, until all that are wanted are found: the
 * newest alone may belong to a notarization that the destination never recorded, and would be refused.
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
 * Marks for each candidate whether the destination has recorded its root: first the newest window is read, then the
 * one from the time of the burn. The blocks between them are not read, so a root in neither is unknown (null) if
 * there are any, and also if the destination keeps no records.
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
		if (mark(newest, false) || blocks <= NOTARIZATION_WINDOW) return;
		const burn = await findTransaction(source, row.burn_txid ?? '');
		if (burn.where !== 'mined') return;
		const first = await firstBlockSince(source, burn.blockhash, target);
		const oldest = Math.min(blocks, first + NOTARIZATION_WINDOW - 1);
		const early =
			first > blocks - NOTARIZATION_WINDOW ? [] : await rootsBelow(target, oldest, search);
		const allRead = oldest >= blocks - NOTARIZATION_WINDOW;
		mark([...newest, ...early], allRead ? false : null);
	} catch (error) {
		if (!isAppError(error, 'daemon.rpc-error')) throw error;
		mark([], null);
	}
}

/** Completes the proof of a burn that is still in a block. */
async function complete(
	kmd: DaemonClient,
	ends: { source: DaemonClient; target: DaemonClient },
	migration: MigrationRecord
): Promise<StepEvent> {
	const burn = await burnStatus(ends.source, migration, false);
	if (!burn.stands) return { about: 'burn-gone' };
	return { ...(await tryOffsets(kmd, ends, migration)), burnAt: burn.at };
}

/** Tries to complete the proof without an offset, then with that of each later notarization of the destination. */
async function tryOffsets(
	kmd: DaemonClient,
	ends: { source: DaemonClient; target: DaemonClient },
	{ row, steps }: MigrationRecord
): Promise<StepEvent> {
	const { blocks: tip } = await checkDaemon(kmd, MAIN_CHAIN, null);
	const first = steps.get('import-built')?.hex ?? '';
	const request = requestOf(row);
	const { notarization } = reviewImport(first, request);
	const recorded = await findAnywhere(kmd, notarization, { mayBeOld: false });
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
	// KMD is asked without an offset even if no notarization is found here, because its answer decides.
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
			// Proofs that were completed before are still valid.
			if (['unreachable', 'passing', 'final'].includes(refusal.verdict)) break;
		}
	}
	if (candidates.length === 0) return { about: 'completion-refused', refusal: last, searched };
	await markKnown(candidates, ends, row, targets[0]?.data?.height ?? 0);
	return { about: 'completion', candidates, tried };
}

/**
 * Returns whether a block of the source still contains the burn, which one, and the tip. A source that does not
 * answer counts as yes, unless `matters`.
 * @throws {AppError} `daemon` {@link WRONG_DAEMON}
 */
async function burnStatus(
	source: DaemonClient,
	migration: MigrationRecord,
	matters: boolean
): Promise<{ stands: false } | { stands: true; at: BurnPlace | null; tip: number | null }> {
	const { row } = migration;
	try {
		const { blocks } = await checkDaemon(source, row.source, Number(row.ccid));
		const height = confirmedAt(migration);
		const found = await findBurn(source, migration);
		// The daemon is reading its chain again and has not reached the burn's block: it cannot say.
		if (found.where === 'absent' && height !== null && blocks < height) {
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

/** The approvals of a burn, as its import needs them. */
export interface BurnApprovals {
	/** One for each notary, oldest first. */
	mined: { txid: string; notary: string }[];
	/** Number of further notaries, whose approval is pending. */
	pending: number;
	unknown: number;
}

/**
 * Looks up every approval of a burn again on a daemon of the destination.
 * @throws {AppError} `daemon` when it cannot be asked
 */
export type RecheckApprovals = (burn: {
	burnTxid: string;
	daemon: string;
}) => Promise<BurnApprovals>;

/**
 * Looks up the approvals again, and has the import built when there are enough and the burn is still in a block.
 * Only then does the source have to answer; the number of approvals is known without it.
 */
async function collect(
	ends: { source: DaemonClient; target: DaemonClient },
	migration: MigrationRecord,
	recheckApprovals: RecheckApprovals
): Promise<StepEvent> {
	const { row } = migration;
	const { source, target } = ends;
	await checkDaemon(target, row.destination, Number(row.ccid));
	const { blocks: height } = await target.call('getinfo');
	const burnTxid = row.burn_txid ?? '';
	const counted = await recheckApprovals({ burnTxid, daemon: row.destination_daemon });
	const enough = counted.mined.length >= APPROVALS_NEEDED;
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
	// Before an import is sent, its burn must be in a block. With a proof, the source may be away, because the burn
	// is notarized. A stopped migration has to have its burn too.
	const goesOut = row.state === 'import-unknown';
	if ((goesOut || row.state === 'stuck') && search?.complete === true && !search.found) {
		const burn = await burnStatus(source, migration, goesOut && row.path === 'backup');
		if (!burn.stands) return { about: 'burn-gone' };
	}
	return { about: 'import', found, search, chain: { tip, notarized, rule } };
}

/** States that wait for a proof, notary approvals or a member's approval, while someone else may send the import. */
const AWAITING: readonly MigrationState[] = [
	'burn-confirmed',
	'waiting-back-notarization',
	'import-built',
	'waiting-target-notarization',
	'backup-collecting',
	'needs-approval'
];

/** Returns the import of a burn with this txid; null when the daemon has none. @throws {AppError} `daemon` */
async function importWith(
	target: DaemonClient,
	burnTxid: string,
	txid: string
): Promise<FoundImport | null> {
	const found = await findTransaction(target, txid);
	if (found.where === 'absent') return null;
	const [input] = readableTransaction(found.hex)?.vin ?? [];
	if (input?.vout !== IMPORT_INDEX || input.txid !== burnTxid) return null;
	return found.where === 'mined'
		? { txid, where: 'mined', height: found.height }
		: { txid, where: 'mempool' };
}

/**
 * Returns the import that the index has, because someone else sent it, or that was sent from here and not listed by
 * the daemon then; null when the daemon has neither.
 */
async function importedMeanwhile(
	{ indexedImport, ruleOf }: Looking,
	target: DaemonClient,
	migration: MigrationRecord
): Promise<StepEvent | null> {
	const { row, steps } = migration;
	const burnTxid = row.burn_txid ?? '';
	const known = [
		steps.get('import-sent')?.txid ?? null,
		await indexedImport(row.destination, burnTxid)
	].filter((txid) => txid !== null);
	if (known.length === 0) return null;
	const { blocks: tip, notarized } = await checkDaemon(target, row.destination, Number(row.ccid));
	for (const txid of new Set(known)) {
		const found = await importWith(target, burnTxid, txid);
		if (found === null) continue;
		if (row.tokenid !== null && found.where === 'mined')
			await checkTokenArrival(target, migration, txid);
		return {
			about: 'import',
			found: { where: 'absent' },
			search: { found, from: row.import_scan_from, complete: true },
			chain: { tip, notarized, rule: ruleOf(row.destination) }
		};
	}
	return null;
}

async function look(looking: Looking, migration: MigrationRecord): Promise<StepEvent | null> {
	const { row, steps } = migration;
	const { gateway, recheckApprovals, ruleOf } = looking;
	const source = daemonClientOf(gateway, row.source_daemon);
	const target = daemonClientOf(gateway, row.destination_daemon);
	if (AWAITING.includes(row.state)) {
		const imported = await importedMeanwhile(looking, target, migration);
		if (imported !== null) return imported;
	}
	switch (row.state) {
		case 'burn-unknown':
		case 'burn-pending':
			return lookAtBurn(source, migration, looking);
		case 'burn-confirmed':
		case 'waiting-back-notarization':
			if (row.path === 'backup') return collect({ source, target }, migration, recheckApprovals);
			return lookBeforeBuild(source, migration);
		case 'backup-collecting':
			return collect({ source, target }, migration, recheckApprovals);
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

/** States in which the burn has to be in a block, whatever the other chains say. */
const NEEDS_BURN: readonly MigrationState[] = [...AWAITING, 'import-unknown', 'stuck'];

/**
 * Whether a reorganization removed the burn while another daemon is away: it is sent again before it expires. False
 * when the source does not tell.
 */
async function isBurnGone({ gateway }: Looking, migration: MigrationRecord): Promise<boolean> {
	const { row, steps } = migration;
	const wasMined = Boolean(steps.get('burn-confirmed')?.doneAt);
	if (!NEEDS_BURN.includes(row.state) || !wasMined || refusalOfBurn(migration) !== null)
		return false;
	const burn = await burnStatus(daemonClientOf(gateway, row.source_daemon), migration, false);
	return !burn.stands;
}

/** Checks the chains and returns the event; a daemon that does not answer is also an event. */
export async function observe(
	looking: Looking,
	migration: MigrationRecord
): Promise<StepEvent | null> {
	try {
		return await look(looking, migration);
	} catch (error) {
		const isAway = isAppError(error, 'daemon', ...WRONG_DAEMON);
		const isSource =
			isAppError(error, 'daemon') && error.params.daemon === migration.row.source_daemon;
		if (isAway && !isSource && (await isBurnGone(looking, migration)))
			return { about: 'burn-gone' };
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
