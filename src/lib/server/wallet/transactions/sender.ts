/**
 * Transactions from the request to the block: guard, build, read, keep, send once, find out.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { daemonSpelling, formatCoins } from '#lib/chain/amount.ts';
import { JsonNumber } from '#lib/rpc/json.ts';
import type { Audit } from '../../access/audit/audit.ts';
import type { Usage } from '../../access/policy/limits/kinds.ts';
import { LimitError } from '../../access/policy/limits/limits.ts';
import type { Rights } from '../../access/policy/limits/rights.ts';
import { explainUpstream } from '../../chains/daemon/explain.ts';
import {
	askerOf,
	findImport,
	findTransaction,
	isInternal,
	parentsOf,
	type Asker
} from '../../chains/daemon/lookup.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { UpstreamError } from '../../chains/daemon/types.ts';
import { isFinal, USUAL_FINALITY, type FinalityRule } from '../../platform/config/finality.ts';
import type { Database } from '../../platform/database/database.ts';
import { nameOfUtxo, type Locks } from '../locked-utxos/locks.ts';
import type { WalletTables } from '../tables.ts';
import {
	FEE,
	MARKER,
	readBuilt,
	reviewCreate,
	reviewMerge,
	reviewTransfer,
	unsigned,
	type Review
} from './compare.ts';
import { SendingError } from './errors.ts';
import { creationNeeds, migrationOutlook, relayVerdict } from './guards.ts';
import { explainRefusal } from './refusals.ts';
import { outlookOf } from './refusedOutlook.ts';
import type { CreateRequest, MergeRequest, SendRequest, TransferRequest } from './request.ts';
import { createSettle, type ChainStanding } from './settle.ts';
import { createStore, type Change, type NewSend, type Send } from './store.ts';
import { OPEN_STATES, type SendState } from './tables.ts';
import { walletOf, type Wallet } from './wallet.ts';

/** A transaction that a daemon built, read and found to be what was asked for. */
interface Built {
	hex: string;
	request: SendRequest;
	review: Review;
	warnings: string[];
	/** The id that it gets here, where somebody has written it down before; else a new one. */
	wantedId?: string | undefined;
}

interface SenderParts {
	db: Database<WalletTables>;
	locks: Locks;
	/** When a block of a chain is final, for chains that do not follow the usual rule. */
	finality?: ReadonlyMap<string, FinalityRule>;
	gateway: Gateway;
	audit: Audit;
	/** Whose wallet it is, and how much of the day is left. */
	rights: Rights;
	/** Unix milliseconds. */
	clock?: () => number;
}

/** What a look at the network found. */
type Found = 'sent' | 'mined' | 'absent';

const MAX_DECIMALS = 18;
/** Outputs that one merge spends: the transaction stays far below the size limit. */
const MOST_MERGED = 100;
/** Komodo daemon 0.9.0: cannot be read, an input is missing, a rule is broken. Such a transaction is nowhere. */
const REFUSED_FOR_GOOD: ReadonlySet<number | undefined> = new Set([-22, -25, -26]);

/** States from which a transaction may be sent, and while something may come of what was refused. */
const FROM_HERE: readonly SendState[] = ['built', 'unknown'];
const ALSO_REFUSED: readonly SendState[] = [...FROM_HERE, 'refused'];

const standingOf = ({ state }: Send): string => (state === 'unknown' ? STILL_UNKNOWN : NOT_SENT);

/** What is known of a transaction when a step towards it fails. */
const NOT_SENT = 'Nothing was sent.';
const STILL_UNKNOWN =
	'It is still not known whether the transaction went out before: do not build another one.';

/** An error of the daemon, or about it, as a sentence that ends with where the transaction stands. */
const inTheWay = (error: unknown, standing: string): unknown => {
	if (error instanceof SendingError && error.code === 'wrong-daemon') {
		return new SendingError('wrong-daemon', `${error.message} ${standing}`, { cause: error });
	}
	if (!(error instanceof UpstreamError)) return error;
	const { what, next } = explainUpstream(error);
	const code = error.code === 'wrong-chain' ? 'wrong-daemon' : 'not-built';
	return new SendingError(code, `${what} ${standing} ${next}`, { cause: error });
};

