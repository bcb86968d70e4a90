import { daemonClientOf } from '../../../chains/daemon/daemonClient.ts';
import { findAnywhere, findConfirmedAt } from '../../../chains/daemon/findTransaction.ts';
import type { DaemonClient } from '../../../chains/daemon/types.ts';
import { isFinal } from '../../../platform/config/finality.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { statusOfChain, type ChainStatus } from '../chainStatus.ts';
import { isProvenAbsent, outlookOf } from '../refusedOutlook.ts';
import type { Patch, Send } from '../store.ts';
import { OPEN_STATES, UNSENT, type SendState } from '../tables.ts';
import type { SendingDependencies } from './dependencies.ts';

/** Result of a lookup on the network. */
type Found = 'broadcast' | 'confirmed' | 'absent';

/** States that a lookup overwrites only if the row was in the same state when the lookup began. */
const OWN_STATES: readonly SendState[] = [...UNSENT, 'confirmed'];

/** Returns a stored transaction. @throws {AppError} `transaction.unknown` */
export async function existing(deps: SendingDependencies, id: string): Promise<Send> {
	const { store } = deps;
	const send = await store.get(id);
	if (!send) throw new AppError('transaction.unknown');
	return send;
}

/**
 * Whether the daemon of a transaction that was not found can rule out that a block contains it.
 * @throws {AppError} `daemon`
 */
export async function isCertainlyAbsent(deps: SendingDependencies, id: string): Promise<boolean> {
	const send = await existing(deps, id);
	return isProvenAbsent(daemonClientOf(deps.gateway, send.daemon), send);
}

/** Checks whether a rejected transaction can still confirm, and stores the result. @throws {AppError} `daemon` */
async function watchRefused(
	deps: SendingDependencies,
	send: Send,
	client: DaemonClient,
	chain: ChainStatus
): Promise<void> {
	const { store, ruleOf, clock } = deps;
	if (send.finalAt !== null) return;
	const chainStatus = { ...chain, rule: ruleOf(send.chain) };
	const { spentSince, dead } = await outlookOf(client, send, chainStatus, send.spentSince);
	await store.move(send.id, ['rejected'], {
		state: 'rejected',
		spentSince,
		...(dead === null ? {} : { finalAt: clock() })
	});
}

/**
 * Rejects a transaction and frees its UTXOs. Both at once, or locks would be taken from a member who sends it again in
 * between.
 * @returns false when it is in another state meanwhile
 */
export async function reject(
	{ db, store, clock }: SendingDependencies,
	id: string,
	from: readonly SendState[],
	to: Required<Pick<Patch, 'rejection' | 'finalAt' | 'spentSince'>>
): Promise<boolean> {
	return db.transaction().execute(async (trx) => {
		const patch = { ...to, state: 'rejected', settledAt: clock() } as const;
		const isMine = await store.move(id, from, patch, trx);
		if (isMine) await store.release(id, trx);
		return isMine;
	});
}

/**
 * Rejects an `unknown` transaction, which got no answer or was removed by a reorganization, once it can never
 * confirm: its UTXOs are then free without another attempt to send it. The second transaction of a pair never can once
 * the first never can.
 * @returns whether it can never confirm
 * @throws {AppError} `daemon`
 */
export async function reconcileUnknown(
	deps: SendingDependencies,
	id: string,
	chain: ChainStatus
): Promise<boolean> {
	const { store, gateway, ruleOf, clock } = deps;
	const send = await existing(deps, id);
	if (send.follows !== null) {
		// It imports the first, and has no other input that could tell.
		const { state, finalAt } = await existing(deps, send.follows);
		if (state !== 'rejected' || finalAt === null) return false;
		const rejection = { code: 'never.confirmed', params: { why: 'source' } } as const;
		return reject(deps, id, ['unknown'], { rejection, finalAt: clock(), spentSince: null });
	}
	const client = daemonClientOf(gateway, send.daemon);
	const chainStatus = { ...chain, rule: ruleOf(send.chain) };
	const { spentSince, dead } = await outlookOf(client, send, chainStatus, send.spentSince);
	if (dead === null) {
		if (spentSince !== send.spentSince)
			await store.move(id, ['unknown'], { state: 'unknown', spentSince });
		return false;
	}
	await reject(deps, id, ['unknown'], {
		rejection: { code: 'never.confirmed', params: { why: dead } },
		finalAt: clock(),
		spentSince
	});
	return true;
}

/**
 * Looks a transaction up and stores the result.
 * @param known heights of its chain, if they were read already
 * @throws {AppError} `daemon`
 */
export async function reconcile(
	deps: SendingDependencies,
	id: string,
	known?: ChainStatus
): Promise<Found> {
	const { store, gateway, ruleOf, clock } = deps;
	const send = await existing(deps, id);
	const client = daemonClientOf(gateway, send.daemon);
	// A review was not sent from here, but a member who may read its bytes may have sent them: it may be in
	// any block.
	const { state } = send;
	const found = UNSENT.includes(state)
		? await findAnywhere(client, send.txid, { mayBeOld: false })
		: await findConfirmedAt(client, send);
	const own = OWN_STATES.includes(state) ? [state] : [];
	if (found.where === 'absent') {
		if (send.state === 'rejected') {
			await watchRefused(deps, send, client, known ?? (await statusOfChain(client)));
			return 'absent';
		}
		// A daemon that is syncing again has not reached the block yet: not finding it means nothing.
		if (send.state === 'confirmed' && send.height !== null) {
			const { tip } = known ?? (await statusOfChain(client));
			if (tip < send.height) return 'absent';
		}
		// It was lost in a reorganization or with an emptied mempool. Only the state before the lookup is
		// changed: a transaction that was sent since was just not visible yet.
		if (send.state === 'broadcast' || send.state === 'confirmed') {
			const lost = { state: 'unknown', height: null, settledAt: clock(), finalAt: null } as const;
			await store.move(id, [send.state], lost);
		}
		return 'absent';
	}
	if (found.where === 'mined') {
		const chain = known ?? (await statusOfChain(client));
		const final = isFinal(ruleOf(send.chain), { height: found.height, ...chain });
		await store.move(id, [...OPEN_STATES, 'rejected', 'confirmed', ...own], {
			state: 'confirmed',
			rejection: null,
			settledAt: clock(),
			height: found.height,
			takenAt: clock(),
			finalAt: final ? clock() : null
		});
		if (final) await store.release(id);
		return 'confirmed';
	}
	await store.move(id, ['broadcasting', 'unknown', 'rejected', ...own], {
		state: 'broadcast',
		rejection: null,
		height: null,
		takenAt: clock(),
		finalAt: null
	});
	return 'broadcast';
}
