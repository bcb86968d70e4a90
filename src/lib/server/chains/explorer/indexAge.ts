/** Reports whether the index of a chain is up to date, since it stops while the chain's daemon does not answer. */
import { stillShown } from '#lib/messages/chainProblem.ts';
import { utcClock } from '#lib/text/utc.ts';
import { indexLacks, standstillMessage, type IndexStandstill } from '#lib/messages/indexNotice.ts';
import { indexed, isFromStart, isUnindexed } from '#lib/text/indexed.ts';
import type { DaemonState, Gateway } from '../daemon/types.ts';
import type { Index } from '../indexer/open.ts';
import { chainProgress, isIndexedBut, type ChainProgress } from '../lists/chains.ts';
import { fresh, stale, type Piece, type Problem } from './piece.ts';

/** Polls without news are recorded every five seconds; after this many milliseconds the indexer is not running. */
const QUIET_MS = 30_000;
/** Milliseconds without a new block after which the last rate is no longer shown. */
const RATE_HOLDS_MS = 10_000;
/** Blocks that are indexed within moments: an index that lacks no more counts as complete. */
export const NEWEST = 2;
/** Daemon states in which no new blocks can be read. */
const AWAY: Readonly<Partial<Record<DaemonState, Exclude<IndexStandstill['code'], 'silent'>>>> = {
	down: 'offline',
	unauthorized: 'unauthorized',
	'warming-up': 'warming-up',
	'wrong-chain': 'wrong-chain'
};

/**
 * Returns whether the indexer has not recorded a poll of a chain lately, so that its stored state may be outdated.
 * @param now Unix milliseconds
 */
export const isSilent = ({ lookedAt }: Pick<ChainProgress, 'lookedAt'>, now: number): boolean =>
	// `abs`, because the clock may have been set back since.
	Math.abs(now - lookedAt) > QUIET_MS;

/**
 * Returns whether the index of a chain has every block from one height to the tip, so that what it lacks of them does
 * not exist.
 * @param now Unix milliseconds
 */
export const hasAllFrom = (progress: ChainProgress | null, first: number, now: number): boolean =>
	progress?.state === 'current' && !isSilent(progress, now) && progress.startHeight <= first;

interface Parts {
	index: Index;
	gateway: Gateway;
}

/** Returns why the index of a chain may be out of date, as a sentence; null when it is current. */
function standstill(gateway: Gateway, progress: ChainProgress, now: number): string | null {
	const { name, state, problem, paused } = progress;
	if (paused) return problem;
	const daemon = gateway.daemonFor(name, 'read') ?? gateway.daemonFor(name, 'wallet');
	const away = daemon && AWAY[daemon.health.state];
	if (daemon && away !== undefined) {
		return standstillMessage(name, { code: away, since: utcClock(daemon.health.since) });
	}
	// The last problem of the index may be over: a daemon that is busy now may answer its next poll.
	if (state === 'waiting') {
		return daemon?.health.state === 'busy'
			? standstillMessage(name, { code: 'busy', since: utcClock(daemon.health.since) })
			: problem;
	}
	return isSilent(progress, now) ? standstillMessage(name, { code: 'silent' }) : null;
}

/** Whether the index of a chain does not advance. @param progress as pages show it */
export const standsStill = ({ state, problem }: ChainProgress): boolean =>
	state === 'waiting' && problem !== null;

/**
 * Returns the stored progress of a chain as pages show it.
 * @param now Unix milliseconds
 */
export function shown(gateway: Gateway, progress: ChainProgress, now: number): ChainProgress {
	const problem = standstill(gateway, progress, now);
	if (problem !== null) return { ...progress, state: 'waiting', problem, rate: 0 };
	// A rate is only valid for the last seconds.
	const isOld = Math.abs(now - progress.writtenAt) > RATE_HOLDS_MS;
	return isOld ? { ...progress, rate: 0 } : progress;
}

/** Returns the index progress of a chain as pages show it; null when the indexer has not seen the chain. */
export async function shownProgress(
	{ index, gateway }: Parts,
	chain: string
): Promise<ChainProgress | null> {
	const progress = await chainProgress(index, chain);
	return progress && shown(gateway, progress, Date.now());
}

/** Returns why something may exist that is not in the index of a chain; null when it has all but the newest blocks. */
export function lackingBlocks(chain: string, progress: ChainProgress | null): Problem | null {
	const problem = (words: string): Problem => ({ code: 'index', words });
	if (progress === null || isUnindexed(progress)) return problem(indexLacks.all(chain));
	const { done, all } = indexed(progress);
	if (!isIndexedBut(progress, NEWEST)) return problem(indexLacks.some(chain, done, all));
	return isFromStart(progress) ? null : problem(indexLacks.before(chain, progress.startHeight));
}

/** Wraps data of the index as a piece of a page, marked as stale while the index does not advance. */
export function fromIndex<T>(data: T, progress: ChainProgress | null, now: number): Piece<T> {
	if (progress?.state !== 'waiting' || progress.problem === null) return fresh(data, now);
	return stale(data, progress.lookedAt, { code: 'index', words: stillShown(progress.problem) });
}
