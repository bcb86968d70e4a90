/**
 * What a call demands of its caller: the one shape in which the policy sees calls of daemons and trading
 * nodes.
 */
import { demandedAccess } from '#lib/rpc/daemon/demands.ts';
import type { FurtherAccess } from '#lib/rpc/daemon/furtherMethods.ts';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { changesNothing, type Access } from '#lib/rpc/method.ts';
import { demands, type NamedServer } from '#lib/rpc/kdf/demands.ts';
import { kdfDefinition, type KdfMethod, type KdfParams } from '#lib/rpc/kdf/index.ts';
import { hashTypeRefusal } from '../../chains/daemon/signatures.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import type { AuditValue } from '../../platform/audit-trail/entry.ts';
import { callFacts, messageFacts } from '../audit/callFacts.ts';
import type { Rights } from '../rights/rights.ts';
import type { MeasuredSpend } from '../rights/spend.ts';
import type { CalledMethod } from './permitted.ts';

/** Longest derivation path that is logged, in characters. Paths of wallets are shorter. */
const LONGEST_PATH = 80;

/** A task of a trading node that a call concerns, and what the call does to it. */
export interface TaskUse {
	id: number;
	/** Name of the activation method whose task it is, like `task::enable_utxo`. */
	method: string;
	/**
	 * `end`: ends the task, or makes the node forget its result; `answer`: answers what a hardware device
	 * asks for.
	 */
	use: 'end' | 'answer';
}

export interface CallDemands {
	/** Id of the daemon or trading node. */
	place: string;
	method: CalledMethod;
	/** The access class with these parameters: the method's own, or a higher one. */
	access: Access;
	signs: boolean;
	/** Servers that the node would connect to because the call names them. */
	servers: readonly NamedServer[];
	/** Id of the daemon whose wallet the call uses; null where wallets are not granted to single members. */
	wallet: string | null;
	/** Why a signature that the call asks for would not cover the whole transaction; null when it would. */
	partlySigned: ReturnType<typeof hashTypeRefusal>;
	/** The task that the call ends or answers, which may belong to another member's work; null for none. */
	task: TaskUse | null;
	/** Logged although the method is not known to change anything. */
	onRecord?: true;
	/** Facts of the call for the audit log; evaluated only when something is logged. */
	facts: () => Readonly<Record<string, AuditValue>>;
	/**
	 * Measures what the call takes from the member's limits; null for nothing. It may query the daemon, but
	 * counts nothing.
	 * @throws {AppError} `limit`
	 */
	measure: (rights: Pick<Rights, 'measureCall' | 'measureSignature'>, person: string) => Measuring;
}

type Measuring = Promise<MeasuredSpend | null>;

/** @param params JSON texts */
export function daemonDemands(
	daemon: DaemonInfo,
	method: DaemonMethod,
	params: readonly string[]
): CallDemands {
	const { access, signs } = daemonMethods[method];
	return {
		place: daemon.id,
		method: { name: method, access },
		access: demandedAccess(method, params),
		signs,
		servers: [],
		wallet: daemon.id,
		partlySigned: hashTypeRefusal(method, params),
		task: null,
		facts: () => callFacts(method, params),
		measure: (rights, person) => rights.measureCall(person, daemon, { method, params })
	};
}

/**
 * Demands of a method outside the registry, of which only the access class from the configuration is known.
 */
export const furtherDemands = (
	daemon: DaemonInfo,
	name: string,
	access: FurtherAccess
): CallDemands => ({
	place: daemon.id,
	method: { name, access },
	access,
	signs: false,
	servers: [],
	wallet: null,
	partlySigned: null,
	task: null,
	onRecord: true,
	facts: () => ({}),
	measure: () => Promise.resolve(null)
});

type Facts = ReturnType<CallDemands['facts']>;

/** Facts of a message to sign, and the wallet address that signs it. */
function signedFacts({ message, address }: KdfParams<'sign_message'>): Facts {
	const path =
		address === undefined
			? null
			: 'derivation_path' in address
				? address.derivation_path.slice(0, LONGEST_PATH)
				: `${address.account_id}/${address.chain}/${address.address_id}`;
	return { ...messageFacts(message), ...(path === null ? {} : { path }) };
}

/**
 * The task that a call concerns, or null. A status query that leaves the result in place does nothing to its
 * task; for methods of class `never` the parameters are not validated, so they are not read.
 */
function taskUse(name: string, access: Access, native: unknown): TaskUse | null {
	const match = /^(task::\w+)::(status|cancel|user_action)$/.exec(name);
	if (match === null || access === 'never' || changesNothing(access)) return null;
	const [, method = '', verb] = match;
	const { task_id: id } = native as { task_id: number };
	return { id, method, use: verb === 'user_action' ? 'answer' : 'end' };
}

/**
 * Returns the demands of a trading node's call. Parameters may hold a PIN: only the coin, and the message to
 * sign, are logged.
 * @param native the parameters as the registry parses them
 */
export function kdfDemands<M extends KdfMethod>(
	node: string,
	method: M,
	native: KdfParams<M>
): CallDemands {
	const { name, access, signs } = kdfDefinition(method);
	const more = demands(method, native);
	const given = (native ?? {}) as { readonly ticker?: string; readonly coin?: string };
	const coin = given.ticker ?? given.coin;
	return {
		place: node,
		method: { name, access },
		access: more.access,
		signs,
		servers: more.servers,
		wallet: null,
		partlySigned: null,
		task: taskUse(name, more.access, native),
		facts: () => ({
			...(coin === undefined ? {} : { coin }),
			...(method === 'sign_message' ? signedFacts(native as KdfParams<'sign_message'>) : {})
		}),
		measure: async (rights, person) =>
			more.access === 'sign' ? rights.measureSignature(person, node, coin ?? '') : null
	};
}
