/** Transactions from the request to the block: check, build, verify, store, send once, reconcile. */
import type { Audit } from '../../access/audit/audit.ts';
import type { Rights } from '../../access/rights/rights.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { bindTo } from '../../platform/bind.ts';
import { USUAL_FINALITY, type FinalityRule } from '../../platform/config/finality.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HeldUtxo, Locks } from '../locked-utxos/locks.ts';
import type { WalletTables } from '../tables.ts';
import { createReconcileAll } from './reconcileAll.ts';
import { createStore, type Send } from './store.ts';
import { OPEN_STATES } from './tables.ts';
import { allDecimals, decimalsOf } from './tokenDisplay.ts';
import { claimInterest } from './use-cases/claimInterest.ts';
import { consolidate } from './use-cases/consolidate.ts';
import { createToken } from './use-cases/createToken.ts';
import type { SendingDependencies } from './use-cases/dependencies.ts';
import { discard, discardAllUnapproved, drop } from './use-cases/discard.ts';
import { isCertainlyAbsent, reconcile, reconcileUnknown } from './use-cases/reconcile.ts';
import { resend } from './use-cases/handOver.ts';
import { saveOne, savePair } from './use-cases/save.ts';
import { refuseForeign, refuseOverLimit, walletFor } from './use-cases/mayBuild.ts';
import { moveToken } from './use-cases/moveToken.ts';
import { hindrance, send } from './use-cases/send.ts';
import { sendCoins } from './use-cases/sendCoins.ts';
import { splitUtxos } from './use-cases/splitUtxos.ts';
import { sendFollowers } from './use-cases/sendFollowers.ts';
import { setDecimals } from './use-cases/setDecimals.ts';
import { walletOf, type Wallet } from './wallet.ts';

interface SenderParts {
	db: Database<WalletTables>;
	locks: Locks;
	/** Finality rules of chains that do not follow the default. */
	finality?: ReadonlyMap<string, FinalityRule>;
	gateway: Gateway;
	audit: Audit;
	/** Decides who may use a wallet, and what spending limits leave. */
	rights: Rights;
	/** Approvals that reviews wait for. */
	approvals: SendingDependencies['approvals'];
	/** Unix milliseconds. */
	clock?: () => number;
}

/** Binds the use cases to their dependencies; each is documented in its own file. */
export function createSender({
	db,
	locks,
	gateway,
	audit,
	rights,
	approvals,
	finality = new Map(),
	clock = Date.now
}: SenderParts) {
	const store = createStore(db, locks);
	const ruleOf = (chain: string): FinalityRule => finality.get(chain) ?? USUAL_FINALITY;
	const [following, discarding] = [new Set<string>(), new Set<string>()];
	const deps: SendingDependencies = {
		db,
		store,
		gateway,
		audit,
		rights,
		approvals,
		ruleOf,
		clock,
		following,
		discarding
	};
	const bound = bindTo(deps);
	const look = bound(reconcile);
	return {
		createToken: bound(createToken),
		moveToken: bound(moveToken),
		sendCoins: bound(sendCoins),
		consolidate: bound(consolidate),
		claimInterest: bound(claimInterest),
		splitUtxos: bound(splitUtxos),
		saveOne: bound(saveOne),
		savePair: bound(savePair),
		send: bound(send),
		hindrance: bound(hindrance),
		sendFollowers: bound(sendFollowers),
		reconcile: look,
		isCertainlyAbsent: bound(isCertainlyAbsent),
		/** Reconciles all transactions that are not final; a daemon that is down does not delay the others. */
		reconcileAll: createReconcileAll({
			store,
			gateway,
			look,
			clock,
			reconcileUnknown: bound(reconcileUnknown),
			resend: bound(resend)
		}),
		discard: bound(discard),
		drop: bound(drop),
		/** Discards transactions whose approvals will not come. */
		discardUnapproved: bound(discardAllUnapproved),
		/** Whether a member’s send of a transaction lacks approvals: another attempt would only find the same request. */
		isUnapproved: approvals.isLacking,
		get: store.get,
		/** Returns the locked outputs of a chain, each with the draft that it is locked for. */
		heldUtxos: (chain: string): Promise<HeldUtxo[]> => store.heldUtxos(chain, clock()),
		list: store.list,
		/** Returns the second transaction of a pair by the id of the first; null when there is none. */
		followerOf: store.followerOf,
		/**
		 * Returns token creations of the team that are not confirmed yet, so that the daemon's list of tokens
		 * lacks them.
		 */
		unconfirmedTokens: (chain: string): Promise<Send[]> =>
			store.list({ chain, kind: 'token-create', states: OPEN_STATES }),
		decimals: bound(decimalsOf),
		allDecimals: bound(allDecimals),
		setDecimals: bound(setDecimals),
		/**
		 * Returns the wallet that pages name with their forms; for a member, the one with which they build.
		 * @throws {AppError} `wallet-daemon`, `transaction` or `work`
		 * @throws {AppError} `daemon`
		 */
		wallet: (chain: string, person?: string): Promise<Wallet> =>
			person === undefined ? walletOf(gateway, chain) : walletFor(deps, chain, person),
		/** Refuses a member who may not build with a wallet. @throws {AppError} `work.denied` */
		mayUse: (person: string, daemon: string, act?: string): Promise<void> =>
			refuseForeign(deps, person, daemon, 'broadcast', 'not-sent', act),
		/** Refuses what a spending limit does not allow, before anything is built. @throws {AppError} `limit` */
		mayTake: bound(refuseOverLimit)
	};
}

export type Sender = ReturnType<typeof createSender>;
