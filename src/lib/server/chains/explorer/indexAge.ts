/** How old what the index knows is: a chain whose daemon does not answer stands still. */
import { clock, stillShown } from '#lib/messages/chainProblem.ts';
import { standstillMessage, type IndexStandstill } from '#lib/messages/indexNotice.ts';
import type { DaemonState, Gateway } from '../daemon/types.ts';
import type { Index } from '../indexer/open.ts';
import { allProgress, chainProgress, type ChainProgress } from '../lists/chains.ts';
import { fresh, stale, type Piece } from './piece.ts';

/** A look that finds nothing new is written down every five seconds; after this long the index is not being written. */
const QUIET_MS = 30_000;
/** After this long without a block the rate of those before it says nothing. */
const RATE_HOLDS_MS = 10_000;
/** What keeps a daemon from telling what is new. */
const AWAY: Readonly<Partial<Record<DaemonState, Exclude<IndexStandstill['code'], 'silent'>>>> = {
	down: 'offline',
	unauthorized: 'unauthorized',
	'warming-up': 'warming-up',
	'wrong-chain': 'wrong-chain'
};

interface Parts {
	index: Index;
	gateway: Gateway;
}

/** Why the index of a chain may not know what the chain is now, as a sentence; null when it does. */
function standstill(gateway: Gateway, progress: ChainProgress, now: number): string | null {
	const { name, state, problem, lookedAt, paused } = progress;
	if (paused) return problem;
	const daemon = gateway.daemonFor(name, 'read') ?? gateway.daemonFor(name, 'wallet');
	const away = daemon && AWAY[daemon.health.state];
	if (daemon && away !== undefined) {
		return standstillMessage(name, { code: away, since: clock(daemon.health.since) });
	}
	// What the index met last may be over: a daemon that is slow now answers it later.
	if (state === 'waiting') {
		return daemon?.health.state === 'busy'
			? standstillMessage(name, { code: 'busy', since: clock(daemon.health.since) })
			: problem;
	}
	// The clock may have been set back since.
	return Math.abs(now - lookedAt) > QUIET_MS ? standstillMessage(name, { code: 'silent' }) : null;
}

function shown(gateway: Gateway, progress: ChainProgress, now: number): ChainProgress {
	const problem = standstill(gateway, progress, now);
	if (problem !== null) return { ...progress, state: 'waiting', problem, rate: 0 };
	// A rate is that of the last seconds, or it is not known.
	const isOld = Math.abs(now - progress.writtenAt) > RATE_HOLDS_MS;
	return isOld ? { ...progress, rate: 0 } : progress;
}

/** How far the index of a chain is, as pages say it; null when the indexer has not seen the chain. */
export async function shownProgress(
	{ index, gateway }: Parts,
	chain: string,
	now = Date.now()
): Promise<ChainProgress | null> {
	const progress = await chainProgress(index, chain);
	return progress && shown(gateway, progress, now);
}

/** The chains whose index stands still, for pages of several chains. */
export async function standingStill(
	{ index, gateway }: Parts,
	now = Date.now()
): Promise<ChainProgress[]> {
	const known = await allProgress(index);
	return gateway
		.chains()
		.flatMap((chain) => known.get(chain) ?? [])
		.map((progress) => shown(gateway, progress, now))
		.filter(({ state, problem }) => state === 'waiting' && problem !== null);
}

/** What the index knows as a piece of a page: with its age while the index stands still. */
export function fromIndex<T>(data: T, progress: ChainProgress | null, now: number): Piece<T> {
	if (progress?.state !== 'waiting' || progress.problem === null) return fresh(data, now);
	return stale(data, progress.lookedAt, { code: 'index', words: stillShown(progress.problem) });
}
