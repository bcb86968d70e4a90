/**
 * What stands between a person and a wallet: whether it is theirs to use, and how much of their day is
 * left. The door, the console, sending and migrations ask here, and nowhere else.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { classify } from '#lib/chain/classified.ts';
import { txidOf, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import type { Refusals } from '../audit/refusals.ts';
import { nameKeyOf } from '../auth/accounts.ts';
import type { Schema } from '../db/schema.ts';
import { UpstreamError, type DaemonInfo, type Gateway } from '../gateway/types.ts';
import { stands } from '../guards/stands.ts';
import type { EndableKind } from '../wallets/tables.ts';
import { mayUseWallet, type Wallets } from '../wallets/wallets.ts';
import { useOfCall } from './calls.ts';
import type { Use } from './kinds.ts';
import { LimitError, type Limits } from './limits.ts';
import { signedIn } from './signed.ts';
import { ANY } from './tables.ts';
import { addressesIn, readHex, weighTransaction } from './weigh.ts';

/** What a transaction takes, and what it is known by. */
export interface Weighed {
	/** Id of the account that it is counted for; null when there is no such person. */
	account: string | null;
	chain: string;
	ref: string;
	uses: readonly Use[];
}

export interface Rights {
	/**
	 * Why this person must not use the wallet of this daemon, as a sentence; null when they may.
	 * @param act what they are about to do with it: a refusal then goes on record
	 */
	walletRefusal(person: string, daemon: string, act?: string): Promise<string | null>;
	/**
	 * Why this person must not end, stop or take over open work, as a sentence; null when they may. Who has it
	 * in hand always may; everybody else needs the wallet that it uses, as for finishing it.
	 * @param act what they are about to do with it: a refusal then goes on record
	 */
	endRefusal(person: string, work: OpenWork, act?: string): Promise<string | null>;
	/** The gateway as this person sees it: of a chain's wallets it picks one that they may use, if there is one. */
	gatewayOf(person: string): Promise<Gateway>;
	/**
	 * Reads what a transaction takes from the wallet of a daemon, for whom it goes out. It asks the daemon which
	 * outputs are its own, so it is no work for a transaction of the database.
	 */
	weigh(person: string, daemon: string, hex: string): Promise<Weighed>;
	/**
	 * Counts what goes out.
	 * @param within the transaction in which it is written down that it does
	 * @throws {LimitError}
	 */
	spend(weighed: Weighed, within?: Kysely<Schema>): Promise<void>;
	/**
	 * Counts the signed transactions in a daemon's answer before a person gets it. Sent afterwards, they count
	 * no second time.
	 * @param body the answer, JSON
	 * @returns why the answer must not be handed out, as a sentence; null when it may
	 */
	answerRefusal(person: string, daemon: DaemonInfo, body: string): Promise<string | null>;
	/** Whether a limit holds for what this person sends on a chain: then no bytes are shown that did not go out. */
	isLimited(person: string, chain: string): Promise<boolean>;
	/**
	 * Counts a message that a trading node is to sign with the key of a coin.
	 * @returns why it must not go out, as a sentence; null when it may
	 */
	signRefusal(person: string, coin: string): Promise<string | null>;
	/**
	 * Counts a call that a person or a script makes by hand.
	 * @param params JSON texts
	 * @returns why it must not go out, as a sentence; null when it may
	 */
	callRefusal(
		person: string,
		daemon: DaemonInfo,
		call: { method: DaemonMethod; params: readonly string[]; ref: string }
	): Promise<string | null>;
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

/** A transaction with more addresses than this counts without a look at whose they are. */
const MOST_ASKED = 64;
const ASK_MS = 5_000;

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
	refusals?: Pick<Refusals, 'refused'>;
}): Rights {
	/** Puts a refusal on record that stopped an act; a page that only asks leaves none. */
	async function told(
		person: string,
		place: string,
		reason: string | null,
		what: string | undefined
	): Promise<string | null> {
		if (reason !== null && what !== undefined) {
			await refusals?.refused(person, { where: 'call', why: 'wallet', what, place, reason });
		}
		return reason;
	}

	async function endRefusal(
		person: string,
		{ kind, id, by, daemon, chain }: OpenWork,
		act?: string
	): Promise<string | null> {
		if (!stands('others-work')) return null;
		const holder = (await wallets.holderOf(kind, id)) ?? by;
		if (nameKeyOf(holder) === nameKeyOf(person)) return null;
		const wallet =
			daemon ?? (await gatewayOf(person)).daemonFor(chain ?? '', 'wallet')?.id ?? chain ?? '';
		const no = await wallets.refusal(person, wallet);
		if (no === null) return null;
		const reason =
			kind === 'activation'
				? `${holder} has this in hand: only they, an admin, and who may use every wallet may end it.`
				: `${holder} has this in hand, and to end it takes the same wallet. ${no}`;
		return told(person, wallet, reason, act);
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

	/** Addresses of the transaction whose keys the wallet has. What cannot be found out is not its own. */
	async function ownAddresses(daemon: DaemonInfo, tx: Transaction): Promise<ReadonlySet<string>> {
		const own = new Set(daemon.pubkey === null ? [] : [addressOfPubkey(daemon.pubkey)]);
		const others = addressesIn(tx).filter((address) => !own.has(address));
		if (others.length > MOST_ASKED) return own;
		try {
			const found = await Promise.all(
				others.map((address) =>
					gateway.call(daemon.id, 'validateaddress', [address], { patience: ASK_MS })
				)
			);
			found.forEach((answer, at) => {
				const address = others[at];
				if (address !== undefined && answer.isvalid && answer.ismine) own.add(address);
			});
		} catch (error) {
			if (!(error instanceof UpstreamError)) throw error;
		}
		return own;
	}

	const accountOf = async (person: string): Promise<string | null> =>
		(await wallets.userOf(person))?.id ?? null;

	async function weigh(person: string, daemonId: string, hex: string): Promise<Weighed> {
		const account = await accountOf(person);
		const daemon = gateway.daemon(daemonId);
		const chain = daemon?.chain ?? daemonId;
		const tx = readHex(hex);
		if (tx === null || daemon === undefined) {
			const ref = createHash('sha256').update(hex.toLowerCase()).digest('hex');
			return { account, chain, ref, uses: [{ kind: 'coin-send', amount: null }] };
		}
		const own = await ownAddresses(daemon, tx);
		const isOwn = ({ script }: TxOut): boolean => {
			const { address, pubkey } = classify(script);
			return pubkey !== undefined && bytesToHex(pubkey) === daemon.pubkey
				? true
				: address !== undefined && own.has(address);
		};
		return { account, chain, ref: txidOf(tx), uses: weighTransaction(tx, isOwn) };
	}

	async function spend({ account, ...what }: Weighed, within?: Kysely<Schema>): Promise<void> {
		if (account === null) throw new LimitError('There is no such account any more.', null);
		await limits.spend({ account, ...what }, within);
	}

	/** What spending is refused with, as a sentence; null when it was counted. */
	async function refusalOf(weighed: Weighed): Promise<string | null> {
		try {
			await spend(weighed);
			return null;
		} catch (error) {
			if (error instanceof LimitError) return error.message;
			throw error;
		}
	}

	return {
		walletRefusal: async (person, daemon, act) =>
			stands('own-wallets')
				? told(person, daemon, await wallets.refusal(person, daemon), act)
				: null,

		endRefusal,
		gatewayOf,

		weigh,
		spend,

		async callRefusal(person, daemon, { method, params, ref }) {
			const use = useOfCall(method, params);
			if (use === null && method !== 'sendrawtransaction') return null;
			const weighed =
				use === null
					? await weigh(person, daemon.id, textOf(params[0]))
					: { account: await accountOf(person), chain: daemon.chain, ref, uses: [use] };
			return refusalOf(weighed);
		},

		async answerRefusal(person, daemon, body) {
			for (const hex of signedIn(body)) {
				const no = await refusalOf(await weigh(person, daemon.id, hex));
				if (no !== null) return no;
			}
			return null;
		},

		async isLimited(person, chain) {
			const account = await accountOf(person);
			if (account === null) return true;
			return (await limits.of(account)).some(
				(limit) => limit.kind !== 'sign' && [chain, ANY].includes(limit.chain)
			);
		},

		async signRefusal(person, coin) {
			const uses: Use[] = [{ kind: 'sign', amount: 0n }];
			return refusalOf({ account: await accountOf(person), chain: coin, ref: randomUUID(), uses });
		}
	};
}