/** What stopped a build, for people: a `SendingError` where the daemon was in the way, else as it is. */
export const notBuilt = (error: unknown): unknown => inTheWay(error, NOT_SENT);

/**
 * Refusals of the builders in other words. (Komodo daemon 0.9.0: `tokencreate` that cannot sign answers an
 * error without words, and it spends only confirmed coins of the key itself, 64 outputs at most.)
 */
const notBuiltToken = (error: unknown): unknown => {
	if (!(error instanceof UpstreamError) || error.code !== 'soft') return notBuilt(error);
	const words = (error.rpcMessage ?? '').trim();
	if (words === '') return unsigned();
	if (words !== 'cant find normal inputs') return notBuilt(error);
	return new SendingError(
		'bad-field',
		'The wallet has the coins, but the daemon cannot use them now: they wait for a block, belong to another of its keys, or lie in more than 64 small outputs. Wait for the next block, or choose a smaller supply.',
		{ field: 'supply', cause: error }
	);
};

export function createSender({
	db,
	locks,
	gateway,
	audit,
	rights,
	finality = new Map(),
	clock = Date.now
}: SenderParts) {
	const ruleOf = (chain: string): FinalityRule => finality.get(chain) ?? USUAL_FINALITY;
	const store = createStore(db, locks);
	/** Second transactions of a pair that this process is sending. */
	const following = new Set<string>();

	const keep = (
		wallet: Wallet,
		hex: string,
		request: SendRequest,
		review: Review,
		warnings: string[],
		actor: string,
		wantedId?: string
	): Promise<string> => keepAll(wallet, [{ hex, request, review, warnings, wantedId }], actor);

	/** Stores one reviewed transaction, or two of which the second goes out after the first; the first's id. */
	async function keepAll(
		wallet: Wallet,
		built: readonly [Built, Built?],
		actor: string
	): Promise<string> {
		const row = ({ hex, request, review, warnings, wantedId }: Built): NewSend => ({
			kind: request.kind,
			chain: wallet.chain,
			daemon: wallet.daemon,
			pubkey: wallet.pubkey,
			txid: review.txid,
			hex,
			request,
			review,
			warnings,
			createdBy: actor,
			wantedId
		});
		const [first, second] = built;
		await refuseForeign(actor, wallet.daemon, NOT_SENT, first.request.kind);
		const id = await store.add(row(first), clock(), second && row(second));
		for (const { request, review } of second ? [first, second] : [first]) {
			await audit.append({
				actor,
				action: `send.reviewed`,
				target: review.txid,
				detail: { chain: wallet.chain, daemon: wallet.daemon, kind: request.kind }
			});
		}
		return id;
	}

	function relay(wallet: Wallet, review: Review): string[] {
		const { level, sentence } = relayVerdict(
			review.payloadBytes,
			wallet.chain === 'KMD',
			wallet.dataCarrierSize
		);
		if (level === 'refuse' && sentence !== null) {
			throw new SendingError('bad-field', sentence, { field: 'description' });
		}
		return sentence === null ? [] : [sentence];
	}

	/** Builds with the daemon and hands over the hex with the transactions that it spends. */
	async function built(wallet: Wallet, build: () => Promise<{ hex: string }>) {
		try {
			const { hex } = await build();
			return { hex, parents: await parentsOf(askerOf(gateway, wallet.daemon), readBuilt(hex)) };
		} catch (error) {
			throw notBuiltToken(error);
		}
	}

	/**
	 * @param act what is about to be done; without it somebody only asks
	 * @throws {SendingError} `not-yours`
	 */
	async function refuseForeign(
		person: string,
		daemon: string,
		standing: string,
		act?: string
	): Promise<void> {
		const no = await rights.walletRefusal(person, daemon, act);
		if (no !== null) throw new SendingError('not-yours', `${no} ${standing}`);
	}

	/**
	 * Before anything is built, so that nobody fills in a form for what a limit refuses at the last step.
	 * @param field where the form says so; without it the form as a whole does
	 * @throws {SendingError} `bad-field` or `limit`
	 */
	async function refuseOverLimit(
		person: string,
		chain: string,
		usages: readonly Usage[],
		field?: string
	): Promise<void> {
		const no = await rights.limitRefusal(person, chain, usages, usages[0]?.kind);
		if (no === null) return;
		throw field === undefined
			? new SendingError('limit', no)
			: new SendingError('bad-field', no, { field });
	}

	/** The wallet with which this person builds on a chain. */
	async function walletFor(chain: string, person: string, act?: string): Promise<Wallet> {
		const mine = await rights.gatewayOf(person);
		const daemon = mine.daemonFor(chain, 'wallet');
		if (daemon) await refuseForeign(person, daemon.id, NOT_SENT, act);
		try {
			return await walletOf(mine, chain);
		} catch (error) {
			throw notBuilt(error);
		}
	}

	async function createToken(
		chain: string,
		request: CreateRequest,
		actor: string,
		warnings: readonly string[] = []
	): Promise<string> {
		const wallet = await walletFor(chain, actor, request.kind);
		const taken = { kind: 'token-create', amount: request.supply + MARKER } as const;
		await refuseOverLimit(actor, chain, [taken], 'supply');
		const needed = creationNeeds(request.supply);
		if (wallet.balance !== null && wallet.balance < needed) {
			throw new SendingError(
				'bad-field',
				`The wallet has ${formatCoins(wallet.balance)} coins, and ${formatCoins(needed)} are needed: the supply, 0.0001 for the marker and 0.0001 for the fee.`,
				{ field: 'supply' }
			);
		}
		const { name, description, data, supply } = request;
		const amount = daemonSpelling(supply);
		const { hex, parents } = await built(wallet, () =>
			gateway.call(
				wallet.daemon,
				'tokencreate',
				data === '' ? [name, amount, description] : [name, amount, description, data]
			)
		);
		const review = reviewCreate(hex, request, wallet.pubkey, parents);
		const bytes = new TextEncoder().encode(name + description).length + data.length / 2;
		const outlook = migrationOutlook(data !== '', bytes);
		return keep(
			wallet,
			hex,
			request,
			review,
			[...warnings, ...relay(wallet, review), outlook.sentence],
			actor
		);
	}

	/**
	 * Builds one output out of the wallet's largest ones that no other draft is built from: a burn takes ten
	 * at most.
	 */
	async function mergeOutputs(chain: string, actor: string): Promise<string> {
		const wallet = await walletFor(chain, actor, 'merge');
		await refuseOverLimit(actor, chain, [{ kind: 'coin-send', amount: 0n }]);
		const own = addressOfPubkey(wallet.pubkey);
		let picked: { txid: string; vout: number; amount: bigint }[];
		let locked: ReadonlySet<string>;
		let hex: string;
		try {
			// A daemon runs with any -pubkey, also one whose private key is somebody else's.
			const known = await gateway.call(wallet.daemon, 'validateaddress', [own]);
			if (!('ismine' in known) || !known.ismine) {
				throw new SendingError(
					'wrong-daemon',
					`The key that ${wallet.daemon} was started with (${own}) is not in its wallet: what is merged would belong to somebody else. Nothing was sent. Start it with the public key of one of its wallet's keys.`
				);
			}
			const unspent = await gateway.call(wallet.daemon, 'listunspent', [1]);
			locked = await store.lockedUtxos(chain, clock());
			picked = unspent
				.filter((output) => output.spendable && !locked.has(nameOfUtxo(output)))
				.sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
				.slice(0, MOST_MERGED);
		} catch (error) {
			throw notBuilt(error);
		}
		const total = picked.reduce((sum, { amount }) => sum + amount, 0n);
		if (picked.length < 2 || total <= FEE) {
			throw new SendingError(
				'not-built',
				locked.size > 0
					? 'The wallet has no outputs that could be merged now: the others are locked for transactions that were reviewed a moment ago. Send or discard those first.'
					: 'The wallet has no outputs that could be merged.'
			);
		}
		try {
			const draft = await gateway.call(wallet.daemon, 'createrawtransaction', [
				picked.map(({ txid, vout }) => ({ txid, vout: new JsonNumber(String(vout)) })),
				{ [own]: new JsonNumber(formatCoins(total - FEE)) }
			]);
			const signed = await gateway.call(wallet.daemon, 'signrawtransaction', [draft]);
			if (!signed.complete) throw unsigned();
			hex = signed.hex;
		} catch (error) {
			throw notBuilt(error);
		}
		const request: MergeRequest = { kind: 'merge', count: picked.length, total };
		const { parents } = await built(wallet, () => Promise.resolve({ hex }));
		const review = reviewMerge(hex, request, wallet.pubkey, parents);
		return keep(wallet, hex, request, review, [], actor);
	}

	async function moveToken(
		chain: string,
		request: TransferRequest,
		actor: string,
		wantedId?: string
	): Promise<string> {
		const wallet = await walletFor(chain, actor, request.kind);
		await refuseOverLimit(actor, chain, [{ kind: request.kind, amount: 0n }], 'amount');
		let data: string;
		let held: bigint;
		try {
			const [info, balance] = await Promise.all([
				gateway.call(wallet.daemon, 'tokeninfo', [request.tokenid]),
				gateway.call(wallet.daemon, 'tokenbalance', [request.tokenid])
			]);
			data = info.data ?? '';
			held = balance.balance;
		} catch (error) {
			throw notBuilt(error);
		}
		if (request.units > held) {
			throw new SendingError(
				'bad-field',
				`The wallet holds ${held} confirmed units of this token. Units that wait for a block cannot be moved yet.`,
				{ field: 'amount' }
			);
		}
		const { hex, parents } = await built(wallet, () =>
			gateway.call(wallet.daemon, 'tokentransfer', [
				request.tokenid,
				request.recipient,
				request.units.toString()
			])
		);
		const review = reviewTransfer(hex, request, data, wallet.pubkey, parents);
		const own =
			request.recipient === wallet.pubkey
				? ['The recipient is this wallet itself: the units stay where they are.']
				: [];
		return keep(wallet, hex, request, review, [...relay(wallet, review), ...own], actor, wantedId);
	}

	async function standingOfChain(ask: Asker): Promise<ChainStanding> {
		const { blocks, notarized } = await ask.call('getinfo');
		return { tip: blocks, notarized };
	}

	/** Whether anything can still come of what was refused. @throws {UpstreamError} */
	async function watchRefused(send: Send, ask: Asker, chain: ChainStanding): Promise<void> {
		if (send.finalAt !== null) return;
		const refusedAt = send.refusedHeight ?? chain.tip;
		const standing = { ...chain, rule: ruleOf(send.chain) };
		const { spentSince, dead } = await outlookOf(ask, send.hex, standing, {
			spentSince: send.spentSince,
			refusedAt
		});
		await store.move(send.id, ['refused'], {
			state: 'refused',
			refusedHeight: refusedAt,
			spentSince,
			...(dead === null ? {} : { finalAt: clock() })
		});
	}

	/**
	 * Looks a transaction up and writes down what was found.
	 * @param known where its chain is, when that was asked already
	 * @throws {UpstreamError}
	 */
	async function findOut(id: string, known?: ChainStanding): Promise<Found> {
		const send = await existing(id);
		const ask = askerOf(gateway, send.daemon);
		const found = await findTransaction(ask, send.txid);
		if (found.where === 'absent') {
			if (send.state === 'refused') {
				await watchRefused(send, ask, known ?? (await standingOfChain(ask)));
				return 'absent';
			}
			// Blocks that were taken back, or a mempool that was emptied, leave it nowhere.
			await store.move(id, ['sent', 'mined'], { state: 'unknown', height: null, finalAt: null });
			return 'absent';
		}
		if (found.where === 'mined') {
			const chain = known ?? (await standingOfChain(ask));
			const final = isFinal(ruleOf(send.chain), { height: found.height, ...chain });
			await store.move(id, [...OPEN_STATES, 'refused', 'mined'], {
				state: 'mined',
				refusal: null,
				settledAt: clock(),
				height: found.height,
				takenAt: clock(),
				finalAt: final ? clock() : null
			});
			if (final) await store.release(id);
			return 'mined';
		}
		await store.move(id, ['sending', 'unknown', 'refused', 'mined'], {
			state: 'sent',
			refusal: null,
			height: null,
			takenAt: clock(),
			finalAt: null
		});
		return 'sent';
	}

	async function existing(id: string): Promise<Send> {
		const send = await store.get(id);
		if (!send) throw new SendingError('gone', 'There is no such transaction here.');
		return send;
	}

	/** Writes down how the one call ended. A refusal is believed when the transaction is not to be found, too. */
	async function settleCall(send: Send, error: unknown): Promise<SendState> {
		const { id } = send;
		if (!(error instanceof UpstreamError)) throw error;
		const refused = error.code === 'rpc' || error.code === 'soft';
		if (!refused && error.reached === 'no') {
			// From `unknown` it goes back there: an earlier call may still have been heard.
			await store.move(id, ['sending'], { state: send.state, refusal: send.refusal });
			throw inTheWay(error, standingOf(send));
		}
		await store.move(id, ['sending'], { state: 'unknown' });
		try {
			const found = await findOut(id);
			if (found !== 'absent') return found;
			return refused && !isInternal(error.rpcCode) ? refuse(send, error) : 'unknown';
		} catch (lookup) {
			if (!(lookup instanceof UpstreamError)) throw lookup;
			return refused && REFUSED_FOR_GOOD.has(error.rpcCode) ? refuse(send, error) : 'unknown';
		}
	}

	async function refuse(send: Send, error: UpstreamError): Promise<SendState> {
		await store.move(send.id, ['sending', 'unknown'], {
			state: 'refused',
			refusal: explainRefusal(error),
			settledAt: clock(),
			finalAt: null,
			refusedHeight: null,
			spentSince: null
		});
		await store.release(send.id);
		return 'refused';
	}

	/** Gives a review up that has not gone out, with what would follow it; false when it was sent. */
	async function giveUp({ id }: Send): Promise<boolean> {
		const change = { state: 'expired', settledAt: clock() } as const;
		if (!(await store.move(id, ['built'], change))) return false;
		await store.release(id);
		const next = await store.followerOf(id);
		if (next) await store.move(next.id, ['built'], change);
		return true;
	}

	async function discard(row: Send, actor: string): Promise<boolean> {
		const moved = await giveUp(row);
		if (moved) await audit.append({ actor, action: 'send.discarded', target: row.id });
		return moved;
	}

	/**
	 * Whether somebody else has imported what this import would: then it must not go out. (Komodo daemon
	 * 0.9.0 does not refuse a second import of one burn, and anybody who sees a source can build one.)
	 * @throws {UpstreamError}
	 */
	async function importedElsewhere(row: Send, before: Send): Promise<string | null> {
		const [input] = readBuilt(row.hex).vin;
		const ask = askerOf(gateway, row.daemon);
		let search = await findImport(ask, input?.txid ?? '', BigInt(before.height ?? 1));
		while (search.found === null && !search.complete) {
			search = await findImport(ask, input?.txid ?? '', search.from);
		}
		const { found } = search;
		return found === null || found.txid === row.txid
			? null
			: `Another import of the same source is on ${row.chain} already: ${found.txid}. Sent again it would create the coins twice.`;
	}

	/**
	 * Writes down that a transaction goes out now, and counts it, both or neither; false when somebody else
	 * was faster.
	 * @throws {SendingError} `limit`
	 */
	async function goesOut(row: Send, sending: Change, actor: string): Promise<boolean> {
		try {
			const spend =
				row.follows === null ? await rights.measureSpend(actor, row.daemon, row.hex) : null;
			return await db.transaction().execute(async (trx) => {
				const moved = await store.move(row.id, [row.state], sending, trx);
				if (moved && spend) await rights.recordSpend(spend, trx);
				return moved;
			});
		} catch (error) {
			if (!(error instanceof LimitError)) throw error;
			await rights.spendRefused(actor, row.daemon, row.hex, row.kind, error);
			throw new SendingError('limit', error.message, { cause: error });
		}
	}

	/**
	 * Sends a reviewed transaction. Only its stored bytes go out, and only for the one caller that moves the
	 * row to `sending`; everybody else learns the state.
	 * @throws {SendingError} when it is too old, or the daemon is another one
	 */
	async function send(id: string, actor: string): Promise<SendState> {
		const row = await existing(id);
		const before = row.follows === null ? null : await existing(row.follows);
		if (before !== null && before.state !== 'mined') {
			throw new SendingError(
				'not-built',
				'It goes out after the transaction before it is in a block. Nothing was sent.'
			);
		}
		// What follows a transaction that is in a block does not grow old: it spends no outputs of its own.
		if (row.state === 'built' && before === null && row.expiresAt <= clock()) {
			await giveUp(row);
			throw new SendingError(
				'gone',
				'This review is older than ten minutes, and its coins may have been spent. Build it again.'
			);
		}
		// What was refused may be tried again until it is certain that nothing can come of it; the second of a pair
		// always, because the first has been paid for.
		const isOver = before === null && row.finalAt !== null;
		const open = isOver ? FROM_HERE : ALSO_REFUSED;
		if (!open.includes(row.state)) return row.state;
		// What follows was confirmed together with the first, and takes nothing of a wallet.
		if (before === null) await refuseForeign(actor, row.daemon, standingOf(row), 'send');
		try {
			await walletOf(gateway, row.chain, row);
			// What may be out already is looked up before it goes out again.
			const isNew = row.state === 'built';
			const found = isNew ? 'absent' : await findOut(id);
			if (found !== 'absent') return found;
			const other = before === null ? null : await importedElsewhere(row, before);
			if (other !== null) {
				await store.move(id, open, { state: 'refused', refusal: other, settledAt: clock() });
				return 'refused';
			}
		} catch (error) {
			throw inTheWay(error, standingOf(row));
		}
		// Only from the state that was looked at: what became unknown meanwhile was not looked up.
		const sending = { state: 'sending', sentAt: clock(), refusal: null } as const;
		const first = await goesOut(row, sending, actor);
		if (!first) return (await existing(id)).state;
		await audit.append({
			actor,
			action: 'send.sent',
			target: row.txid,
			detail: { chain: row.chain, daemon: row.daemon, kind: row.kind }
		});
		return handOver(row);
	}

	/** Gives the stored bytes to the daemon, once it is written down that this happens. */
	async function handOver(row: Send): Promise<SendState> {
		const { id } = row;
		try {
			const txid = await gateway.call(row.daemon, 'sendrawtransaction', [row.hex]);
			if (txid !== row.txid) {
				await store.move(id, ['sending'], { state: 'unknown' });
				throw new SendingError(
					'mismatch',
					`The daemon answered with another txid (${txid}) than the transaction has. Look both up before you go on.`
				);
			}
			await store.move(id, ['sending'], { state: 'sent', takenAt: clock() });
			return 'sent';
		} catch (error) {
			return settleCall(row, error);
		}
	}

	/**
	 * Sends the same bytes again, of a transaction that was on the network and that a reorganization left
	 * nowhere. One transaction can happen only once, and it was counted when it went out first.
	 * @throws {SendingError} {UpstreamError}
	 */
	async function resend(id: string): Promise<void> {
		const row = await existing(id);
		const sending = { state: 'sending', sentAt: clock() } as const;
		if (row.takenAt === null || !(await store.move(id, ['unknown'], sending))) return;
		await audit.append({
			actor: 'engine',
			action: 'send.sent',
			target: row.txid,
			detail: { chain: row.chain, daemon: row.daemon, kind: row.kind, again: true }
		});
		await handOver(row);
	}

	return {
		/**
		 * Builds, reads and keeps a token creation; returns the id of the review, which shows the warnings, too.
		 * @throws {SendingError}
		 */
		createToken,
		/**
		 * Builds, reads and keeps a transfer or a burn; returns the id of the review, which is `wantedId` where
		 * the caller has written one down before. @throws {SendingError}
		 */
		moveToken,
		/** Keeps a reviewed transaction; returns the id of the review. @throws {SendingError} */
		keepOne: (wallet: Wallet, built: Built, actor: string): Promise<string> =>
			keepAll(wallet, [built], actor),
		/** Keeps a reviewed transaction and one that follows it; returns the id of the first. @throws {SendingError} */
		keepPair: (wallet: Wallet, first: Built, second: Built, actor: string): Promise<string> =>
			keepAll(wallet, [first, second], actor),
		/** What goes out after this one; null when nothing does. */
		followerOf: store.followerOf,
		/**
		 * Sends what was confirmed together with a transaction that is in a block by now. What cannot go out
		 * yet is tried at the next round.
		 */
		async sendFollowers(): Promise<void> {
			const due = (await store.dueFollowers()).filter(({ id }) => !following.has(id));
			// Beside each other: a daemon that hangs holds up nothing but its own.
			await Promise.all(
				due.map(async ({ id, createdBy }) => {
					following.add(id);
					try {
						await send(id, createdBy);
					} catch (error) {
						if (!(error instanceof SendingError) && !(error instanceof UpstreamError)) throw error;
					} finally {
						following.delete(id);
					}
				})
			);
		},
		/** Builds, reads and keeps a merge of the wallet's outputs; returns the id. @throws {SendingError} */
		mergeOutputs,
		send,
		findOut,
		/** Looks after all that is on its way or not deep in the chain; a daemon that is down stops no other. */
		settle: createSettle({ store, gateway, look: findOut, resend, clock }),
		get: store.get,
		list: store.list,
		/**
		 * Gives a review up, so that its outputs are free again; false when it was sent.
		 * @throws {SendingError} `not-yours`
		 */
		async discard(id: string, actor: string): Promise<boolean> {
			const row = await store.get(id);
			// The second of a pair goes with the first.
			if (row === null || row.follows !== null) return false;
			const { daemon, createdBy: by } = row;
			const work = { kind: 'review', id, by, daemon } as const;
			const no = await rights.endRefusal(actor, work, 'discard');
			if (no !== null) throw new SendingError('not-yours', `${no} Nothing was discarded.`);
			return discard(row, actor);
		},
		/** Gives a review up that the console itself built on the way and cannot use. */
		drop: (row: Send): Promise<boolean> => discard(row, 'series'),
		/** Creations from here that the token list of the daemon does not show yet. */
		unconfirmedTokens: (chain: string): Promise<Send[]> =>
			store.list({ chain, kind: 'token-create', states: OPEN_STATES }),
		decimals: store.decimals,
		allDecimals: store.allDecimals,
		/** @throws {SendingError} `bad-field` */
		async setDecimals(
			chain: string,
			tokenid: string,
			decimals: number,
			actor: string
		): Promise<void> {
			if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
				throw new SendingError('bad-field', `Enter a whole number from 0 to ${MAX_DECIMALS}.`, {
					field: 'decimals'
				});
			}
			await store.setDecimals(chain, tokenid, decimals);
			await audit.append({
				actor,
				action: 'token.decimals',
				target: tokenid,
				detail: { chain, decimals }
			});
		},
		/** The wallet that pages name beside their forms; of a person, the one with which they build. @throws {SendingError} @throws {UpstreamError} */
		wallet: (chain: string, person?: string): Promise<Wallet> =>
			person === undefined ? walletOf(gateway, chain) : walletFor(chain, person),
		/** Before a wallet builds for somebody. @throws {SendingError} `not-yours` */
		mayUse: (person: string, daemon: string, act?: string): Promise<void> =>
			refuseForeign(person, daemon, NOT_SENT, act),
		/** Before a wallet builds for somebody. @throws {SendingError} `bad-field` or `limit` */
		mayTake: refuseOverLimit
	};
}

export type Sender = ReturnType<typeof createSender>;
