/** Completes the proof of an import on KMD, and checks whether the destination knows its root. */
import { displayHash } from '#lib/chain/bytes.ts';
import { MAIN_CHAIN } from '#lib/chain/mainChain.ts';
import { NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import type { DaemonClient } from '#lib/server/chains/daemon/types.ts';
import { firstBlockSince } from '../../../chains/daemon/blocks.ts';
import { findAnywhere, findTransaction } from '../../../chains/daemon/findTransaction.ts';
import { notarizationsDown, type NotarizationAt } from '../../../chains/daemon/notarizations.ts';
import { isAppError } from '../../../platform/errors/appError.ts';
import type { ProofWindow } from '../decisions/proofWindow.ts';
import type { Candidate, StepEvent, Try } from '../decisions/stepEvent.ts';
import { importRequestOf, reviewImport } from '../importReview.ts';
import type { MigrationRecord, MigrationRow } from '../migrationRecord.ts';
import { readCompletionRefusal, type Refusal } from '../refusals.ts';
import { burnStatus } from './burn.ts';
import { checkDaemon } from './checkDaemon.ts';

/** A proof can reach up to the sixth notarization of the destination after that of the source. */
const OFFSET_ATTEMPTS = 7;

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
export async function complete(
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
	const request = importRequestOf(row);
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
