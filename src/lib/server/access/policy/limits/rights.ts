/**
 * What stands between a person and a wallet: whether it is theirs to use, and how much of their day is
 * left. The RPC API, the console, sending and migrations ask here, and nowhere else.
 */
import { randomUUID } from 'node:crypto';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { looksLikeImport } from '#lib/chain/importProof.ts';
import { txidOf, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import type { DaemonInfo, Gateway } from '../../../chains/daemon/types.ts';
import { someAtATime } from '../../../platform/async/someAtATime.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { AppError, isAppError } from '../../../platform/errors/appError.ts';
import { nameKeyOf } from '../../accounts/names.ts';
import { transactionFacts } from '../../audit/callFacts.ts';
import type { Refusals } from '../../audit/refusals.ts';
import type { AccessTables } from '../../tables.ts';
import type { EndableKind } from '../wallets/tables.ts';
import { mayUseWallet, type Wallets } from '../wallets/wallets.ts';
import { usageOfCall } from './calls.ts';
import type { Usage } from './kinds.ts';
import type { Limits } from './limits.ts';
import { addressOf, measureSpend, readHex, type Measured, type OwnWallet } from './measure.ts';
import { spentBy } from './parents.ts';
import { recipientsOf, recipientsOfCall } from './recipients.ts';
import { ANY } from './tables.ts';

/** What a transaction takes, and what it is known by. */
export interface MeasuredSpend {
	/** Id of the account that it is counted for; null when there is no such person. */
	account: string | null;
	chain: string;
	ref: string;
	usages: readonly Usage[];
	/** Addresses that it pays, without the wallet's own; null where they cannot be told. */
	recipients: readonly string[] | null;
}

type WalletDenied = AppError<CodesOf<'wallet'>>;
type OverLimit = AppError<CodesOf<'limit'>>;

export interface Rights {
	/**
	 * Why this person must not use the wallet of this daemon; null when they may.
	 * @param act what they are about to do with it: a refusal then goes on record
	 */
	walletRefusal(person: string, daemon: string, act?: string): Promise<WalletDenied | null>;
	/**
	 * Why this person must not end, stop or take over open work; null when they may. Who has it
	 * in hand always may; everybody else needs the wallet that it uses, as for finishing it.
	 * @param act what they are about to do with it: a refusal then goes on record
	 */
	endRefusal(person: string, work: OpenWork, act?: string): Promise<WalletDenied | null>;
	/** The gateway as this person sees it: of a chain's wallets it picks one that they may use, if there is one. */
	gatewayOf(person: string): Promise<Gateway>;
	/**
	 * Reads what a transaction takes from the wallet of a daemon, for whom it goes out. It asks the daemon for
	 * what it spends and which addresses are its own, so it is no work for a transaction of the database.
	 * @throws {AppError} `limit` when that cannot be told, or its fee is above what an admin allows
	 */
	measureSpend(person: string, daemon: string, hex: string): Promise<MeasuredSpend>;
	/**
	 * Counts what goes out.
	 * @param within the transaction in which it is written down that it does
	 * @throws {AppError} `limit`
	 */
	recordSpend(spend: MeasuredSpend, within?: Executor<AccessTables>): Promise<void>;
	/**
	 * Why what a person asks for in a form would be refused when it goes out; null when it fits.
	 * It only looks: what goes out is counted when it does.
	 * @param act what they are about to do: a refusal then goes on record
	 */
	limitRefusal(
		person: string,
		chain: string,
		usages: readonly Usage[],
		act?: string
	): Promise<OverLimit | null>;
	/** Puts on record that reviewed bytes did not go out, because of a limit or because they cannot be measured. */
	spendRefused(
		person: string,
		daemon: string,
		hex: string,
		act: string,
		no: OverLimit
	): Promise<void>;
	/** Whether a limit holds for what this person sends on a chain: then no bytes are shown that did not go out. */
	isLimited(person: string, chain: string): Promise<boolean>;
	/** What a message takes that a trading node is to sign with the key of a coin. Nothing is counted yet. */
	measureSignature(person: string, coin: string): Promise<MeasuredSpend>;
	/**
	 * What a call takes that a person or a script makes by hand; null for nothing. It is not counted yet.
	 * @param params JSON texts
	 * @throws {AppError} `limit` as {@link measureSpend}
	 */
	measureCall(
		person: string,
		daemon: DaemonInfo,
		call: { method: DaemonMethod; params: readonly string[] }
	): Promise<MeasuredSpend | null>;
}

/** Open work, as far as it is asked who may end it. */
export interface OpenWork {
	kind: EndableKind;
	id: string;
	/** Name of the account that began it, or has confirmed it since. */
	by: string;
	/** The daemon or trading node whose wallet it uses; null: any wallet of the chain. */
	daemon: string | null;
	chain?: string;
}

/** Of a transaction with more addresses the rest counts as another's where it is paid, and as its own where it pays. */
const MOST_ASKED = 256;
const ASKED_AT_A_TIME = 8;
const ASK_MS = 5_000;

/** Parts of a refused act that its event names. */
const MOST_TOLD = 10;

const NO_WALLET: OwnWallet = { pubkey: null, addresses: new Set(), hasInterest: false };

/** The text of a JSON string; empty when it is none. */
function textOf(json: string | undefined): string {
	try {
		const value: unknown = JSON.parse(json ?? '""');
		return typeof value === 'string' ? value : '';
	} catch {
		return '';
	}
}

export function createRights({
	gateway,
	wallets,
	limits,
	refusals
}: {
	gateway: Gateway;
	wallets: Wallets;
	limits: Limits;
	refusals: Pick<Refusals, 'refused'>;
}): Rights {
	/** Puts a refusal on record that stopped an act; a page that only asks leaves none. */
	async function told(
		person: string,
		place: string,
		no: WalletDenied | null,
		what: string | undefined
	): Promise<WalletDenied | null> {
		if (no !== null && what !== undefined) {
			const reason = { code: 'wallet', why: no.coded } as const;
			await refusals.refused(person, { where: 'call', why: 'wallet', what, place, reason });
		}
		return no;
	}

	async function endRefusal(
		person: string,
		{ kind, id, by, daemon, chain }: OpenWork,
		act?: string
	): Promise<WalletDenied | null> {
		const holder = (await wallets.holderOf(kind, id)) ?? by;
		if (nameKeyOf(holder) === nameKeyOf(person)) return null;
		const wallet =
			daemon ?? (await gatewayOf(person)).daemonFor(chain ?? '', 'wallet')?.id ?? chain ?? '';
		const no = await wallets.refusal(person, wallet);
		if (no === null) return null;
		const held =
			kind === 'activation'
				? new AppError('wallet.activation-of-another', { holder })
				: new AppError('wallet.work-of-another', {
						holder,
						daemon: wallet,
						why: no.code === 'wallet.account-closed' ? 'account-closed' : 'not-granted'
					});
		return told(person, wallet, held, act);
	}

	async function gatewayOf(person: string): Promise<Gateway> {
		const user = await wallets.userOf(person);
		if (!user) return gateway;
		return {
			...gateway,
			daemonFor(chain, purpose) {
				if (purpose === 'read') return gateway.daemonFor(chain, purpose);
				const mine = gateway
					.daemons()
					.filter(
						(info) =>
							info.chain === chain &&
							info.purposes.includes(purpose) &&
							mayUseWallet(user.role, user.choice, info.id)
					);
				const well = mine.find(({ health }) => ['up', 'unknown'].includes(health.state));
				return well ?? mine[0] ?? gateway.daemonFor(chain, purpose);
			}
		};
	}

	/** Those of the addresses whose keys the wallet has; what is not asked about is not its own. */
	async function ownAddresses(
		daemon: DaemonInfo,
		outputs: readonly TxOut[]
	): Promise<ReadonlySet<string>> {
		const own = new Set(daemon.pubkey === null ? [] : [addressOfPubkey(daemon.pubkey)]);
		const others = new Set(outputs.flatMap((output) => addressOf(output) ?? [])).difference(own);
		await someAtATime([...others].slice(0, MOST_ASKED), ASKED_AT_A_TIME, async (address) => {
			const call = { timeout: ASK_MS };
			const answer = await gateway.call(daemon.id, 'validateaddress', [address], call);
			if (answer.isvalid && answer.ismine) own.add(address);
		});
		return own;
	}

	const accountOf = async (person: string): Promise<string | null> =>
		(await wallets.userOf(person))?.id ?? null;

	/** @throws {AppError} `limit` @throws {AppError} `daemon` */
	async function measured(
		daemon: DaemonInfo,
		tx: Transaction
	): Promise<Measured & Pick<MeasuredSpend, 'recipients'>> {
		if (looksLikeImport(tx)) return { ...measureSpend(tx, [], NO_WALLET), recipients: null };
		const call = { timeout: ASK_MS };
		const spent = await spentBy(tx, (txid) =>
			gateway.call(daemon.id, 'getrawtransaction', [txid, 0], call)
		);
		const addresses = await ownAddresses(daemon, [...spent, ...tx.vout]);
		const { pubkey } = daemon;
		const wallet: OwnWallet = { pubkey, addresses, hasInterest: daemon.chain === 'KMD' };
		return { ...measureSpend(tx, spent, wallet), recipients: recipientsOf(tx, wallet) };
	}

	/** The measure of a transaction, or why there is none. */
	async function readSpend(
		daemon: DaemonInfo,
		tx: Transaction
	): Promise<
		| (Exclude<Measured, { unknown: unknown }> & Pick<MeasuredSpend, 'recipients'>)
		| { unknown: OverLimit }
	> {
		try {
			const found = await measured(daemon, tx);
			return 'unknown' in found ? { unknown: new AppError(found.unknown) } : found;
		} catch (cause) {
			if (isAppError(cause, 'limit')) return { unknown: cause };
			if (!isAppError(cause, 'daemon')) throw cause;
			return { unknown: new AppError('limit.daemon-failed', { call: cause.coded }, { cause }) };
		}
	}

	async function measure(person: string, daemonId: string, hex: string): Promise<MeasuredSpend> {
		const daemon = gateway.daemon(daemonId);
		const tx = readHex(hex);
		if (tx === null || daemon === undefined) throw new AppError('limit.unreadable');
		const found = await readSpend(daemon, tx);
		if ('unknown' in found) throw found.unknown;
		const cap = await limits.feeCap(daemon.chain);
		if (found.fee > cap) {
			throw new AppError('limit.fee-above-cap', {
				chain: daemon.chain,
				fee: formatCoins(found.fee),
				cap: formatCoins(cap)
			});
		}
		const account = await accountOf(person);
		const { usages, recipients } = found;
		return { account, chain: daemon.chain, ref: txidOf(tx), usages, recipients };
	}

	async function recordSpend(
		{ account, ...what }: MeasuredSpend,
		within?: Executor<AccessTables>
	): Promise<void> {
		if (account === null) throw new AppError('limit.account-gone');
		await limits.recordSpend({ account, ...what }, within);
	}

	/** Something that is known by no bytes, each time anew. */
	const once = async (
		person: string,
		chain: string,
		usage: Usage,
		recipients: MeasuredSpend['recipients']
	): Promise<MeasuredSpend> => ({
		account: await accountOf(person),
		chain,
		ref: randomUUID(),
		usages: [usage],
		recipients
	});

	return {
		walletRefusal: async (person, daemon, act) =>
			told(person, daemon, await wallets.refusal(person, daemon), act),

		endRefusal,
		gatewayOf,

		measureSpend: measure,
		recordSpend,

		async measureCall(person, daemon, { method, params }) {
			if (method === 'sendrawtransaction') return measure(person, daemon.id, textOf(params[0]));
			const usage = usageOfCall(method, params);
			return usage && once(person, daemon.chain, usage, recipientsOfCall(method, params));
		},
		measureSignature: (person, coin) => once(person, coin, { kind: 'sign', amount: 0n }, []),

		async limitRefusal(person, chain, usages, act) {
			const account = await accountOf(person);
			if (account === null) return new AppError('limit.account-gone');
			const no = await limits.look({ account, chain, usages });
			if (no !== null && act !== undefined) {
				const facts = {
					takes: usages.slice(0, MOST_TOLD).map(({ kind, amount }) => ({
						kind,
						amount: amount === null ? null : formatCoins(amount)
					}))
				};
				const what = { where: 'call', why: 'limit', what: act, place: chain } as const;
				await refusals.refused(person, {
					...what,
					reason: { code: 'limit', why: no.coded },
					facts
				});
			}
			return no;
		},

		async spendRefused(person, daemon, hex, act, { coded }) {
			const tx = readHex(hex);
			const facts = tx === null ? { unreadable: true } : transactionFacts(tx);
			const what = { where: 'call', why: 'limit', what: act, place: daemon } as const;
			await refusals.refused(person, {
				...what,
				reason: { code: 'limit', why: coded },
				facts
			});
		},

		async isLimited(person, chain) {
			const account = await accountOf(person);
			if (account === null) return true;
			return (await limits.of(account)).some(
				(limit) => limit.kind !== 'sign' && [chain, ANY].includes(limit.chain)
			);
		}
	};
}
